// The store's playground: acts, what came of each, and what the disks hold.
import type { Client } from "./client";
import type { State } from "./state";

interface Disk {
  files: [string, number][];
  records: [number, string, number, number, number][] | string;
  status: { next: number; used: number; lost: number; burned: number; remaining: number } | string;
}
interface Told {
  told: { what: string; words: string }[];
  disk: Disk;
  clone: Disk | null;
  backup: boolean;
  writes: [number, string][];
  signatures: number;
}

type Change = (change: Partial<State>) => void;

/** Returns the acts of a story as the URL holds it: `s`, `S` on the clone, `x3`, `b`, `r`, `k`, `v8`. */
function acts(story: string): object[] {
  const act = (word: string): object[] => {
    const number = Number(word.slice(1));
    if (word === "s" || word === "S") return [{ sign: { clone: word === "S" } }];
    if (word === "b") return [{ backup: {} }];
    if (word === "r") return [{ restore: {} }];
    if (word === "k") return [{ clone: {} }];
    if (/^x\d{1,4}$/.test(word)) return [{ crash: { at: number } }];
    if (/^v\d{1,2}$/.test(word)) return [{ recover: { burn: number } }];
    return [];
  };
  return story.split(".").flatMap(act).slice(0, 200);
}

const made = <K extends keyof HTMLElementTagNameMap>(name: K, given: object = {}): HTMLElementTagNameMap[K] =>
  Object.assign(document.createElement(name), given);

export class Story {
  private readonly place = document.getElementById("store") as HTMLElement;
  private readonly list = made("ol", { className: "told" });
  private readonly disks = made("div", { className: "two" });
  private readonly at = made("select", { id: "crash-at" });
  private readonly witness = made("input", { type: "checkbox", id: "with-witness" });
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private story = "";
  private number = 0;

  constructor(private readonly client: Client, private readonly change: Change) {
    const lead = made("p", {
      className: "lead",
      textContent: "A one-time key that signs twice is broken. The store reserves an index on the disk before it signs. Here is the store itself, on a simulated disk: make it sign twice.",
    });
    const row = made("div", { className: "row" });
    row.append(this.button("s", "Sign"));
    row.append(this.button("x", "Cut the power"), this.crash());
    row.append(this.button("b", "Copy the directory"), this.button("r", "Put the copy back"), this.button("v8", "Recover: give 8 indices up"));
    row.append(this.button("k", "Clone the machine"), this.button("S", "Sign on the clone"));
    const begin = made("button", { type: "button", textContent: "Begin again", id: "act-begin" });
    begin.addEventListener("click", () => this.change({ story: "" }));
    const label = made("label");
    label.append(this.witness, " with a witness outside the machine");
    this.witness.addEventListener("change", () => this.change({ witness: this.witness.checked }));
    const end = made("div", { className: "row" });
    end.append(begin, label);
    this.list.setAttribute("aria-live", "polite");
    this.list.setAttribute("aria-label", "What came of each act");
    const why = made("p", {
      className: "note",
      textContent: "Recovery gives up the indices that may have signed since the copy was made. Eight are enough for this story while fewer than eight signatures were made since; with a real key, name the newest signature that is known. Put back the directory alone and it is refused; the usual backup takes directory and guard together, as a clone of the machine does: only a witness outside sees that.",
    });
    this.place.append(lead, row, end, why, made("h2", { textContent: "What came of it" }), this.list, this.disks);
  }

  private crash(): HTMLElement {
    const label = made("label", { textContent: "while the next signature is made, before " });
    label.append(this.at);
    return label;
  }

  private button(word: string, text: string): HTMLButtonElement {
    const button = made("button", { type: "button", textContent: text, id: `act-${word}` });
    button.addEventListener("click", () => {
      const act = word === "x" ? `x${this.at.value}` : word;
      this.change({ story: this.story === "" ? act : `${this.story}.${act}` });
    });
    this.buttons.set(word, button);
    return button;
  }

  async show(state: State): Promise<void> {
    this.story = state.story;
    this.witness.checked = state.witness;
    const number = ++this.number;
    const told = await this.client.ask<Told>({ store: { acts: acts(state.story), witness: state.witness } });
    if (number !== this.number) return;
    const enough = acts(state.story).length >= 200;
    for (const [word, button] of this.buttons) {
      button.disabled = enough || (word === "r" && !told.backup) || (word === "S" && told.clone === null);
    }
    const kept = this.at.value;
    this.at.replaceChildren(...told.writes.map(([call, what], at) => new Option(`${at + 1}: ${what}`, String(call))));
    if (told.writes.some(([call]) => String(call) === kept)) this.at.value = kept;
    const lines = told.told.map(({ what, words }) => {
      const kind = what === "twice" ? "refused" : what;
      return made("li", { className: kind, textContent: words });
    });
    this.list.replaceChildren(...(lines.length > 0 ? lines : [made("li", { textContent: "A new key of 32 signatures lies on the disk." })]));
    const disks: [string, Disk][] = [["The disk", told.disk]];
    if (told.clone) disks.push(["The clone's disk", told.clone]);
    this.disks.replaceChildren(...disks.map(([title, disk]) => shown(title, disk)));
    document.documentElement.dataset["told"] = `${told.told.length}`;
  }
}

function shown(title: string, disk: Disk): HTMLElement {
  const place = made("div");
  place.append(made("h2", { textContent: title }));
  const { status } = disk;
  const words = typeof status === "string" ? status
    : `next index ${status.next}; ${status.used} used, ${status.lost} lost, ${status.burned} burned, ${status.remaining} left`;
  place.append(made("p", { className: "note", textContent: words }));
  const rows = typeof disk.records === "string" ? [disk.records]
    : [" seq  record       first  count  generation", ...disk.records.map(([seq, what, first, count, generation]) =>
      `${String(seq).padStart(4)}  ${what.padEnd(11)}${String(first).padStart(7)}${String(count).padStart(7)}${String(generation).padStart(12)}`)];
  const records = made("pre", { className: "records", textContent: rows.join("\n"), tabIndex: 0 });
  records.setAttribute("aria-label", `${title}: records`);
  place.append(records);
  place.append(made("p", { className: "note", textContent: disk.files.map(([name, size]) => `${name} ${size.toLocaleString("en")} bytes`).join(", ") }));
  return place;
}
