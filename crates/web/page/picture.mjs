// Takes the picture of the page that README.md shows: node picture.mjs PAGE PNG
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [page, picture] = process.argv.slice(2);
if (picture === undefined) {
  console.error("Usage: node picture.mjs PAGE PNG   (example: node picture.mjs target/page/hasten.html docs/page.png)");
  process.exit(2);
}
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const tab = await browser.newPage({ viewport: { width: 960, height: 640 } });
await tab.goto(pathToFileURL(resolve(page)).href);
await tab.waitForSelector("html[data-ready=yes]", { timeout: 180_000 });
// All down to the end of what nothing prepared would take.
const last = await (await tab.waitForSelector("#bare svg")).boundingBox();
const height = Math.ceil(last.y + last.height + 12);
await tab.setViewportSize({ width: 960, height });
await tab.screenshot({ path: picture });
await browser.close();
