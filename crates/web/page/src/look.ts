// One operation: which functions run in each step on so many units, and its longest way.
import * as Plot from "@observablehq/plot";
import { type Call, Calls } from "./calls";
import type { Client } from "./client";
import { Ladder } from "./ladder";
import type { State } from "./state";
import { short } from "./words";

interface Shown {
  work: number;
  critical_path: number;
  steps: number;
  phases: { function: string; widths: number[] }[];
  path: [string, number][];
}

type Change = (change: Partial<State>) => void;

const LEVELS: Record<string, string[]> = {
  sign: ["none", "early-auth", "secrets", "masks", "chain-table"],
  verify: ["none", "masks", "node-cache", "ots-key"],
};
const UNITS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export class Look {
  private readonly place = document.getElementById("look") as HTMLElement;
  private readonly alg = this.select("alg", "Set");
  private readonly op = this.select("op", "Operation");
  private readonly level = this.select("level", "Prepared");
  private readonly units = this.select("units", "Units");
  private readonly words = document.createElement("p");
  private readonly figure = document.createElement("figure");
  private readonly zoom = Object.assign(document.createElement("div"), { className: "row" });
  private readonly calls = new Calls();
  private readonly ladder: Ladder;
  private number = 0;
  private shown: Shown | undefined;
  /** The steps that are drawn. */
  private from = 0;
  private to = 0;

  constructor(private readonly client: Client, sets: string[], private readonly change: Change) {
    const lead = Object.assign(document.createElement("p"), {
      className: "lead",
      textContent: "Every compression of one operation, recorded from the code that runs: a band for each function, the steps from left to right on so many units, and in red the longest way through, which no number of units shortens.",
    });
    this.alg.append(...sets.map((name) => new Option(short(name), name)));
    this.op.append(new Option("sign"), new Option("verify"));
    this.units.append(...UNITS.map((count) => new Option(String(count))));
    const row = document.createElement("div");
    row.className = "row";
    row.append(...[this.alg, this.op, this.level, this.units].map((field) => field.parentElement as HTMLElement));
    this.words.setAttribute("role", "status");
    this.words.id = "looked";
    this.figure.id = "phases";
    this.figure.tabIndex = 0;
    this.figure.setAttribute("aria-label", "Schedule: plus and minus zoom, arrows move, 0 shows all");
    const moves: [string, string, string][] = [["in", "Zoom in", "+"], ["out", "Zoom out", "-"], ["left", "Earlier", "ArrowLeft"], ["right", "Later", "ArrowRight"], ["all", "All", "0"]];
    for (const [name, text, key] of moves) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: text, id: `zoom-${name}` });
      button.addEventListener("click", () => this.move(key));
      this.zoom.append(button);
    }
    this.figure.addEventListener("keydown", (event) => {
      if (this.move(event.key === "=" ? "+" : event.key)) event.preventDefault();
    });
    this.figure.addEventListener("dblclick", () => this.move("+"));
    this.ladder = new Ladder(client);
    const head = Object.assign(document.createElement("h2"), { textContent: "Step by step" });
    this.place.append(lead, row, this.words, head, this.zoom, this.figure, this.calls.place, this.ladder.place);
  }

  /** Shows more or fewer steps, or others; says if the key is one that does. */
  private move(key: string): boolean {
    if (this.shown === undefined) return false;
    const { steps } = this.shown;
    const [middle, half] = [(this.from + this.to) / 2, (this.to - this.from) / 2];
    const within = (from: number, long: number) => {
      const size = Math.min(steps, Math.max(4, long));
      this.from = Math.max(0, Math.min(steps - size, from));
      this.to = this.from + size;
    };
    if (key === "+") within(middle - half / 2, half);
    else if (key === "-") within(middle - half * 2, half * 4);
    else if (key === "ArrowLeft") within(this.from - half / 2, half * 2);
    else if (key === "ArrowRight") within(this.from + half / 2, half * 2);
    else if (key === "0") within(0, steps);
    else return false;
    this.figure.replaceChildren(this.drawn(this.shown));
    return true;
  }

  private select(key: "alg" | "op" | "level" | "units", title: string): HTMLSelectElement {
    const field = Object.assign(document.createElement("label"), { textContent: `${title} ` });
    const input = Object.assign(document.createElement("select"), { id: `look-${key}` });
    field.append(input);
    input.addEventListener("change", () => {
      if (key === "units") this.change({ units: Number(input.value) });
      else if (key === "op") this.change({ op: input.value, level: LEVELS[input.value]?.[0] ?? "none" });
      else this.change({ [key]: input.value });
    });
    return input;
  }

  async show(state: State): Promise<void> {
    const levels = LEVELS[state.op] ?? [];
    this.level.replaceChildren(...levels.map((name) => new Option(name)));
    const level = levels.includes(state.level) ? state.level : (levels[0] ?? "none");
    const nearest = UNITS.reduce((best, count) => (Math.abs(count - state.units) < Math.abs(best - state.units) ? count : best), 1);
    [this.alg.value, this.op.value, this.level.value, this.units.value] = [state.alg, state.op, level, String(nearest)];
    const number = ++this.number;
    try {
      const { alg, op, message } = state;
      const shown = await this.client.ask<Shown>({ operation: { alg, op, level, message, units: nearest } });
      if (number !== this.number) return;
      this.words.textContent = `${short(alg)}, ${op}, ${level} prepared: ${shown.work.toLocaleString("en")} compressions in ${shown.steps.toLocaleString("en")} steps on ${nearest} units. ${shown.critical_path} follow each other on any number of units.`;
      [this.shown, this.from, this.to] = [shown, 0, shown.steps];
      this.figure.replaceChildren(this.drawn(shown));
      const asked = { alg, op, level, message, units: nearest };
      const { calls } = await this.client.ask<{ calls: Call[] }>({ calls: asked });
      if (number !== this.number) return;
      this.calls.show(calls, Math.min(960, this.place.clientWidth || 900));
      await this.ladder.show(state);
    } catch (error) {
      this.words.textContent = `This cannot be shown: ${(error as Error).message}`;
      this.figure.replaceChildren();
      this.shown = undefined;
    }
    if (number === this.number) document.documentElement.dataset["looked"] = String(number);
  }

  private drawn(shown: Shown): SVGElement {
    const width = Math.min(960, this.place.clientWidth || 900);
    const names = shown.phases.map((phase) => phase.function);
    const each = Math.max(1, Math.ceil((this.to - this.from) / width));
    const cells = shown.phases.flatMap((phase) => {
      const most = Math.max(...phase.widths);
      const sums: { function: string; from: number; to: number; share: number; count: number }[] = [];
      for (let from = 0; from < phase.widths.length; from += each) {
        const part = phase.widths.slice(from, from + each);
        const count = Math.max(...part);
        if (count > 0 && from + part.length > this.from && from < this.to) sums.push({ function: phase.function, from, to: from + part.length, share: count / most, count });
      }
      return sums;
    });
    const path = shown.path.map(([name, step]) => ({ function: name, step: step - 0.5 }))
      .filter(({ step }) => step >= this.from && step <= this.to);
    const drawing = Plot.plot({
      width,
      height: 60 + 46 * names.length,
      marginLeft: 96,
      marginRight: 16,
      marginBottom: 38,
      style: { background: "transparent", fontSize: "13px", color: colour("ink") },
      x: { domain: [this.from, this.to], clamp: true, label: "steps, one compression each →", grid: true },
      y: { domain: names, label: null, padding: 0.2 },
      opacity: { domain: [0, 1], range: [0.15, 1] },
      marks: [
        Plot.rect(cells, { x1: "from", x2: "to", y: "function", fill: colour("signer"), fillOpacity: (cell: { share: number }) => 0.2 + 0.8 * cell.share, title: (cell: { count: number; function: string; from: number }) => `${cell.function}, step ${cell.from + 1}: ${cell.count} at once` }),
        Plot.line(path, { x: "step", y: "function", stroke: colour("limit"), strokeWidth: 1.6 }),
      ],
    }) as SVGElement;
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", `Schedule: ${shown.phases.map((phase) => `${phase.function} up to ${Math.max(...phase.widths)} at once`).join(", ")}`);
    return drawing;
  }
}
