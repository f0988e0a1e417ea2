// Makes the page of its parts: node bundle.mjs MODULE NOTICES PAGE
//
// Records the usual sets with the module itself, and puts module, recordings, script, worker, style
// and the licences of all of them into one file that asks for nothing else.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { build } from "esbuild";

const [modulePath, noticesPath, pagePath] = process.argv.slice(2);
if (pagePath === undefined) {
  console.error("Usage: node bundle.mjs MODULE NOTICES PAGE");
  process.exit(2);
}
const here = (name) => join(dirname(fileURLToPath(import.meta.url)), name);

/** The licences that a package in the page may have. */
const ALLOWED = ["ISC", "MIT", "BSD-3-Clause", "Apache-2.0"];
const packages = new Map();

async function bundled(entry) {
  const options = { bundle: true, minify: true, format: "iife", target: "es2022", write: false };
  const made = await build({ ...options, entryPoints: [here(entry)], legalComments: "none", metafile: true });
  for (const input of Object.keys(made.metafile.inputs)) note(/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1]);
  return made.outputFiles[0].text;
}

/** Takes the licence of a package that goes into the page. */
function note(name) {
  if (name === undefined || packages.has(name)) return;
  const folder = here(join("node_modules", name));
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (!ALLOWED.includes(license)) throw new Error(`${name}: the licence ${license} is not allowed`);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no licence beside it`);
  packages.set(name, `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}`);
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Returns the recordings of the usual sets; those made by the same module are kept. */
async function recordings(code) {
  const name = createHash("sha256").update(code).digest("hex").slice(0, 16);
  const kept = join(dirname(modulePath), `recordings-${name}.txt`);
  if (existsSync(kept)) return readFileSync(kept);
  const script = await build({
    entryPoints: [here("src/wasm.ts")], bundle: true, format: "esm", write: false,
  });
  const url = `data:text/javascript;base64,${Buffer.from(script.outputFiles[0].contents).toString("base64")}`;
  const module = await (await import(url)).Module.of(new Uint8Array(code));
  const { sets } = JSON.parse(module.ask({ choices: {} }));
  const text = sets.map((set) => module.ask({ record: { alg: set.name } })).join("");
  if (text.includes('"error"')) throw new Error(text.slice(0, 200));
  writeFileSync(kept, text);
  return readFileSync(kept);
}

const packed = (bytes) => deflateRawSync(bytes, { level: 9 }).toString("base64");
// A script must not end early.
const inline = (text) => text.replaceAll("</", "<\\/");

const code = readFileSync(modulePath);
const parts = {
  COMMIT: process.env.HASTEN_COMMIT ?? "unknown",
  VERSION: /^version = "([^"]+)"/m.exec(readFileSync(here("../../../Cargo.toml"), "utf8"))?.[1] ?? "",
  STYLE: readFileSync(here("src/style.css"), "utf8"),
  MODULE: packed(code),
  RECORDINGS: packed(await recordings(code)),
  WORKER: inline(JSON.stringify(await bundled("src/worker.ts"))),
  SCRIPT: inline(await bundled("src/main.ts")),
};
const notices = [...packages.keys()].sort().map((name) => packages.get(name));
parts.LICENCES = [...notices, readFileSync(noticesPath, "utf8")].map(escaped).join("\n\n\n");
const page = readFileSync(here("src/page.html"), "utf8").replace(/@([A-Z]+)@/g, (whole, name) => parts[name] ?? whole);
mkdirSync(dirname(pagePath), { recursive: true });
writeFileSync(pagePath, page);
const compressed = deflateRawSync(Buffer.from(page), { level: 9 }).length;
console.log(`page       ${pagePath}, ${page.length} bytes, ${compressed} compressed`);
if (compressed > 1_500_000) {
  console.error("the page has more than 1.5 MB");
  process.exit(1);
}
