// Numbers and choices in words.
import { type Point, isInTurn, levels, tail, total } from "./point";

/** Returns a time with three digits at most: 44 µs, 1.2 ms. */
export function time(us: number): string {
  if (us >= 1e6) return `${digits(us / 1e6)} s`;
  if (us >= 1e3) return `${digits(us / 1e3)} ms`;
  if (us < 1) return `${digits(us * 1e3)} ns`;
  return `${digits(us)} µs`;
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

export function bytes(count: number): string {
  if (count >= 1e6) return `${digits(count / 1e6)} MB`;
  if (count >= 1e4) return `${digits(count / 1e3)} kB`;
  return `${count} bytes`;
}

export function rate(bits: number): string {
  if (bits >= 1e9) return `${digits(bits / 1e9)} Gbit/s`;
  return `${digits(bits / 1e6)} Mbit/s`;
}

/** Returns a set's name without what it says twice. */
export const short = (alg: string): string => alg.replace("/LMOTS_SHA256_N24_", "_").replace("/LMOTS_SHA256_N32_", "_");

const SIGNER: Record<string, string> = {
  none: "nothing",
  "early-auth": "the path through the tree",
  secrets: "the path and the secret elements",
  masks: "the path, the secret elements, and the masks of every chain step",
  "chain-table": "the path, and every node of every chain: signing looks them up",
};
const VERIFIER: Record<string, string> = {
  none: "nothing",
  masks: "the masks of the next index",
  "node-cache": "the nodes of the tree that it has seen",
  "ots-key": "the one-time public key, which came ahead",
};
const DELIVERY: Record<string, string> = {
  sequential: "Signing, sending and verifying follow each other.",
  streaming: "Each element is sent when it is ready, and taken up when it arrives.",
  "pre-send": "Index and path are sent before the message.",
  "ots-key": "Index, path and one-time key are sent before the message.",
};

/** Returns the names of levels and deliveries, each with its meaning. */
export const names = (): [string, [string, string][]][] => [
  ["Prepared at the signer", Object.entries(SIGNER)],
  ["Prepared at the verifier", Object.entries(VERIFIER)],
  ["Delivery", Object.entries(DELIVERY)],
];

/** Returns what an algorithm without preparation takes on this machine, beside one that is prepared. */
export function cannot(point: Point, budget: number): string {
  const over = total(point) > budget ? ", over the budget" : "";
  return ` ${short(point.alg)} takes ${time(total(point))} here${over}.`;
}

/** Returns a choice in a few words: its set, and what is prepared. */
export function prepared(point: Point): string {
  const found = levels(point);
  if (found === null) return "nothing prepared";
  const { signer, verifier } = found;
  if (signer === verifier && signer === "masks") return "masks on both sides";
  if (signer === "none" && verifier === "none") return "nothing prepared";
  return `${whole(signer)} at the signer, ${whole(verifier)} at the verifier`;
}

/** Returns a name that no line ends within. */
const whole = (name: string): string => name.replaceAll("-", "\u2011");

/** Returns why a choice is not within the budget; empty where it is. */
export const reason = (point: Point): string =>
  (point.why_not ?? "").replace(/([0-9.]+) us\b/g, (_, us: string) => time(Number(us)));

/** Returns how the same set does with nothing prepared, against a choice. */
export function contrast(bare: Point, chosen: Point, budget: number): string {
  const nothing = levels(bare)?.signer === "none" ? "nothing prepared" : "nothing prepared but the path through the tree";
  const over = total(bare) > budget ? ", over the budget" : "";
  return `With ${nothing}, the same set on the same machine takes ${time(total(bare))}${over}: ${digits(total(bare) / total(chosen))} times as long. The rest was done before the message came.`;
}

/** Returns the answer: how long the choice takes, and how long of it is the wire. */
export function sentence(point: Point): string {
  const wire = time(tail(point.wire_us));
  const part = isInTurn(point) ? `of it ${wire} on the wire` : `and the wire is busy for ${wire} of them`;
  return `${short(point.alg)}, ${prepared(point)}: ${time(total(point))}, ${part}`;
}

/** Returns what stands below the answer. */
export function account(point: Point, budget: number): string[] {
  const lines: string[] = [];
  const left = budget - total(point);
  if (point.within_budget) lines.push(`${time(left)} of the budget are left.`);
  else lines.push(`It is not within ${time(budget)}: ${reason(point)}.`);
  const found = levels(point);
  if (found !== null && (found.signer !== "none" || found.verifier !== "none")) {
    lines.push(`Ready before the message, at the signer: ${SIGNER[found.signer]}; at the verifier: ${VERIFIER[found.verifier]}.`);
  }
  if (found !== null) lines.push(DELIVERY[found.delivery] ?? "");
  if (point.lower_bound_us !== null) {
    lines.push(`Lower bound for this set over this link, everything prepared and any number of such units: ${time(point.lower_bound_us)}.`);
  }
  const many = point.signatures === null ? "without end" : `${point.signatures.toLocaleString("en")} times`;
  lines.push(`A signature has ${point.signature_bytes.toLocaleString("en")} bytes, and a key signs ${many}.`);
  return lines;
}
