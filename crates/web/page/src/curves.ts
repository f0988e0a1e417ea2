// Latency and efficiency over links and over units: the search again at each stop, one after the
// other, so that a slider never waits for more than one of them.
import * as Plot from "@observablehq/plot";
import type { Client } from "./client";
import { type Point, type Report, total } from "./point";
import { type State, study } from "./state";
import { rate, short, time } from "./words";

/** What is drawn against what. */
export const CURVES: Record<string, { title: string; over: "link" | "units"; up: "latency" | "eta" }> = {
  link: { title: "latency by link", over: "link", up: "latency" },
  units: { title: "latency by units", over: "units", up: "latency" },
  eta: { title: "efficiency by link: lower bound over latency", over: "link", up: "eta" },
  "eta-units": { title: "efficiency by units", over: "units", up: "eta" },
};

const LINKS = [1e7, 3e7, 1e8, 3e8, 1e9, 3e9, 1e10, 3e10, 1e11];
const UNITS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** The best of a set at a stop. */
export interface Place {
  alg: string;
  at: number;
  latency: number;
  eta: number | null;
}

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Returns for each set the least latency, and the highest efficiency. */
function best(points: Point[], at: number): Place[] {
  const places = new Map<string, Place>();
  for (const point of points) {
    const place = places.get(point.alg) ?? { alg: point.alg, at, latency: Infinity, eta: null };
    place.latency = Math.min(place.latency, total(point));
    if (point.eta_stream !== null) place.eta = Math.max(place.eta ?? 0, point.eta_stream);
    places.set(point.alg, place);
  }
  return [...places.values()];
}

/** Returns the state at a stop: over units, the machine is one of units. */
function moved(state: State, over: string, at: number): State {
  if (over === "link") return { ...state, link: at };
  return { ...state, machine: "units", units: at };
}

export class Curves {
  private number = 0;
  private key = "";
  places: Place[] = [];

  constructor(private readonly client: Client, private readonly sets: string[]) {}

  /** Works out a curve, and calls `draw` when it is whole; a later call ends an earlier one. */
  async ask(state: State, wanted: (point: Point) => boolean, draw: () => void): Promise<void> {
    const curve = CURVES[state.up];
    if (curve === undefined) return;
    const key = JSON.stringify([curve.over, study(moved(state, curve.over, 1), this.sets), state.families]);
    if (key === this.key) {
      draw();
      return;
    }
    const number = ++this.number;
    const places: Place[] = [];
    for (const at of curve.over === "link" ? LINKS : UNITS) {
      const report = await this.client.ask<Report>({ explore: study(moved(state, curve.over, at), this.sets) });
      if (number !== this.number) return;
      places.push(...best(report.rows.filter(wanted), at));
    }
    [this.places, this.key] = [places, key];
    draw();
  }

  /** Returns the drawing, and below it which colour is which set. */
  drawn(state: State, width: number): Element[] {
    const curve = CURVES[state.up] ?? CURVES["link"]!;
    const up = (place: Place) => (curve.up === "eta" ? place.eta : place.latency);
    const shown = this.places.filter((place) => up(place) !== null);
    const now = curve.over === "link" ? state.link : state.units;
    const last = Math.max(...shown.map((place) => place.at));
    const ends = shown.filter((place) => place.at === last).sort((a, b) => (up(a) ?? 0) - (up(b) ?? 0));
    const head = curve.up === "eta" ? "↑ lower bound over latency" : "↑ time, the least of each set";
    const title = (place: Place) => `${short(place.alg)}\n${curve.over === "link" ? rate(place.at) : `${place.at} units`}\n${curve.up === "eta" ? `efficiency ${place.eta}` : time(place.latency)}`;
    const drawing = Plot.plot({
      width, height: 340, marginLeft: 58, marginRight: 20, marginBottom: 40, marginTop: 30,
      style: { background: "transparent", fontSize: "13px", color: colour("ink") },
      x: { type: "log", label: curve.over === "link" ? "bit/s of the link →" : "hash units on each side →", grid: true, ticks: Math.max(3, width / 130), tickFormat: (at: number) => (curve.over === "link" ? rate(at) : String(at)) },
      y: curve.up === "eta" ? { domain: [0, 1], label: head, grid: true } : { type: "log", label: head, grid: true, ticks: 5, tickFormat: (us: number) => time(us) },
      color: { type: "categorical", scheme: "observable10" },
      marks: [
        ...(curve.up === "latency" ? [Plot.ruleY([state.budget], { stroke: colour("limit"), strokeWidth: 2 })] : []),
        Plot.ruleX([now], { stroke: colour("soft"), strokeDasharray: "3,3" }),
        Plot.line(shown, { x: "at", y: up, z: "alg", stroke: "alg", strokeWidth: 1.6 }),
        Plot.dot(shown, { x: "at", y: up, fill: "alg", r: 2.5 }),
        Plot.tip(shown, Plot.pointer({ x: "at", y: up, title, fill: colour("paper"), stroke: colour("line") })),
      ],
    }) as SVGElement & { scale(name: string): { apply(alg: string): string } };
    const key = Object.assign(document.createElement("ul"), { className: "key" });
    for (const { alg } of ends) {
      const line = Object.assign(document.createElement("li"), { textContent: short(alg) });
      line.style.setProperty("--of", drawing.scale("color").apply(alg));
      key.append(line);
    }
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", `${curve.title}: ${ends.map((place) => `${short(place.alg)} ends at ${curve.up === "eta" ? place.eta : time(place.latency)}`).join(", ")}`);
    return [drawing, key];
  }
}
