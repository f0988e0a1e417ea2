// The controls of the budget: sliders over stops, and boxes.
import { DELIVERY, FAMILIES, SIGNER, type State, VERIFIER } from "./state";
import { bytes, rate, time } from "./words";

type Change = (change: Partial<State>) => void;

/** Returns numbers from one to another, so many to a decade, rounded to two digits. */
function decades(from: number, to: number, each: number): number[] {
  const count = Math.round(Math.log10(to / from) * each);
  const stops = Array.from({ length: count + 1 }, (_, at) => Number((from * 10 ** (at / each)).toPrecision(2)));
  return [...new Set(stops)];
}

interface Slider {
  key: keyof State;
  label: string;
  stops: number[];
  shown: (value: number) => string;
  of?: string;
}

const SLIDERS: Slider[] = [
  { key: "budget", label: "Budget", stops: decades(10, 1e4, 20), shown: time },
  { key: "link", label: "Link", stops: [1e7, 2e7, 5e7, 1e8, 2e8, 5e8, 1e9, 2.5e9, 5e9, 1e10, 2.5e10, 4e10, 1e11], shown: rate },
  { key: "message", label: "Message", stops: [8, 16, 32, 64, 128, 256, 512, 1024, 1400], shown: bytes },
];

const MACHINE: Slider[] = [
  { key: "units", label: "Hash units on each side", stops: [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256], shown: String, of: "units" },
  { key: "clock", label: "A compression on one takes", stops: decades(10, 1000, 10), shown: (ns) => `${ns} ns`, of: "units" },
  { key: "period", label: "Clock of the engine", stops: [2, 3, 4, 5, 8, 10, 20, 40], shown: (ns) => `${ns} ns, ${Math.round(1000 / ns)} MHz`, of: "engine" },
  { key: "commit", label: "Commit time of the store", stops: [0, ...decades(10, 1e5, 5)], shown: time },
  { key: "propagation", label: "Propagation on the link", stops: [0, ...decades(0.1, 1e4, 5)], shown: time },
  { key: "rate", label: "Messages a second", stops: [0, ...decades(1, 1e6, 3)], shown: (count) => (count === 0 ? "any number" : count.toLocaleString("en")) },
  { key: "burst", label: "Messages that come at once", stops: [1, 2, 5, 10, 20, 50, 100, 1000], shown: String },
];

const MACHINES: [string, string][] = [
  ["cpu", "the processor that was calibrated"],
  ["rtl", "our cores, placed in cells"],
  ["engine", "our cores and engines, at a clock"],
  ["units", "generic hash units"],
  ["all", "all of these, 1 to 256 units"],
];

const NAMES: Record<string, string> = {
  "xmss-sha2": "XMSS with SHA-256",
  "xmss-shake": "XMSS with SHAKE256",
  lms: "LMS with SHA-256",
  stateless: "others, as measured",
  "early-auth": "early-auth: the path",
  secrets: "secrets",
  "node-cache": "node-cache",
  sequential: "one after the other",
  streaming: "element by element",
  "pre-send": "index and path ahead",
  masks: "masks",
  "chain-table": "chain-table",
  none: "none",
  "ots-key": "ots-key: sent ahead",
};

export class Controls {
  private readonly refresh: ((state: State) => void)[] = [];

  constructor(private readonly change: Change) {
    const sliders = document.querySelector(".sliders") as HTMLElement;
    for (const slider of SLIDERS) sliders.append(this.slider(slider));
    const more = document.querySelector(".more") as HTMLElement;
    more.append(this.machine());
    for (const slider of MACHINE) more.append(this.slider(slider));
    const families = this.boxes("Families", "families", [...FAMILIES]);
    families.append(this.given("the sets named", "sets", (state) => String(state.sets), { sets: [] }));
    more.append(families);
    more.append(this.boxes("Signer may prepare", "signer", SIGNER));
    more.append(this.boxes("Verifier may prepare", "verifier", VERIFIER));
    more.append(this.boxes("Delivery", "delivery", DELIVERY));
    more.append(this.flags());
    document.getElementById("controls")?.addEventListener("submit", (event) => event.preventDefault());
  }

  show(state: State): void {
    for (const refresh of this.refresh) refresh(state);
  }

  private slider({ key, label, stops, shown, of }: Slider): HTMLElement {
    const field = document.createElement("label");
    const output = document.createElement("output");
    const input = document.createElement("input");
    Object.assign(input, { type: "range", min: "0", max: String(stops.length - 1), step: "1", id: `set-${key}` });
    output.htmlFor.add(input.id);
    field.append(label, output, input);
    input.addEventListener("input", () => this.change({ [key]: stops[Number(input.value)] }));
    this.refresh.push((state) => {
      const value = state[key] as number;
      const nearest = stops.reduce((best, stop, at) => (Math.abs(stop - value) < Math.abs((stops[best] ?? 0) - value) ? at : best), 0);
      input.value = String(nearest);
      output.value = shown(value);
      input.setAttribute("aria-valuetext", shown(value));
      field.hidden = of !== undefined && state.machine !== of && (state.machine !== "all" || key === "units");
    });
    return field;
  }

  private machine(): HTMLElement {
    const set = document.createElement("fieldset");
    set.append(Object.assign(document.createElement("legend"), { textContent: "Machine" }));
    for (const [name, words] of MACHINES) {
      const input = Object.assign(document.createElement("input"), { type: "radio", name: "machine", value: name });
      input.addEventListener("change", () => this.change({ machine: name }));
      const label = document.createElement("label");
      label.append(input, ` ${words}`);
      set.append(label);
      this.refresh.push((state) => void (input.checked = state.machine === name));
    }
    set.append(this.given("those named", "machine", (state) =>
      (MACHINES.some(([name]) => name === state.machine) ? "" : state.machine), { machine: "cpu" }));
    return set;
  }

  /** Returns a line that says what was named, with a button that goes back to the usual. */
  private given(words: string, key: string, named: (state: State) => string, usual: Partial<State>): HTMLElement {
    const line = Object.assign(document.createElement("p"), { className: "note", id: `named-${key}` });
    const text = document.createElement("span");
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Choose others" });
    button.addEventListener("click", () => this.change(usual));
    line.append(text, " ", button);
    this.refresh.push((state) => {
      line.hidden = named(state) === "";
      text.textContent = `${words}: ${named(state).replaceAll(",", ", ")}`;
    });
    return line;
  }

  private boxes(title: string, key: "families" | "signer" | "verifier" | "delivery", all: string[]): HTMLElement {
    const set = document.createElement("fieldset");
    set.append(Object.assign(document.createElement("legend"), { textContent: title }));
    for (const name of all) {
      const input = Object.assign(document.createElement("input"), { type: "checkbox" });
      let now: string[] = [];
      input.addEventListener("change", () =>
        this.change({ [key]: all.filter((each) => (each === name ? input.checked : now.includes(each))) }));
      const label = document.createElement("label");
      label.append(input, ` ${NAMES[name] ?? name}`);
      set.append(label);
      this.refresh.push((state) => {
        now = state[key];
        input.checked = now.includes(name);
        // One level must be left, or the tool takes all of them.
        input.disabled = key !== "families" && now.length === 1 && input.checked;
        if (key === "families") label.hidden = state.sets.length > 0 && name !== "stateless";
      });
    }
    return set;
  }

  private flags(): HTMLElement {
    const set = document.createElement("fieldset");
    set.append(Object.assign(document.createElement("legend"), { textContent: "Besides" }));
    const flags: ["commitOnPath" | "rested" | "bare", string][] = [
      ["commitOnPath", "the commit is made after the message is there"],
      ["rested", "the processor has rested before the message"],
      ["bare", "the link carries payload alone, no frames"],
    ];
    for (const [key, words] of flags) {
      const input = Object.assign(document.createElement("input"), { type: "checkbox" });
      input.addEventListener("change", () => this.change({ [key]: input.checked }));
      const label = document.createElement("label");
      label.append(input, ` ${words}`);
      set.append(label);
      this.refresh.push((state) => void (input.checked = state[key]));
    }
    return set;
  }
}
