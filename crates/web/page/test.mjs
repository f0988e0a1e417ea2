// The page in a real browser: node test.mjs PAGE TOOL
//
// It loads without a console message or a request, its numbers are those of the tool, signatures of
// fresh keys verify and changed ones do not, and every view draws something at three sizes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import * as views from "./test_views.mjs";

const [page, tool] = process.argv.slice(2).map((path) => resolve(path));
if (tool === undefined) {
  console.error("Usage: node test.mjs PAGE TOOL");
  process.exit(2);
}
const place = mkdtempSync(join(tmpdir(), "hasten-page."));
const hasten = (...args) => execFileSync(tool, args, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });

const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

const STATES = [
  "",
  "budget=20&link=100000000",
  "message=1024&link=10000000000",
  "families=xmss-sha2,stateless",
  "signer=early-auth&verifier=none",
  "commitOnPath=true&commit=100&budget=1000",
  "rested=true",
  "machine=units&units=8&clock=100",
  "machine=units&units=64&clock=10&message=512",
  "machine=engine&period=5&link=2500000000",
];
const LOOKS = ["", "machine=units&units=8&clock=100", "view=look&alg=XMSS-SHA2_10_192", "view=verify", "view=store&story=s.x20.s.k.S", "up=link&families=lms"];
const SIZES = [[390, 844, "light"], [820, 1180, "dark"], [1600, 900, "light"]];

/** Opens the page at a state; whatever it says or asks for is kept in `heard`. */
async function open(context, state, heard, file = page) {
  const tab = await context.newPage();
  tab.on("console", (message) => heard.push(`console: ${message.text()}`));
  tab.on("pageerror", (error) => heard.push(`error: ${error}`));
  tab.on("request", (request) => {
    if (!/^(file|blob|data):/.test(request.url())) heard.push(`request: ${request.url()}`);
  });
  await tab.goto(pathToFileURL(file) + (state === null ? "" : `#${state}`));
  await tab.waitForSelector("html[data-ready=yes]", { timeout: 180_000 });
  return tab;
}

/** Reads a table of ours: no cell has a line end. */
function table(text) {
  const line = (row) => [...row.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].slice(0, -1).map(([, cell]) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
  const [heads, ...rows] = text.trim().split("\n").map(line);
  return rows.map((row) => Object.fromEntries(heads.map((head, at) => [head, row[at] ?? ""])));
}

const tail = (time) => time.p999 ?? time.p99;
const said = (row) => [
  row.alg, row.machine, row.schedule, row.link_bits, row.signature_bytes, tail(row.sign_us), tail(row.wire_us),
  tail(row.verify_us), tail(row.total_us), row.lower_bound_us, row.signer_memory_bytes, row.signatures,
  row.within_budget, row.pareto, row.best, row.why_not,
].map((value) => (value === null ? "" : String(value)));

/** Returns the choices that a page saves. */
async function saved(tab) {
  const [download] = await Promise.all([tab.waitForEvent("download"), tab.click("#save-csv")]);
  return table(readFileSync(await download.path(), "utf8"));
}

/** Compares every number of a state with what the command that the page shows prints. */
async function compare(context, state) {
  const heard = [];
  const tab = await open(context, state, heard);
  const command = (await tab.textContent("#command")).split(" ");
  assert.deepEqual(command.slice(0, 2), ["hasten", "explore"]);
  const report = JSON.parse(hasten(...command.slice(1)));
  const shown = await saved(tab);
  assert.ok(report.rows.length > 20, `${command.join(" ")}: ${report.rows.length} rows`);
  assert.deepEqual(shown.map((row) => Object.values(row)), report.rows.map(said), command.join(" "));
  const best = report.rows.find((row) => row.best);
  const answer = await tab.textContent("#answer");
  assert.equal(answer.startsWith("Nothing is within"), best === undefined, answer);
  assert.deepEqual(heard, [], state);
  await tab.close();
  return report.rows.length;
}

/** Opens pages that `hasten explore --html` writes: they show what its `--json` prints at that rate. */
async function exported(context) {
  const other = JSON.parse(readFileSync(join(import.meta.dirname, "../../../results/calibration.json"), "utf8"));
  other.machine.backend = "another";
  const reports = join(place, "machines.json");
  writeFileSync(reports, JSON.stringify(other));
  const asked = [
    ["--alg", "XMSS-SHA2_10_192", "--machine", "2..4@50ns", "--link", "100Mbit..10Gbit", "--rate", "7", "--delivery", "streaming", "--bare"],
    ["--machine", "cpu", "--machines", reports, "--link", "1Gbit", "--signer", "secrets", "--signer", "masks", "--verifier", "node-cache", "--propagation", "5us", "--rested"],
  ];
  for (const [at, options] of asked.entries()) {
    const [file, heard] = [join(place, `explored${at}.html`), []];
    const report = JSON.parse(hasten("explore", ...options, "--json", "--html", file));
    const tab = await open(context, null, heard, file);
    const want = report.rows.filter((row) => row.link_bits === 1e9);
    assert.ok(want.length > 5, options.join(" "));
    assert.deepEqual((await saved(tab)).map((row) => Object.values(row)), want.map(said), options.join(" "));
    assert.equal(await tab.isVisible("#given"), options.includes(reports));
    assert.deepEqual(heard, []);
    await tab.close();
  }
  return asked.length;
}

/** Moves each slider: the answer changes, the hash holds it, and a new tab shows the same. */
async function slide(context) {
  const heard = [];
  const tab = await open(context, "", heard);
  const words = new Set([await tab.textContent("#answer")]);
  const times = [];
  for (const [slider, key] of [["budget", "Home"], ["link", "End"], ["message", "End"], ["link", "Home"]]) {
    await tab.focus(`#set-${slider}`);
    const before = await tab.textContent("#answer");
    await tab.keyboard.press(key);
    await tab.waitForFunction((old) => document.querySelector("#answer").textContent !== old, before, { timeout: 20_000 });
    words.add(await tab.textContent("#answer"));
    times.push(Number(await tab.evaluate(() => document.documentElement.dataset.answered)));
  }
  assert.equal(words.size, 5, [...words].join("\n"));
  const last = await tab.textContent("#answer");
  const again = await open(context, new URL(tab.url()).hash.slice(1), heard);
  assert.equal(await again.textContent("#answer"), last);
  assert.deepEqual(heard, []);
  await Promise.all([tab.close(), again.close()]);
  return times;
}

/** Searches 10,000 choices and more, and returns the longest time in which the page drew nothing. */
async function freeze(context) {
  const heard = [];
  const tab = await open(context, "", heard);
  await tab.evaluate(() => {
    let last = performance.now();
    window.longest = 0;
    const tick = () => {
      const now = performance.now();
      window.longest = Math.max(window.longest, now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    location.hash = "machine=all";
  });
  await tab.waitForFunction(() => /[0-9]{2},[0-9]{3} choices/.test(document.querySelector("#count").textContent), null, { timeout: 60_000 });
  const [count, longest] = await tab.evaluate(() => [document.querySelector("#count").textContent, window.longest]);
  assert.ok(longest < 1000, `the page stood still for ${longest} ms`);
  assert.deepEqual(heard, []);
  await tab.close();
  return `${count.split(",").slice(0, 2).join(",")}; the page stood still for ${longest.toFixed(0)} ms at most`;
}

/** Makes keys, and signs with each: the key in one form, the file, its signature. */
function signed() {
  const file = join(place, "file");
  writeFileSync(file, "what is signed, and by no key that the page has seen\n");
  const stateful = [
    ["XMSS-SHA2_10_192", "pem"], ["XMSSMT-SHA2_20/4_256", "der"], ["LMS_SHA256_M24_H5_W4", "lms"],
    ["L2_H5_W4", "raw"], ["XMSS-SHAKE256_10_192", "raw"],
  ];
  const cases = stateful.map(([alg, form], at) => {
    const [key, to, signature] = ["key", "public", "sig"].map((name) => join(place, `${name}${at}`));
    hasten("keygen", "--alg", alg, "--store", key, "--guard", `${key}.guard`);
    hasten("sign", "--store", key, file, "--out", signature, ...(form === "lms" ? ["--format", "lms"] : []));
    hasten("export", "--pub", key, "--format", form, "--out", to);
    // Sets of XMSS and XMSS^MT are counted from the same numbers.
    return { alg, key: to, file, signature, named: form === "raw" && alg.startsWith("XMSS") ? alg : "" };
  });
  for (const [at, alg] of ["SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-128s"].entries()) {
    const key = join(place, `stateless${at}`);
    hasten("keygen", "--alg", alg, "--out", key);
    const [made] = [`${key}.pub`, `${key}.pem`].filter((path) => { try { return readFileSync(path); } catch { return false; } });
    hasten("sign", "--store", `${key}.key`, file, "--out", `${key}.sig`);
    cases.push({ alg, key: made, file, signature: `${key}.sig`, named: "" });
  }
  return cases;
}

async function verdict(tab, { key, file, signature, named }) {
  await tab.evaluate(() => document.querySelector("#verify [role=status]").replaceChildren());
  await tab.fill("#alg", named);
  for (const [part, path] of [["key", key], ["signature", signature], ["file", file]]) {
    await tab.setInputFiles(`#give-${part}`, path);
  }
  await tab.waitForSelector("#verify .verdict", { timeout: 30_000 });
  await tab.waitForTimeout(60);
  return tab.textContent("#verify .verdict");
}

function changed(path, at) {
  const bytes = readFileSync(path);
  bytes[Math.floor(bytes.length * at)] ^= 1;
  const to = `${path}.changed`;
  writeFileSync(to, bytes);
  return to;
}

async function verify(context) {
  const heard = [];
  for (const [button, words] of [["#sample", "Good"], ["#sample-changed", "Bad signature"]]) {
    const tab = await open(context, "view=verify", heard);
    await tab.click(button);
    await tab.waitForSelector("#verify .verdict", { timeout: 30_000 });
    assert.equal(await tab.textContent("#verify .verdict"), words);
    await tab.close();
  }
  const cases = signed();
  for (const each of cases) {
    // A view of its own for each: no verdict is left from another.
    const ask = async (given) => {
      const tab = await open(context, "view=verify", heard);
      const words = await verdict(tab, given);
      await tab.close();
      return words;
    };
    assert.equal(await ask(each), "Good", each.alg);
    assert.equal(await ask({ ...each, file: changed(each.file, 0.5) }), "Bad signature", each.alg);
    assert.equal(await ask({ ...each, signature: changed(each.signature, 0.7) }), "Bad signature", each.alg);
  }
  assert.deepEqual(heard, []);
  return cases.length;
}

/** Tells a story by its buttons: a crash, an old copy, a clone without a witness and with one. */
async function story(context) {
  const heard = [];
  const tab = await open(context, "view=store", heard);
  let count = 0;
  const press = async (act) => {
    await tab.click(`#act-${act}:enabled`);
    count += 1;
    await tab.waitForFunction((told) => document.documentElement.dataset.told === told, String(count), { timeout: 20_000 });
    return tab.textContent("#store .told li:last-child");
  };
  await tab.waitForSelector("html[data-told='0']");
  assert.match(await press("s"), /^Index 0 signed here/);
  assert.match(await press("x"), /^The power went before/);
  await press("b");
  const next = /^Index (\d+) signed here/.exec(await press("s"));
  assert.ok(Number(next[1]) > 0, next[0]);
  await press("r");
  assert.match(await press("s"), /^Refused here/);
  assert.match(await press("v8"), /^The key goes on/);
  await press("k");
  await press("s");
  assert.match(await press("S"), /had signed before/);
  await tab.check("#with-witness");
  await tab.waitForFunction(() => /^Refused on the clone/.test(document.querySelector("#store .told li:last-child").textContent));
  assert.match(await tab.textContent("#store .records"), /reserve/);
  const again = await open(context, new URL(tab.url()).hash.slice(1), heard);
  await again.waitForFunction((told) => document.documentElement.dataset.told === told, String(count));
  assert.equal(await again.textContent("#store .told"), await tab.textContent("#store .told"));
  assert.deepEqual(heard, []);
  await Promise.all([tab.close(), again.close()]);
  return count;
}

/** Draws views at three sizes: many colours, and nothing wider than the window. */
async function look(browser) {
  const blank = await browser.newPage();
  for (const [width, height, colorScheme] of SIZES) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    for (const state of LOOKS) {
      const heard = [];
      const tab = await open(context, state, heard);
      const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${state}: ${wide} pixels wide in ${width}`);
      const hidden = await tab.$eval("#budget .scroll", (place) => place.scrollWidth - place.clientWidth);
      assert.ok(hidden <= 1, `${state} at ${width}: ${hidden} pixels of the table are cut off`);
      const cells = await tab.$$eval("#budget:not([hidden]) #table tbody tr:first-child td", (all) => all.map((cell) => cell.getBoundingClientRect().width));
      assert.ok(cells.every((wide) => wide > 0), `${state} at ${width}: a column is not shown`);
      assert.ok(!(await tab.isVisible("#loading")), "it is loaded");
      const shot = (await tab.screenshot()).toString("base64");
      const [colours, share] = await blank.evaluate(async (data) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
        const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        const words = new Uint32Array(canvas.getImageData(0, 0, image.width, image.height).data.buffer);
        const counts = new Map();
        for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
        return [counts.size, 1 - Math.max(...counts.values()) / words.length];
      }, shot);
      assert.ok(colours > 30 && share > 0.03, `${state} at ${width}: ${colours} colours, ${share} drawn`);
      assert.deepEqual(heard, [], state);
      await tab.close();
    }
    await context.close();
  }
  return LOOKS.length * SIZES.length;
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: QUIET });
try {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, acceptDownloads: true });
  const kit = { open, saved, hasten, context, browser, page };
  let rows = 0;
  for (const state of STATES) rows += await compare(context, state);
  console.log(`page: ${STATES.length} states, ${rows} choices as the tool has them`);
  console.log(`page: ${await exported(context)} pages of hasten explore --html, at its options`);
  console.log(`page: sliders answered in ${(await slide(context)).join(", ")} ms`);
  console.log(`page: new lengths of message on units answered in ${(await views.lengths(kit)).join(", ")} ms`);
  console.log(`page: ${(await views.worked(kit)).toFixed(0)} ms of the processor for a new length`);
  console.log(`page: ${await freeze(context)}`);
  console.log(`page: ${await verify(context)} keys: good, file changed, signature changed`);
  console.log(`page: a story of ${await story(context)} acts on the simulated disk`);
  await views.before(kit);
  await views.operation(kit);
  console.log(`page: the ladder of ${await views.ladder(kit)} levels, which plays and pauses, and stands where less motion is asked for`);
  console.log(`page: ${await views.lies(kit)} timelines end where the tool says`);
  console.log(`page: ${await views.bare(kit)} sets with nothing prepared, as the tool has them`);
  console.log(`page: ${await views.curves(kit)} places of curves over links and units as the tool has them`);
  console.log(`page: ${await look(browser)} screenshots, none of them empty`);
} finally {
  await browser.close();
  rmSync(place, { recursive: true, force: true });
}
