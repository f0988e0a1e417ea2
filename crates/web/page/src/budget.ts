// The budget: the answer in words, the timeline, the front, and a table of the fastest.
import type { Client } from "./client";
import { CURVES, Curves } from "./curves";
import * as draw from "./draw";
import { type Point, type Report, answerOf, fastest, levels, nameOf, tail, total } from "./point";
import * as save from "./save";
import { type State, study } from "./state";
import { account, bytes, cannot, contrast, names, rate, reason, sentence, short, time } from "./words";

const by = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
/** Heads of columns that hold words. */
const WORDS = ["set", "machine", "levels and delivery"];
const STATELESS = /^(Ed25519|ECDSA|ML-DSA|Falcon|SLH-DSA|RSA)/;

export class Budget {
  private points: Point[] = [];
  private command = "";
  private asked = 0;
  private busy = false;
  private waiting: State | undefined;
  private readonly curves: Curves;
  private spans = new Map<string, draw.Spans>();
  private bare = new Map<string, Point | undefined>();

  constructor(
    private readonly client: Client,
    private readonly sets: string[],
    private readonly choose: (name: string) => void,
    private state: State,
  ) {
    this.curves = new Curves(client, sets);
    by("save-svg").addEventListener("click", () => this.saveDrawings());
    by("save-csv").addEventListener("click", () =>
      (this.state.up in CURVES
        ? save.csv(`hasten-${this.state.up}`, [["alg", "at", "latency_us", "eta"], ...this.curves.places.map((place) => [place.alg, place.at, place.latency, place.eta])])
        : save.csv("hasten-choices", [draw.HEADS, ...this.points.map(draw.cells)])));
    by("names").replaceChildren(...names().flatMap(([title, entries]) => [
      Object.assign(document.createElement("h3"), { textContent: title }), meanings(entries)]));
    by("front").addEventListener("click", () => {
      const drawing = by("front").querySelector("svg") as (SVGElement & { value?: Point }) | null;
      if (drawing?.value) this.choose(nameOf(drawing.value));
    });
  }

  /** Asks for a state's answer; of several that come while one is worked out, the last. */
  async ask(state: State): Promise<void> {
    this.state = state;
    if (this.busy) {
      this.waiting = state;
      return;
    }
    this.busy = true;
    const number = ++this.asked;
    try {
      const sets = study(state, this.sets) as { workload: { alg: string[] } };
      const begun = performance.now();
      const report = await this.client.ask<Report>({ explore: sets });
      document.documentElement.dataset["answered"] = String(Math.round(performance.now() - begun));
      this.points = report.rows.filter(wanted(state));
      this.spans.clear();
      this.bare.clear();
      this.command = report.command;
      this.show(state);
    } catch (error) {
      by("answer").textContent = `This cannot be worked out: ${(error as Error).message}`;
    }
    this.busy = false;
    document.documentElement.dataset["shown"] = String(number);
    const next = this.waiting;
    this.waiting = undefined;
    if (next) await this.ask(next);
  }

  /** Shows what was worked out last, for this state. */
  show(state: State): void {
    this.state = state;
    const best = answerOf(this.points);
    const chosen = draw.find(this.points, state.chosen) ?? best;
    by("command").textContent = `${this.command} --json`;
    const curves = state.up in CURVES;
    by("count").textContent = `${this.points.length.toLocaleString("en")} choices${curves ? ", the best of each set at each stop" : ""}`;
    by("legend").hidden = curves;
    if (chosen === undefined) {
      by("answer").textContent = "Nothing was chosen to search: take a family.";
      for (const id of ["account", "timeline", "contrast", "others", "bare", "front"]) by(id).replaceChildren();
      this.table(undefined);
      return;
    }
    const over = best === chosen && !chosen.within_budget;
    by("answer").textContent = over
      ? `Nothing is within ${time(state.budget)} at ${rate(state.link)}. The nearest: ${sentence(chosen)}`
      : sentence(chosen);
    by("answer").classList.toggle("over", !chosen.within_budget);
    by("account").replaceChildren(...account(chosen, state.budget).map((line) =>
      Object.assign(document.createElement("p"), { textContent: line })));
    const width = Math.min(1500, by("timeline").clientWidth || 900);
    void this.timeline(chosen, state, width);
    this.front(chosen, state, width);
    this.table(chosen);
  }

  /** Draws the parts as they lie; those of a measured machine follow each other. */
  private async timeline(chosen: Point, state: State, width: number): Promise<void> {
    const name = nameOf(chosen);
    let spans = this.spans.get(name);
    if (spans === undefined) {
      const { alg, machine, schedule } = chosen;
      const asked = { study: study(state, this.sets), alg, machine, schedule };
      const said = chosen.lower_bound_us === null ? { spans: null } : await this.client.ask<{ spans: draw.Spans | null }>({ spans: asked });
      if (this.state !== state || this.busy) return;
      spans = said.spans ?? draw.inTurn(chosen);
      this.spans.set(name, spans);
    }
    const bare = await this.unprepared(chosen, state);
    if (this.state !== state || this.busy) return;
    by("timeline").replaceChildren(draw.timeline(spans, state.budget, width, bare && total(bare)));
    by("contrast").textContent = bare ? contrast(bare, chosen, state.budget) : "";
    const other = this.points.find((point) => point.alg === "Ed25519");
    const most = "Ed25519 and ML-DSA cannot be prepared in this way: nearly all of their work needs the message.";
    by("others").textContent = levels(chosen) === null ? "" : most + (other ? cannot(other, state.budget) : "");
    by("bare").replaceChildren(...(bare ? [draw.timeline(draw.inTurn(bare), state.budget, width, total(bare))] : []));
    document.documentElement.dataset["lies"] = JSON.stringify(spans);
  }

  /** Returns a choice's set on its machine with as little prepared as it was recorded with; none where nothing can be. */
  private async unprepared(chosen: Point, state: State): Promise<Point | undefined> {
    if (levels(chosen) === null || chosen.lower_bound_us === null) return undefined;
    const { alg, machine } = chosen;
    const key = `${alg} | ${machine}`;
    if (!this.bare.has(key)) {
      const least = { ...state, sets: [alg], signer: [machine.startsWith("cpu") ? "none" : "early-auth"], verifier: ["none"], delivery: ["sequential"] };
      const { rows } = await this.client.ask<Report>({ explore: study(least, this.sets) });
      this.bare.set(key, rows.find((row) => row.alg === alg && row.machine === machine));
    }
    const found = this.bare.get(key);
    return found && total(found) > total(chosen) ? found : undefined;
  }

  private front(chosen: Point, state: State, width: number): void {
    if (!(state.up in CURVES)) {
      by("front").replaceChildren(draw.front(this.points, chosen, state.budget, state.up, width));
      return;
    }
    const drawn = () => {
      if (this.state.up !== state.up) return;
      by("front").replaceChildren(...this.curves.drawn(this.state, width));
      document.documentElement.dataset["curve"] = state.up;
    };
    void this.curves.ask(state, wanted(state), drawn).catch(() => by("front").replaceChildren());
  }

  private table(chosen: Point | undefined): void {
    const heads = ["set", ...(this.several() ? ["machine"] : []), "levels and delivery", "bytes", "sign", "wire", "verify", "total", "signer holds"];
    const head = document.createElement("tr");
    head.append(...heads.map((text) => {
      const cell = Object.assign(document.createElement("th"), { textContent: text, scope: "col" });
      cell.className = kind(text);
      return cell;
    }));
    document.querySelector("#table thead")?.replaceChildren(head);
    const rows = fastest(this.points).map((point) => this.line(point, chosen, heads.slice(1)));
    document.querySelector("#table tbody")?.replaceChildren(...rows);
  }

  /** Returns true if the choices are of more than one machine. */
  private several(): boolean {
    return new Set(this.points.map((point) => point.machine)).size > 1;
  }

  private line(point: Point, chosen: Point | undefined, heads: string[]): HTMLElement {
    const row = document.createElement("tr");
    if (chosen !== undefined && nameOf(point) === nameOf(chosen)) row.className = "chosen";
    const name = Object.assign(document.createElement("button"), { type: "button", });
    // A narrow screen may end a line after a low line.
    name.append(...short(point.alg).split(/(?<=_)/).flatMap((part) => [part, document.createElement("wbr")]));
    name.addEventListener("click", () => this.choose(nameOf(point)));
    row.insertCell().append(name);
    const times = [point.sign_us, point.wire_us, point.verify_us].map((each) => time(tail(each)));
    const machine = this.several() ? [point.machine] : [];
    const texts = [
      ...machine, point.schedule, point.signature_bytes.toLocaleString("en"), ...times, time(total(point)),
      point.signer_memory_bytes > 0 ? bytes(point.signer_memory_bytes) : "",
    ];
    texts.forEach((text, at) => {
      const cell = row.insertCell();
      cell.textContent = text;
      cell.className = kind(heads[at] ?? "");
      cell.dataset["head"] = heads[at] ?? "";
      if (heads[at] === "levels and delivery" && !point.within_budget) {
        cell.append(Object.assign(document.createElement("small"), { textContent: reason(point) }));
      }
    });
    return row;
  }

  private saveDrawings(): void {
    for (const name of ["timeline", "front"]) {
      const drawing = by(name).querySelector("svg");
      if (drawing) save.svg(`hasten-${name}`, drawing);
    }
  }

  /** Draws again: the colours or the width have changed. */
  again(): void {
    if (this.points.length > 0) this.show(this.state);
  }
}

/** Returns the class of a column. */
const kind = (head: string): string => (WORDS.includes(head) ? "w" : "");

/** Returns a list of names and their meanings. */
function meanings(entries: [string, string][]): HTMLElement {
  const list = document.createElement("dl");
  list.append(...entries.flatMap(([name, meaning]) => [
    Object.assign(document.createElement("dt"), { textContent: name }), Object.assign(document.createElement("dd"), { textContent: meaning })]));
  return list;
}

/** Returns which choices a state's families take. */
function wanted(state: State): (point: Point) => boolean {
  const others = state.families.includes("stateless");
  const trees = state.sets.length > 0 || state.families.length > (others ? 1 : 0);
  return (point) => (STATELESS.test(point.alg) ? others : trees);
}
