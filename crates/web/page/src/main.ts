// The page: its state, which the URL holds, and its views.
import { Budget } from "./budget";
import { Client } from "./client";
import { Controls } from "./controls";
import { CURVES } from "./curves";
import { UP } from "./draw";
import { Look } from "./look";
import { type State, read, written } from "./state";
import { Story } from "./story";
import { Verify } from "./verify";

interface Choices {
  sets: { name: string }[];
}

const VIEWS = ["budget", "look", "verify", "store"];

async function main(): Promise<void> {
  // A page that the command line wrote opens at its options, and says so in the address.
  const start = document.getElementById("start")?.textContent ?? "";
  if (location.hash === "" && start !== "") history.replaceState(null, "", `#${written(read(start))}`);
  let state = read(location.hash);
  const client = await Client.start();
  const choices = await client.ask<Choices>({ choices: {} });
  const sets = choices.sets.map((set) => set.name);
  const budget = new Budget(client, sets, (chosen) => set({ chosen }), state);
  const controls = new Controls((change) => set(change));
  new Verify(client);
  const look = new Look(client, sets, (change) => set(change));
  const story = new Story(client, (change) => set(change));
  const up = document.getElementById("up") as HTMLSelectElement;
  up.append(...Object.entries(UP).map(([name, { label }]) => new Option(`choices by ${label}`, name)));
  up.append(...Object.entries(CURVES).map(([name, { title }]) => new Option(title, name)));
  up.addEventListener("change", () => set({ up: up.value }));
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("nav button")];
  for (const button of buttons) {
    button.hidden = !VIEWS.includes(button.dataset["view"] ?? "");
    button.addEventListener("click", () => set({ view: button.dataset["view"] ?? "budget" }));
  }
  document.getElementById("copy")?.addEventListener("click", () => void navigator.clipboard?.writeText(location.href));
  (document.getElementById("given") as HTMLElement).hidden = document.getElementById("reports")?.textContent === "";
  (document.getElementById("loading") as HTMLElement).hidden = true;

  function show(): void {
    const view = VIEWS.includes(state.view) ? state.view : "budget";
    for (const name of VIEWS) (document.getElementById(name) as HTMLElement).hidden = name !== view;
    for (const button of buttons) {
      if (button.dataset["view"] === view) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
    controls.show(state);
    up.value = state.up;
    if (view === "look") void look.show(state);
    if (view === "store") void story.show(state);
  }

  function set(change: Partial<State>): void {
    const before = state;
    state = { ...state, ...change };
    history.replaceState(null, "", `#${written(state) || (start === "" ? "" : "view=budget")}`);
    show();
    const drawn = ["view", "chosen", "up", "op", "alg", "level", "story", "witness"];
    const asks = Object.keys(change).some((key) => !drawn.includes(key));
    if (asks && state !== before) void budget.ask(state);
    else budget.show(state);
  }

  addEventListener("hashchange", () => {
    state = read(location.hash);
    show();
    void budget.ask(state);
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) {
      budget.again();
      show();
    }
    width = innerWidth;
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    budget.again();
    show();
  });
  show();
  await budget.ask(state);
  document.documentElement.dataset["ready"] = "yes";
}

void main();
