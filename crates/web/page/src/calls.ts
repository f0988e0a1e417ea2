// The call graph of an operation: callers over what they call, as wide as their compressions.
import * as Plot from "@observablehq/plot";

/** A function in its place of the call graph, as `hasten analyze calls` has it. */
export interface Call {
  path: string[];
  calls: number;
  own: number;
  inclusive: number;
  share: number;
  on_path: number;
}

interface Bar extends Call {
  from: number;
  to: number;
  depth: number;
}

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const name = (call: Call): string => call.path.at(-1) ?? "";

/** Returns the bars below a function: siblings beside each other, under their caller. */
function bars(calls: Call[], root: string[]): Bar[] {
  const inside = calls.filter((call) => root.every((step, at) => call.path[at] === step));
  const whole = inside[0]?.inclusive ?? 1;
  const next: number[] = [];
  return inside.map((call) => {
    const depth = call.path.length - root.length;
    const from = next[depth] ?? 0;
    const to = from + call.inclusive / whole;
    next[depth] = to;
    next[depth + 1] = from;
    return { ...call, from, to, depth };
  });
}

const says = (call: Call): string =>
  `${name(call)}: ${call.calls.toLocaleString("en")} calls, ${call.inclusive.toLocaleString("en")} compressions, ${call.own.toLocaleString("en")} of its own, ${call.on_path} on the longest way`;

export class Calls {
  readonly place = document.createElement("div");
  private readonly words = document.createElement("p");
  private readonly figure = document.createElement("figure");
  private readonly up = Object.assign(document.createElement("button"), { type: "button", textContent: "Back to the caller", id: "calls-up" });
  private calls: Call[] = [];
  private root: string[] = [];

  constructor() {
    this.words.className = "note";
    this.figure.id = "calls";
    const row = Object.assign(document.createElement("div"), { className: "row" });
    row.append(this.up, this.words);
    this.place.append(Object.assign(document.createElement("h2"), { textContent: "Who calls what" }), row, this.figure);
    this.up.addEventListener("click", () => this.go(this.root.slice(0, -1)));
    this.figure.addEventListener("keydown", (event) => {
      if (event.key === "Escape" || event.key === "-") this.go(this.root.slice(0, -1));
    });
  }

  show(calls: Call[], width: number): void {
    this.calls = calls;
    const known = calls.some((call) => call.path.join("/") === this.root.join("/"));
    this.go(known ? this.root : (calls[0]?.path ?? []), width);
  }

  private go(root: string[], width = Math.min(960, this.place.clientWidth || 900)): void {
    const top = this.calls[0]?.path.length ?? 1;
    this.root = root.length < top ? this.calls[0]?.path ?? [] : root;
    this.up.disabled = this.root.length <= top;
    this.words.textContent = "A bar is as wide as the compressions under it; in red, those on the longest way. Press one to go into it.";
    this.figure.replaceChildren(this.drawn(width));
    document.documentElement.dataset["calls"] = this.root.join("/");
  }

  private drawn(width: number): SVGElement {
    const shown = bars(this.calls, this.root);
    const deepest = Math.max(...shown.map((bar) => bar.depth));
    const room = (bar: Bar) => (bar.to - bar.from) * (width - 10) > 7.4 * name(bar).length + 8;
    const drawing = Plot.plot({
      width, height: 30 * (deepest + 1) + 12, marginLeft: 4, marginRight: 4, marginTop: 4, marginBottom: 8,
      style: { background: "transparent", fontSize: "13px", color: colour("ink") },
      x: { domain: [0, 1], axis: null }, y: { domain: [0, deepest + 1], reverse: false, axis: null, range: [4, 30 * (deepest + 1) + 4] },
      marks: [
        Plot.rect(shown, { x1: "from", x2: "to", y1: "depth", y2: (bar: Bar) => bar.depth + 1, inset: 1, fill: colour("signer"), fillOpacity: (bar: Bar) => 0.25 + 0.5 * bar.share, stroke: colour("signer") }),
        Plot.rect(shown, { x1: "from", x2: (bar: Bar) => bar.from + (bar.to - bar.from) * (bar.on_path / bar.inclusive), y1: (bar: Bar) => bar.depth + 0.84, y2: (bar: Bar) => bar.depth + 1, inset: 1, fill: colour("limit") }),
        Plot.text(shown, { x: "from", y: (bar: Bar) => bar.depth + 0.45, text: name, textAnchor: "start", dx: 6, filter: room, pointerEvents: "none" }),
      ],
    }) as SVGElement;
    drawing.setAttribute("role", "group");
    drawing.setAttribute("aria-label", "Call graph");
    // The first marks are the bars, in their order.
    drawing.querySelector("g")?.querySelectorAll<SVGElement>("rect").forEach((bar, at) => {
      const call = shown[at];
      if (call === undefined) return;
      bar.setAttribute("tabindex", "0");
      bar.setAttribute("role", "button");
      bar.setAttribute("aria-label", says(call));
      bar.append(Object.assign(document.createElementNS("http://www.w3.org/2000/svg", "title"), { textContent: says(call) }));
      const into = () => {
        this.go(call.path);
        this.figure.querySelector<SVGElement>("rect[tabindex]")?.focus();
      };
      bar.addEventListener("click", into);
      bar.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        into();
      });
    });
    return drawing;
  }
}
