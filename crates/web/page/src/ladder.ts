// The ladder as an animation: what is done before the message, and what is left for after it.
import type { Client } from "./client";
import type { State } from "./state";
import { short, time } from "./words";

interface Rung {
  level: string;
  before: number;
  after: number;
  path: number;
  before_us: number;
  after_us: number | null;
}
interface Told {
  alg: string;
  message: number;
  machine: string;
  signer: Rung[];
  verifier: Rung[];
  wire_us: number;
  wire_ahead_us: number;
}

/** The pairs of levels, those of docs/ladder.md. */
const PAIRS = [
  ["none", "none"], ["early-auth", "none"], ["secrets", "masks"], ["masks", "masks"],
  ["chain-table", "node-cache"], ["chain-table", "ots-key"],
] as const;

/** Real time of an animation of one pair, and how long it stands at the end, in milliseconds. */
const RUN = 3500;
const STAND = 1500;

const made = <K extends keyof HTMLElementTagNameMap>(name: K, given: object = {}): HTMLElementTagNameMap[K] =>
  Object.assign(document.createElement(name), given);

export class Ladder {
  readonly place = made("div", { id: "ladder" });
  private readonly play = made("button", { type: "button", id: "ladder-play" });
  private readonly pick = made("select", { id: "ladder-pair" });
  private readonly words = made("p", { id: "ladder-words" });
  private readonly lanes = made("div", { className: "lanes" });
  private readonly calm = matchMedia("(prefers-reduced-motion: reduce)");
  private told: Told | undefined;
  private key = "";
  private pair = 0;
  /** How much of the pair has been shown: 1 is all. */
  private share = 1;
  private running = false;
  private last = 0;

  constructor(private readonly client: Client) {
    this.pick.append(...PAIRS.map(([signer, verifier], at) => new Option(`${signer} + ${verifier}`, String(at))));
    this.pick.addEventListener("change", () => this.go(Number(this.pick.value)));
    this.play.addEventListener("click", () => this.run(!this.running));
    const label = made("label", { textContent: "Signer + verifier " });
    label.append(this.pick);
    const [back, on] = [made("button", { type: "button", textContent: "Level below", id: "ladder-back" }), made("button", { type: "button", textContent: "Level above", id: "ladder-on" })];
    back.addEventListener("click", () => this.go(this.pair - 1));
    on.addEventListener("click", () => this.go(this.pair + 1));
    const row = made("div", { className: "row" });
    row.append(this.play, label, back, on);
    this.words.setAttribute("role", "status");
    this.place.append(made("h2", { textContent: "The ladder: before the message, and after it" }), row, this.words, this.lanes);
    this.run(false);
  }

  async show(state: State): Promise<void> {
    const key = `${state.alg} ${state.link}`;
    if (key === this.key) return;
    this.key = key;
    try {
      const told = await this.client.ask<Told>({ ladder: { alg: state.alg, link: state.link } });
      if (key !== this.key) return;
      this.told = told;
      this.draw();
    } catch (error) {
      this.words.textContent = `This set has no ladder: ${(error as Error).message}`;
      this.lanes.replaceChildren();
    }
  }

  /** Begins or pauses. Nothing moves by itself. */
  private run(on: boolean): void {
    this.running = on;
    this.play.textContent = on ? "Pause" : "Play";
    this.play.setAttribute("aria-pressed", String(on));
    if (!on) return;
    if (this.share >= 1) [this.share, this.pair] = [0, (this.pair + 1) % PAIRS.length];
    this.last = performance.now();
    requestAnimationFrame((now) => this.step(now));
  }

  private go(pair: number): void {
    this.pair = Math.min(PAIRS.length - 1, Math.max(0, pair));
    this.share = this.running ? 0 : 1;
    this.draw();
  }

  /** Goes on; who asked for less motion sees whole pairs, one after the other. */
  private step(now: number): void {
    if (!this.running) return;
    this.share += (now - this.last) / RUN;
    this.last = now;
    if (this.share > 1 + STAND / RUN) [this.share, this.pair] = [0, (this.pair + 1) % PAIRS.length];
    this.draw();
    requestAnimationFrame((next) => this.step(next));
  }

  private draw(): void {
    const { told } = this;
    if (told === undefined) return;
    const [signer, verifier] = PAIRS[this.pair] ?? PAIRS[0];
    const sign = told.signer.find((rung) => rung.level === signer);
    const verify = told.verifier.find((rung) => rung.level === verifier);
    this.pick.value = String(this.pair);
    if (sign === undefined || verify === undefined) return;
    // Where the set was not measured, compressions stand for time.
    const us = (rung: Rung) => rung.after_us ?? (rung.before > 0 ? (rung.after * rung.before_us) / rung.before : rung.after / 30);
    const wire = verifier === "ots-key" ? told.wire_ahead_us : told.wire_us;
    const after = us(sign) + wire + us(verify);
    const before = Math.max(sign.before_us, verify.before_us);
    this.words.textContent = `${short(told.alg)}, ${signer} + ${verifier}: ${time(after)} after the message on the calibrated processor, as the median. The signer has done ${sign.before.toLocaleString("en")} compressions before it and has ${sign.after.toLocaleString("en")} left, ${sign.path} of them one after the other. The verifier has done ${verify.before.toLocaleString("en")} and has ${verify.after.toLocaleString("en")} left, ${verify.path} one after the other.`;
    this.lanes.replaceChildren(...this.bars(told, { sign, verify, wire, after, before, us }));
    const { dataset } = document.documentElement;
    [dataset["ladder"], dataset["share"]] = [`${signer} + ${verifier}`, this.share.toFixed(2)];
  }

  private bars(told: Told, of: { sign: Rung; verify: Rung; wire: number; after: number; before: number; us: (rung: Rung) => number }): HTMLElement[] {
    const { sign, verify, wire, before, after, us } = of;
    // One scale for all pairs, so that they can be compared.
    const all = [...told.signer, ...told.verifier];
    const [most, longest] = [Math.max(...all.map((rung) => rung.before_us)), Math.max(...told.signer.map(us)) + told.wire_us + Math.max(...told.verifier.map(us))];
    const whole = most + longest;
    const reached = this.calm.matches ? longest : Math.min(1, this.share) * (before + after) - before;
    const bar = (kind: string, from: number, to: number, label: string) => {
      const end = Math.min(to, reached);
      const piece = made("div", { className: `bar ${kind}`, title: label });
      piece.style.left = `${(100 * (from + most)) / whole}%`;
      piece.style.width = `${(100 * Math.max(0, end - from)) / whole}%`;
      return piece;
    };
    const lane = (title: string, pieces: HTMLElement[], label: string) => {
      const place = made("div", { className: "lane" });
      const track = made("div", { className: "track" });
      const line = made("div", { className: "message" });
      line.style.left = `${(100 * most) / whole}%`;
      track.append(...pieces, line);
      place.append(made("span", { className: "name", textContent: title }), track, made("span", { className: "says", textContent: label }));
      return place;
    };
    const [signed, arrived] = [us(sign), us(sign) + wire];
    const says = (rung: Rung) => `${rung.before > 0 ? time(rung.before_us) : "nothing"} before, ${time(us(rung))} after`;
    return [
      lane("signer", [bar("signer early", -sign.before_us, 0, "before the message"), bar("signer", 0, signed, "after it")], says(sign)),
      lane("wire", [bar("wire", signed, arrived, "the signature on the link")], `${time(wire)} after`),
      lane("verifier", [bar("verifier early", -verify.before_us, 0, "before the message"), bar("verifier", arrived, after, "after it")], says(verify)),
    ];
  }
}
