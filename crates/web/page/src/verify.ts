// Verification of files that stay in the browser.
import type { Client } from "./client";
import { sample } from "./sample";

interface Reading {
  what: string;
  encoding: string;
  alg: string | null;
  facts: [string, string | number][];
  notes: string[];
}
interface Verdict {
  good: boolean;
  alg: string;
  index: number | null;
}

const PARTS = [
  ["key", "Public key", "PEM, DER or raw"],
  ["file", "File", "what was signed"],
  ["signature", "Signature", "the bytes of its standard; LMS bare or as HSS of one level"],
] as const;

type Part = (typeof PARTS)[number][0];

/** Larger files are refused: the module holds them whole. */
const MOST = 512 * 1024 * 1024;

export class Verify {
  private readonly files = new Map<Part, { name: string; bytes: Uint8Array }>();
  private readonly readings = new Map<Part, Reading[]>();
  private readonly place = document.getElementById("verify") as HTMLElement;
  private readonly verdict = document.createElement("div");
  private readonly accounts = document.createElement("div");
  private readonly alg = Object.assign(document.createElement("input"), { type: "text", id: "alg", size: 28, placeholder: "XMSS-SHA2_10_256" });

  constructor(private readonly client: Client) {
    const lead = Object.assign(document.createElement("p"), {
      className: "lead",
      textContent: "Drop a public key, a file and a signature: XMSS, XMSS^MT, LMS, HSS, SLH-DSA or Ed25519. They are read here, and do not leave the browser.",
    });
    const drops = Object.assign(document.createElement("div"), { className: "drops" });
    drops.append(...PARTS.map(([part, title, words]) => this.drop(part, title, words)));
    const named = Object.assign(document.createElement("label"), { textContent: "Algorithm (only for raw keys that several sets share): " });
    named.append(this.alg);
    this.alg.addEventListener("change", () => void this.check());
    this.verdict.setAttribute("role", "status");
    this.verdict.setAttribute("aria-live", "polite");
    this.accounts.className = "two";
    const samples = Object.assign(document.createElement("p"), { className: "row", textContent: "Nothing at hand? " });
    samples.append(this.sample(false, "Try a sample"), this.sample(true, "Try it with a changed file"));
    this.place.append(lead, samples, drops, named, this.verdict, this.accounts);
  }

  private sample(changed: boolean, title: string): HTMLElement {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: title, id: changed ? "sample-changed" : "sample" });
    button.addEventListener("click", () => void this.takeAll(sample(changed)));
    return button;
  }

  private async takeAll(files: Record<Part, File>): Promise<void> {
    for (const [part] of PARTS) {
      const name = document.querySelector(`#name-${part}`) as HTMLElement;
      name.textContent = `${files[part].name}, ${files[part].size.toLocaleString("en")} bytes`;
      await this.take(part, files[part]);
    }
  }

  private drop(part: Part, title: string, words: string): HTMLElement {
    const field = Object.assign(document.createElement("div"), { className: "drop" });
    const name = Object.assign(document.createElement("div"), { className: "name", id: `name-${part}`, textContent: words });
    const label = document.createElement("label");
    const input = Object.assign(document.createElement("input"), { type: "file", id: `give-${part}` });
    label.append(Object.assign(document.createElement("strong"), { textContent: title }), name, input);
    field.append(label);
    const take = (file: File | null | undefined) => {
      if (!file) return;
      name.textContent = `${file.name}, ${file.size.toLocaleString("en")} bytes`;
      void this.take(part, file);
    };
    input.addEventListener("change", () => take(input.files?.[0]));
    field.addEventListener("dragover", (event) => {
      event.preventDefault();
      field.classList.add("over");
    });
    field.addEventListener("dragleave", () => field.classList.remove("over"));
    field.addEventListener("drop", (event) => {
      event.preventDefault();
      field.classList.remove("over");
      take(event.dataTransfer?.files[0]);
    });
    return field;
  }

  private async take(part: Part, file: File): Promise<void> {
    if (file.size > MOST) {
      this.say("bad", "Too long", `${file.name} has more than 512 MiB.`);
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.files.set(part, { name: file.name, bytes });
    if (part !== "file") {
      const { readings } = await this.client.ask<{ readings: Reading[] }>({ inspect: {} }, [bytes]);
      this.readings.set(part, readings);
    }
    this.show();
    await this.check();
  }

  private async check(): Promise<void> {
    const [key, file, signature] = PARTS.map(([part]) => this.files.get(part)?.bytes);
    if (!key || !file || !signature) return;
    try {
      const alg = this.alg.value.trim() || null;
      const said = await this.client.ask<Verdict>({ verify: { alg } }, [key, file, signature]);
      const index = said.index === null ? "" : `, index ${said.index}`;
      if (said.good) this.say("good", "Good", `${said.alg}${index}: the key's owner signed this file.`);
      else this.say("bad", "Bad signature", `${said.alg}: the signature is not one of this file by this key.`);
    } catch (error) {
      this.say("bad", "Not verified", `${(error as Error).message}.`);
    }
  }

  private say(kind: string, title: string, words: string): void {
    this.verdict.replaceChildren(
      Object.assign(document.createElement("p"), { className: `verdict ${kind}`, textContent: title }),
      Object.assign(document.createElement("p"), { textContent: words }),
    );
  }

  private show(): void {
    const parts = PARTS.filter(([part]) => this.readings.has(part));
    this.accounts.replaceChildren(...parts.map(([part, title]) => {
      const place = document.createElement("div");
      place.append(Object.assign(document.createElement("h2"), { textContent: title }));
      for (const reading of this.readings.get(part) ?? []) place.append(account(reading));
      return place;
    }));
  }
}

function account(reading: Reading): HTMLElement {
  const list = document.createElement("dl");
  const facts: [string, string | number][] = [
    ["what", reading.what], ["encoding", reading.encoding], ...(reading.alg ? [["algorithm", reading.alg] as [string, string]] : []),
    ...reading.facts, ...reading.notes.map((note): [string, string] => ["note", note]),
  ];
  for (const [name, value] of facts) {
    list.append(
      Object.assign(document.createElement("dt"), { textContent: name.replaceAll("_", " ") }),
      Object.assign(document.createElement("dd"), { textContent: String(value) }),
    );
  }
  return list;
}
