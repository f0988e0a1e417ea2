// The timeline and the front, drawn to scale.
import * as Plot from "@observablehq/plot";
import { type Point, nameOf, tail, total } from "./point";
import { bytes, short, time } from "./words";

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** When each part is at work, in µs after the message. */
export interface Spans {
  sign: [number, number][];
  wire: [number, number][];
  verify: [number, number][];
  end: number;
}

interface Bar {
  lane: string;
  from: number;
  to: number;
  fill: string;
}

/** Returns the spans of a choice that was measured: one part after the other. */
export function inTurn(point: Point): Spans {
  const [sign, wire, verify] = [point.sign_us, point.wire_us, point.verify_us].map(tail) as [number, number, number];
  const end = sign + wire + verify;
  return { sign: [[0, sign]], wire: [[sign, sign + wire]], verify: [[sign + wire, end]], end };
}

const LANES = [["signer", "sign"], ["wire", "wire"], ["verifier", "verify"]] as const;

const bars = (spans: Spans): Bar[] =>
  LANES.flatMap(([lane, part]) => spans[part].map(([from, to]) => ({ lane, from, to, fill: colour(lane) })));

/** Returns each lane from its first moment to its last, with the time that it is at work. */
function lanes(spans: Spans): (Bar & { label: string })[] {
  return LANES.map(([lane, part]) => {
    const busy = spans[part].reduce((sum, [from, to]) => sum + to - from, 0);
    const [from, to] = [spans[part][0]?.[0] ?? 0, spans[part].at(-1)?.[1] ?? 0];
    return { lane, from, to, fill: colour(lane), label: busy < to - from - 0.01 ? `${time(busy)} within ${time(to - from)}` : time(busy) };
  });
}

/** Returns the time of a choice from left to right, with the budget as a line; up to `most` at least. */
export function timeline(spans: Spans, budget: number, width: number, most = 0): SVGElement {
  const end = Math.max(budget, spans.end, most);
  const parts = lanes(spans);
  const drawing = Plot.plot({
    width,
    height: 168,
    marginLeft: 66,
    marginRight: 24,
    marginTop: 26,
    marginBottom: 36,
    style: { background: "transparent", fontSize: "13px", color: colour("ink") },
    x: { domain: [0, end * 1.02], label: "µs after the message", grid: true, nice: false },
    y: { domain: ["signer", "wire", "verifier"], label: null, padding: 0.22 },
    marks: [
      Plot.ruleY(parts, { x1: "from", x2: "to", y: "lane", stroke: "fill", strokeOpacity: 0.5 }),
      Plot.barX(bars(spans), { x1: "from", x2: "to", y: "lane", fill: "fill" }),
      Plot.text(parts, {
        x: "to", y: "lane", text: "label", textAnchor: "start", dx: 6, fill: "currentColor",
        filter: (bar: Bar) => bar.to < end * 0.88,
      }),
      Plot.text(parts, {
        x: "from", y: "lane", text: "label", textAnchor: "end", dx: -6, fill: "currentColor",
        filter: (bar: Bar) => bar.to >= end * 0.88 && bar.from > end * 0.12,
      }),
      Plot.text(parts, {
        x: "from", y: "lane", text: "label", textAnchor: "start", dx: 6, fill: colour("paper"),
        filter: (bar: Bar) => bar.to >= end * 0.88 && bar.from <= end * 0.12,
      }),
      Plot.ruleX([budget], { stroke: colour("limit"), strokeWidth: 2 }),
      Plot.text([budget], {
        x: (us: number) => us, text: (us: number) => `budget ${time(us)}`, frameAnchor: "top", dy: -16,
        textAnchor: budget > end * 0.85 ? "end" : "middle", dx: budget > end * 0.85 ? 8 : 0, fill: colour("limit"),
      }),
    ],
  }) as SVGElement;
  const says = parts.map((part) => `${part.lane} ${part.label} from ${time(part.from)}`).join(", ");
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", `Timeline: ${says}; ${time(spans.end)} in all, budget ${time(budget)}`);
  return drawing;
}

export const UP: Record<string, { label: string; value: (point: Point) => number | null }> = {
  bytes: { label: "bytes of a signature", value: (point) => point.signature_bytes },
  memory: { label: "bytes held by the signer", value: (point) => point.signer_memory_bytes || null },
  signatures: { label: "signatures of a key", value: (point) => point.signatures },
};

/** Returns every choice by latency and something else; those that nothing beats stand out. */
export function front(points: Point[], chosen: Point | undefined, budget: number, up: string, width: number): SVGElement {
  const measure = UP[up] ?? UP["bytes"]!;
  const shown = points.filter((point) => measure.value(point) !== null && total(point) > 0);
  const places = new Map<string, Point>();
  // Choices at one place are drawn once; one that nothing beats stands for those it lies on.
  for (const point of shown) {
    const place = `${total(point).toPrecision(3)} ${measure.value(point)}`;
    const known = places.get(place);
    if (known === undefined || (point.pareto && !known.pareto)) places.set(place, point);
  }
  const rest = [...places.values()];
  const beats = rest.filter((point) => point.pareto);
  const across = { x: total, y: measure.value };
  const title = (point: Point) =>
    `${short(point.alg)}\n${point.machine}\n${point.schedule}\n${time(total(point))}, ${bytes(point.signature_bytes)}`;
  const drawing = Plot.plot({
    width,
    height: 340,
    marginLeft: 58,
    marginRight: 20,
    marginBottom: 40,
    marginTop: 30,
    style: { background: "transparent", fontSize: "13px", color: colour("ink") },
    x: { type: "log", insetLeft: 12, insetRight: 12, label: "time from message to verdict →", grid: true, ticks: Math.max(3, width / 130), tickFormat: (us: number) => time(us) },
    y: { type: "log", insetTop: 10, insetBottom: 10, label: `↑ ${measure.label}`, grid: true, ticks: 5, tickFormat: "~s" },
    marks: [
      Plot.ruleX([budget], { stroke: colour("limit"), strokeWidth: 2 }),
      Plot.dot(rest.filter((point) => !point.pareto), { ...across, r: 3, fill: colour("faint"), ariaLabel: "choices" }),
      Plot.dot(beats, { ...across, r: 4.5, fill: colour("signer"), stroke: colour("paper"), ariaLabel: "choices that nothing beats" }),
      ...(chosen && measure.value(chosen) !== null
        ? [Plot.dot([chosen], { ...across, r: 9, stroke: colour("limit"), strokeWidth: 2 })]
        : []),
      Plot.tip(rest, Plot.pointer({ ...across, title, fill: colour("paper"), stroke: colour("line") })),
    ],
  }) as SVGElement & { value?: Point };
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", `${beats.length} choices that nothing beats, of ${points.length}, by latency and ${measure.label}; the table below has the fastest`);
  return drawing;
}

/** Returns the rows of a choice for a table in a file. */
export const HEADS = [
  "alg", "machine", "schedule", "link_bits", "signature_bytes", "sign_us", "wire_us", "verify_us", "total_us",
  "lower_bound_us", "signer_memory_bytes", "signatures", "within_budget", "pareto", "best", "why_not",
];
export const cells = (point: Point): (string | number | boolean | null)[] => [
  point.alg, point.machine, point.schedule, point.link_bits, point.signature_bytes, tail(point.sign_us),
  tail(point.wire_us), tail(point.verify_us), total(point), point.lower_bound_us, point.signer_memory_bytes,
  point.signatures, point.within_budget, point.pareto, point.best, point.why_not,
];

export const find = (points: Point[], name: string): Point | undefined => points.find((point) => nameOf(point) === name);
