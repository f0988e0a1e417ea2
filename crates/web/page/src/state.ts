// What the page is set to. The URL's hash holds it, so that a link shows what its sender saw.

export interface State {
  view: string;
  budget: number;
  link: number;
  message: number;
  machine: string;
  units: number;
  clock: number;
  period: number;
  commit: number;
  commitOnPath: boolean;
  rested: boolean;
  families: string[];
  /** Names of sets; none where the families say which. */
  sets: string[];
  delivery: string[];
  /** Messages a second; 0 where that does not matter. */
  rate: number;
  burst: number;
  /** Propagation on the link, in microseconds. */
  propagation: number;
  /** True if payload alone is counted, without Ethernet frames. */
  bare: boolean;
  signer: string[];
  verifier: string[];
  up: string;
  chosen: string;
  op: string;
  alg: string;
  level: string;
  story: string;
  witness: boolean;
}

export const FAMILIES = ["xmss-sha2", "xmss-shake", "lms", "stateless"] as const;
/** Levels and ways of delivery, and those that a search takes where none is named. */
export const SIGNER = ["none", "early-auth", "secrets", "masks", "chain-table"];
export const VERIFIER = ["none", "masks", "node-cache", "ots-key"];
export const DELIVERY = ["sequential", "streaming", "pre-send", "ots-key"];
const USUAL_SIGNER = ["early-auth", "masks", "chain-table"];
const USUAL_VERIFIER = ["none", "masks", "ots-key"];

export const START: State = {
  view: "budget",
  budget: 100,
  link: 1e9,
  message: 64,
  machine: "cpu",
  units: 8,
  clock: 100,
  period: 10,
  commit: 4000,
  commitOnPath: false,
  rested: false,
  families: [...FAMILIES],
  sets: [],
  delivery: DELIVERY,
  rate: 0,
  burst: 1,
  propagation: 0,
  bare: false,
  signer: USUAL_SIGNER,
  verifier: USUAL_VERIFIER,
  up: "bytes",
  chosen: "",
  op: "verify",
  alg: "XMSS-SHA2_10_256",
  level: "none",
  story: "",
  witness: false,
};

/** Returns the hash: what differs from the start. */
export function written(state: State): string {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) {
    const start = START[key as keyof State];
    if (String(value) !== String(start)) words.set(key, String(value));
  }
  return words.toString();
}

/** Returns the state that a hash says; what it leaves open, and what makes no sense, is the start. */
export function read(hash: string): State {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const state: Record<string, unknown> = { ...START };
  for (const [key, text] of words) {
    const start = START[key as keyof State];
    if (typeof start === "number") {
      const number = Number(text);
      if (Number.isFinite(number) && number >= 0 && text !== "") state[key] = number;
    } else if (typeof start === "boolean") state[key] = text === "true";
    else if (Array.isArray(start)) state[key] = text === "" ? [] : text.split(",");
    else if (typeof start === "string") state[key] = text;
  }
  return state as unknown as State;
}

/** Returns the names of the machines, as the tool takes them. */
function machinesOf(state: State): string[] {
  const [cores, units] = [`rtl@${state.period}ns`, `${state.units}@${state.clock}ns`];
  if (state.machine === "units") return [units];
  if (state.machine === "engine") return [cores];
  if (state.machine === "all") return ["cpu", "rtl", cores, `1..256@${state.clock}ns`];
  return state.machine.split(",");
}

function setsOf(state: State, all: string[]): string[] {
  if (state.sets.length > 0) return state.sets;
  const families: Record<string, (name: string) => boolean> = {
    "xmss-sha2": (name) => name.startsWith("XMSS-SHA2"),
    "xmss-shake": (name) => name.startsWith("XMSS-SHAKE"),
    lms: (name) => name.startsWith("LMS"),
  };
  return all.filter((name) => state.families.some((family) => families[family]?.(name)));
}

const micros = (us: number): string => `${Number(us.toPrecision(6))}us`;

/** Returns the study that a state asks for, as a file of `hasten explore --config` has it. */
export function study(state: State, all: string[]): object {
  const sets = setsOf(state, all);
  const some = (given: string[], usual: string[]) => (String(given) === String(usual) ? [] : given);
  const other = (key: "rate" | "burst") => (state[key] === START[key] ? null : state[key]);
  return {
    workload: {
      alg: some(sets, all),
      message: state.message,
      budget: micros(state.budget),
      commit: state.commit === START.commit ? null : micros(state.commit),
      rate: other("rate"),
      burst: other("burst"),
    },
    machines: machinesOf(state),
    links: {
      rates: [`${state.link / 1e6}Mbit`],
      propagation: state.propagation === 0 ? null : micros(state.propagation),
      bare: state.bare,
    },
    schedules: {
      signer: some(state.signer, USUAL_SIGNER),
      verifier: some(state.verifier, USUAL_VERIFIER),
      delivery: some(state.delivery, DELIVERY),
      commit_on_path: state.commitOnPath,
      rested: state.rested,
    },
  };
}
