// A choice, as `hasten explore --json` has it.

export interface Time {
  min: number;
  p50: number;
  p99: number;
  p999?: number;
  max: number;
}

export interface Point {
  scheme: string;
  alg: string;
  machine: string;
  link_bits: number;
  schedule: string;
  signature_bytes: number;
  sign_us: Time;
  wire_us: Time;
  verify_us: Time;
  total_us: Time;
  lower_bound_us: number | null;
  eta_stream: number | null;
  signer_memory_bytes: number;
  signatures: number | null;
  area_kge: number | null;
  within_budget: boolean;
  why_not: string | null;
  pareto: boolean;
  best: boolean;
}

export interface Report {
  command: string;
  rows: Point[];
}

/** Returns what a budget has to allow. */
export const tail = (time: Time): number => time.p999 ?? time.p99;

export const total = (point: Point): number => tail(point.total_us);

/** Tells one choice from another. */
export const nameOf = (point: Point): string => `${point.alg} | ${point.machine} | ${point.schedule}`;

/** Returns the levels of both sides and the way of delivery; none where nothing is prepared. */
export function levels(point: Point): { signer: string; verifier: string; delivery: string } | null {
  const found = /^(\S+) \+ (\S+), ([a-z-]+)/.exec(point.schedule);
  if (found === null) return null;
  return { signer: found[1] ?? "", verifier: found[2] ?? "", delivery: found[3] ?? "" };
}

/** Returns true if signing, sending and verifying follow each other. */
export function isInTurn(point: Point): boolean {
  const sum = tail(point.sign_us) + tail(point.wire_us) + tail(point.verify_us);
  return Math.abs(sum - total(point)) < 0.01 + 0.001 * sum;
}

/** Returns the fastest choice of each algorithm, the fastest first. */
export function fastest(points: Point[]): Point[] {
  const best = new Map<string, Point>();
  for (const point of points) {
    const known = best.get(point.alg);
    if (known === undefined || total(point) < total(known)) best.set(point.alg, point);
  }
  return [...best.values()].sort((a, b) => total(a) - total(b));
}

/** Returns the choice that answers: the best, or the nearest where none is within the budget. */
export const answerOf = (points: Point[]): Point | undefined =>
  points.find((point) => point.best) ?? fastest(points)[0];
