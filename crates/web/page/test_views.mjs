// Parts of test.mjs: an operation, the ladder, timelines, curves, each against the tool.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inflateRawSync } from "node:zlib";
import { build } from "esbuild";

const results = (name) => JSON.parse(readFileSync(join(dirname(fileURLToPath(import.meta.url)), "../../../results", name), "utf8"));
const json = (hasten, line) => JSON.parse(hasten(...line.split(" "), "--json"));
const data = (tab, key) => tab.evaluate((name) => document.documentElement.dataset[name], key);

/** Reads what the page says before its module has started: what it is, its version, that it loads. */
export async function before({ browser, page }) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(page).href);
  const text = await tab.innerText("body");
  for (const words of [/command-line tool, a Rust library/, /Loading/, /Hasten \d+\.\d+\.\d+, /]) assert.match(text, words);
  await context.close();
}

/** Compares a shown operation with `hasten analyze`, and goes into it by the keyboard. */
export async function operation({ open, hasten, context }) {
  const heard = [];
  const tab = await open(context, "view=look&alg=XMSS-SHA2_10_192&op=sign&level=masks&units=1", heard);
  await tab.waitForSelector("#calls svg", { timeout: 60_000 });
  const of = "--alg XMSS-SHA2_10_192 --op sign --level masks --message 64";
  const path = json(hasten, `analyze deps ${of}`).rows[0].critical_path;
  const words = await tab.textContent("#looked");
  assert.ok(words.includes(`${path} follow each other`), `${words}; the tool says ${path}`);
  const { rows } = json(hasten, `analyze calls ${of}`);
  const want = rows.map((row) => `${row.path.at(-1)}: ${row.calls.toLocaleString("en")} calls, ${row.inclusive.toLocaleString("en")} compressions, ${row.own.toLocaleString("en")} of its own, ${row.on_path} on the longest way`);
  const bars = () => tab.$$eval("#calls rect[role=button]", (all) => all.map((bar) => bar.getAttribute("aria-label")));
  assert.deepEqual(await bars(), want);
  assert.equal(rows[0].on_path, path);
  // Into a function, and back.
  await tab.focus("#calls rect[role=button] >> nth=1");
  await tab.keyboard.press("Enter");
  assert.equal(await data(tab, "calls"), rows[1].path.join("/"));
  assert.ok((await bars()).length < want.length);
  await tab.keyboard.press("Escape");
  assert.deepEqual(await bars(), want);
  // Fewer steps, later ones, all of them again.
  const drawn = () => tab.innerHTML("#phases");
  const whole = await drawn();
  await tab.focus("#phases");
  await tab.keyboard.press("+");
  const near = await drawn();
  assert.notEqual(near, whole);
  await tab.keyboard.press("ArrowRight");
  assert.notEqual(await drawn(), near);
  await tab.click("#zoom-all");
  assert.equal(await drawn(), whole);
  assert.deepEqual(heard, []);
  await tab.close();
}

/** Compares the ladder's times with results/calibration.json, plays it, and pauses it. */
export async function ladder({ open, context, browser }) {
  const heard = [];
  const tab = await open(context, "view=look&alg=XMSS-SHA2_10_256", heard);
  await tab.waitForSelector("#ladder .lane", { timeout: 60_000 });
  const { rows } = results("calibration.json");
  const measured = (op, level) => rows.find((row) => row.measured === "prediction" && row.alg === "XMSS-SHA2_10_256" && row.op === op && row.level === level).time_us.p50;
  const pairs = await tab.$$eval("#ladder-pair option", (all) => all.map((option) => option.textContent));
  assert.ok(pairs.length > 5);
  for (const [at, pair] of pairs.entries()) {
    await tab.selectOption("#ladder-pair", String(at));
    const [signer, verifier] = pair.split(" + ");
    const said = await tab.$$eval("#ladder .says", (all) => all.map((says) => says.textContent));
    for (const [lane, want] of [[0, measured("sign", signer)], [2, measured("verify", verifier)]]) {
      const [, number, unit] = /([0-9.]+) (ns|µs|ms) after$/.exec(said[lane]);
      const us = Number(number) * { ns: 1e-3, "µs": 1, ms: 1e3 }[unit];
      assert.ok(Math.abs(us - want) <= 0.006 * want, `${pair}: ${said[lane]}, measured ${want}`);
    }
  }
  await tab.selectOption("#ladder-pair", "0");
  await tab.click("#ladder-play");
  const moved = await data(tab, "share");
  await tab.waitForFunction((old) => document.documentElement.dataset.share !== old, moved, { timeout: 20_000 });
  await tab.click("#ladder-play");
  const stands = await data(tab, "share");
  await tab.waitForTimeout(300);
  assert.equal(await data(tab, "share"), stands, "it goes on while it is paused");
  await tab.close();
  const calm = await browser.newContext({ reducedMotion: "reduce" });
  const still = await open(calm, "view=look&alg=XMSS-SHA2_10_256", heard);
  await still.waitForSelector("#ladder .lane", { timeout: 60_000 });
  const widths = () => still.$$eval("#ladder .bar", (all) => all.map((bar) => bar.style.width));
  await still.click("#ladder-play");
  await still.click("#ladder-play");
  const whole = await widths();
  assert.equal(whole.filter((width) => parseFloat(width) > 0).length >= 3, true, String(whole));
  assert.deepEqual(heard, []);
  await calm.close();
  return pairs.length;
}

/** Compares the ends of timelines with the tool's totals: parts that overlap lie as they do. */
export async function lies({ open, hasten, context }) {
  const states = [
    ["machine=units&units=8&clock=100&verifier=none&delivery=streaming", "--machine 8@100ns --verifier none --delivery streaming", true],
    ["machine=units&units=2&clock=10&verifier=masks&delivery=pre-send", "--machine 2@10ns --verifier masks --delivery pre-send", true],
    ["machine=units&units=8&clock=100&delivery=sequential", "--machine 8@100ns --delivery sequential", false],
    ["", "--machine cpu", false],
  ];
  for (const [state, options, overlaps] of states) {
    const heard = [];
    const tab = await open(context, `${state}&families=xmss-sha2`, heard);
    await tab.waitForFunction(() => document.documentElement.dataset.lies !== undefined);
    const spans = JSON.parse(await data(tab, "lies"));
    const line = `explore --budget 100us --message 64 --link 1Gbit --alg XMSS-SHA2_10_192 --alg XMSS-SHA2_10_256 ${options}`;
    const best = json(hasten, line).rows.find((row) => row.best && row.alg.startsWith("XMSS"));
    const total = best.total_us.p999 ?? best.total_us.p99;
    assert.ok(Math.abs(spans.end - total) < 2e-4 * Math.max(1, total), `${state}: ${spans.end}, the tool says ${total}`);
    for (const part of [spans.sign, spans.wire, spans.verify]) {
      part.forEach(([from, to], at) => assert.ok(from >= (part[at - 1]?.[1] ?? 0) && to >= from && to <= spans.end + 1e-6, JSON.stringify(part)));
    }
    assert.equal(spans.verify[0][0] < spans.wire.at(-1)[1] - 1e-6, overlaps, JSON.stringify(spans));
    assert.deepEqual(heard, []);
    await tab.close();
  }
  return states.length;
}

/** Compares what nothing prepared would take with the tool, on the processor and on units. */
export async function bare({ open, hasten, context }) {
  const states = [
    ["", "--machine cpu --signer none", "With nothing prepared, "],
    ["machine=units&units=8&clock=100", "--machine 8@100ns --signer early-auth", "With nothing prepared but the path"],
  ];
  for (const [state, options, words] of states) {
    const heard = [];
    const tab = await open(context, `${state}&families=xmss-sha2&sets=XMSS-SHA2_10_192`, heard);
    await tab.waitForSelector("#bare svg");
    const line = `explore --budget 100us --message 64 --link 1Gbit --alg XMSS-SHA2_10_192 ${options} --verifier none --delivery sequential`;
    const { total_us: total } = json(hasten, line).rows.find((row) => row.alg === "XMSS-SHA2_10_192");
    const said = await tab.textContent("#contrast");
    assert.ok(said.startsWith(words), said);
    const us = Number(/takes ([0-9.]+) µs/.exec(said)[1]);
    const want = total.p999 ?? total.p99;
    assert.ok(Math.abs(us - want) <= 0.006 * want, `${said} The tool says ${want}`);
    assert.deepEqual(heard, []);
    await tab.close();
  }
  return states.length;
}

/** Compares places of the curves with the least latency and the highest efficiency of the tool. */
export async function curves({ open, saved, hasten, context }) {
  let count = 0;
  for (const [state, at, options] of [
    ["up=link&machine=units&units=8&clock=100", "10000000000", "--machine 8@100ns --link 10Gbit"],
    ["up=eta-units&machine=units&clock=50", "32", "--machine 32@50ns --link 1Gbit"],
  ]) {
    const heard = [];
    const tab = await open(context, `${state}&families=lms`, heard);
    await tab.waitForFunction((name) => document.documentElement.dataset.curve === name, /up=([a-z-]+)/.exec(state)[1], { timeout: 60_000 });
    const places = (await saved(tab)).filter((place) => place.at === at);
    const lms = ["24", "32"].flatMap((m) => ["2", "4", "8"].map((w) => `--alg LMS_SHA256_M${m}_H10_W${w}`)).join(" ");
    const { rows } = json(hasten, `explore --budget 100us --message 64 ${lms} ${options}`);
    assert.equal(places.length, 6);
    for (const place of places) {
      const same = rows.filter((row) => row.alg === place.alg);
      assert.equal(Number(place.latency_us), Math.min(...same.map((row) => row.total_us.p99)), place.alg);
      assert.equal(Number(place.eta), Math.max(...same.map((row) => row.eta_stream)), place.alg);
      count += 1;
    }
    assert.equal(await tab.$$eval("#front .key li", (all) => all.length), 6);
    assert.deepEqual(heard, []);
    await tab.close();
  }
  return count;
}

/** Returns the module of a page, as the page's worker has it. */
async function moduleOf(page) {
  const text = readFileSync(page, "utf8");
  const part = (id) => {
    const [, rest] = text.split(`id="${id}">`);
    return new Uint8Array(inflateRawSync(Buffer.from(rest.slice(0, rest.indexOf("<")), "base64")));
  };
  const { outputFiles } = await build({ entryPoints: [join(import.meta.dirname, "src/wasm.ts")], bundle: true, format: "esm", write: false });
  const { Module } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  const module = await Module.of(part("module"));
  module.ask({ keep: {} }, [part("recordings")]);
  return module;
}

/** Asks the module of the page for new lengths on eight units: the processor's time, which other work on the machine hardly changes. */
export async function worked({ page }) {
  const module = await moduleOf(page);
  const study = (message) => ({
    workload: { alg: [], message, budget: "100us", commit: null, rate: null, burst: null },
    machines: ["8@100ns"],
    links: { rates: ["1000Mbit"], propagation: null, bare: false },
    schedules: { signer: [], verifier: [], delivery: [], commit_on_path: false, rested: false },
  });
  const times = [];
  for (let message = 64; message < 2000; message += 67) {
    const begun = process.cpuUsage();
    const { rows } = JSON.parse(module.ask({ explore: study(message) }));
    times.push(process.cpuUsage(begun).user / 1000);
    assert.ok(rows.length > 100, `${rows.length} rows`);
  }
  // The engine compiles while the lengths before are worked out.
  const later = times.slice(times.length / 2).sort((a, b) => a - b);
  const median = later[Math.floor(later.length / 2)];
  assert.ok(median < 50, `${median} ms of the processor`);
  return median;
}

/** Sets lengths of message that take other blocks, on generic units. */
export async function lengths({ open, context }) {
  const heard = [];
  const tab = await open(context, "machine=units&units=8&clock=100", heard);
  const times = [];
  for (const message of [128, 256, 512, 1024, 1400]) {
    const shown = await data(tab, "shown");
    await tab.evaluate((bytes) => { location.hash = `machine=units&units=8&clock=100&message=${bytes}`; }, message);
    await tab.waitForFunction((old) => document.documentElement.dataset.shown !== old, shown, { timeout: 20_000 });
    times.push(Number(await data(tab, "answered")));
  }
  // Beside much other work; of the processor's time `worked` asks for less.
  assert.ok(Math.min(...times) < 150, times.join());
  assert.deepEqual(heard, []);
  await tab.close();
  return times;
}
