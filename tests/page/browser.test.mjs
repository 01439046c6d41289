// The page in Debian's Chromium. Run by run_browser.mjs, which sees to it that there is one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { firth, folder, open, page as logic, read, sampleText, write } from "./support.mjs";

const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf-8");
const browserPath = process.env.FIRTH_BROWSER || "/usr/bin/chromium";
const { HtmlValidate } = require("html-validate");
const pictures = process.env.FIRTH_SCREENSHOTS; // a folder for pictures to look at

let browser;

before(async () => {
  write("text", sampleText(400));
  const tags = sampleText(60, 7).trim().split("\n").map((line) => line.split(" ").map((word, i) => `${word}\t${"DANVDN"[i]}`).join("\n")).join("\n\n");
  write("gold", `${tags}\n`);
  firth("cluster", "text", "-c", "9", "-o", "auto");
  firth("cluster", "text", "-c", "6", "-o", "brown", "--method", "brown");
  firth("report", "auto", "-o", "page.html", "--text", "text", "--gold", "gold", "--compare", "brown");
  browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  // A broken browser is not a broken page.
  const blank = await browser.newPage();
  assert.equal(await blank.evaluate("1 + 1"), 2, "the browser itself does not work");
  await blank.close();
});
after(async () => browser && browser.close());

// Opens a page file in a context of its own; every request but the file and every message is a failure.
async function visit(name, { hash = "", ready = true, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, ...options });
  const tab = await context.newPage();
  const faults = [];
  const url = pathToFileURL(join(folder, name)).href;
  tab.on("request", (request) => request.url().split("#")[0] !== url && faults.push(`request: ${request.url().slice(0, 100)}`));
  tab.on("console", (message) => faults.push(`console: ${message.text()}`));
  tab.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  tab.on("dialog", (dialog) => {
    faults.push("a dialog");
    dialog.dismiss();
  });
  await tab.goto(url + hash);
  if (ready && options.javaScriptEnabled !== false) await tab.waitForSelector("html[data-ready]", { timeout: 30000 });
  return { tab, faults, done: async () => { await context.close(); assert.deepEqual(faults, []); } };
}

const rows = (tab) => tab.$$eval("#classes .row", (list) => list.map((row) => row.textContent));
const status = (tab) => tab.textContent("#found");

test("opens from disk without requests or messages", async () => {
  const { tab, done } = await visit("page.html");
  assert.match(await tab.title(), /auto/);
  assert.equal((await rows(tab)).length, 9);
  assert.equal(await status(tab), "9 classes");
  assert.ok((await tab.$$("#charts svg")).length >= 0);
  await done();
});

test("search: part, beginning, ending, expression, other scripts", async () => {
  const { tab, done } = await visit("page.html");
  const found = async (query) => {
    await tab.fill("#search", query);
    return status(tab);
  };
  assert.equal(await tab.inputValue("#order"), "tokens");
  assert.match(await found("ing"), /^3 words found/);
  assert.equal(await tab.inputValue("#order"), "matches");
  assert.match((await rows(tab))[0], /\d of \d+ words?/);
  await found("");
  assert.equal(await tab.inputValue("#order"), "tokens");
  assert.match(await found("^un"), /^2 words found/);
  assert.match(await found("ing$"), /^3 words found/);
  assert.match(await found("/^.{3}$/"), /words found/);
  assert.match(await found("stra\u00df"), /^1 word found in 1 class/);
  assert.match(await found("\u0628\u064a\u062a"), /^1 word found/);
  assert.match(await found("/(/"), /Not a regular expression/);
  assert.match(await found("nothing like it"), /^0 words found in 0 classes/);
  await tab.fill("#search", "king");
  await tab.press("#search", "Enter");
  assert.match(await tab.textContent("#detail h2"), /^Class \d+/);
  assert.match(new URL(tab.url()).hash, /w=king/);
  assert.equal(await tab.textContent("#words .row[aria-selected=true] .word"), "king");
  await tab.fill("#search", "#4");
  await tab.press("#search", "Enter");
  assert.match(await tab.textContent("#detail h2"), /^Class 4/);
  await done();
});

test("the slider cuts as firth convert does, and downloads agree", async () => {
  const { tab, done } = await visit("page.html", { acceptDownloads: true });
  for (const k of [1, 4, 7]) {
    await tab.fill("#number", String(k));
    await tab.press("#number", "Enter");
    assert.equal(await status(tab), k === 1 ? "1 class" : `${k} classes`);
    const [download] = await Promise.all([tab.waitForEvent("download"), tab.click("#get-classes")]);
    assert.equal(readFileSync(await download.path(), "utf-8"), firth("convert", "auto", "-", "--to", "classes", "--cut", String(k)));
    const [paths] = await Promise.all([tab.waitForEvent("download"), tab.click("#get-paths")]);
    assert.equal(readFileSync(await paths.path(), "utf-8"), firth("convert", "auto", "-", "--to", "paths", "--cut", String(k)));
  }
  await tab.focus("#slider");
  await tab.keyboard.press("Home");
  assert.equal(await status(tab), "1 class");
  await tab.keyboard.press("End");
  assert.equal(await status(tab), "9 classes");
  await done();
});

test("pictures can be downloaded", async () => {
  const { tab, done } = await visit("page.html", { acceptDownloads: true });
  const [svg] = await Promise.all([tab.waitForEvent("download"), tab.click("#get-svg")]);
  assert.match(readFileSync(await svg.path(), "utf-8"), /^<svg [^]*<rect[^]*<\/svg>$/);
  const [png] = await Promise.all([tab.waitForEvent("download"), tab.click("#get-png")]);
  assert.equal(readFileSync(await png.path()).subarray(1, 4).toString(), "PNG");
  await tab.waitForSelector("#charts figure");
  const [chart] = await Promise.all([tab.waitForEvent("download"), tab.click("#charts figure button")]);
  assert.match(readFileSync(await chart.path(), "utf-8"), /stroke="rgb/);
  await done();
});

test("the address says what is shown, and the way back works", async () => {
  const { tab, done } = await visit("page.html", { hash: "#k=5&c=2&q=in&o=ending&s=tree" });
  assert.match(await tab.textContent("#detail h2"), /^Class 2/);
  assert.equal(await tab.inputValue("#number"), "5");
  assert.equal(await tab.inputValue("#search"), "in");
  assert.equal(await tab.inputValue("#order"), "tree");
  assert.equal(await tab.textContent("#detail .tabs [aria-pressed=true]"), "ending");
  await tab.fill("#search", "");
  await tab.click("#classes .row >> nth=0");
  const first = await tab.textContent("#detail h2");
  await tab.click("#classes .row >> nth=3");
  assert.notEqual(await tab.textContent("#detail h2"), first);
  await tab.goBack();
  assert.equal(await tab.textContent("#detail h2"), first);
  await done();
});

test("everything can be done with the keyboard", async () => {
  const { tab, done } = await visit("page.html");
  await tab.keyboard.press("/");
  await tab.keyboard.type("cat");
  await tab.keyboard.press("Enter");
  const name = await tab.textContent("#detail h2");
  assert.match(name, /^Class/);
  await tab.keyboard.press("Escape");
  await tab.focus("#classes");
  await tab.keyboard.press("Home");
  assert.match(await tab.textContent("#detail h2"), /^Class 0/);
  await tab.keyboard.press("ArrowDown");
  assert.match(await tab.textContent("#detail h2"), /^Class 1/);
  await tab.focus("#tree");
  await tab.keyboard.press("ArrowUp");
  await tab.keyboard.press("Enter");
  await tab.keyboard.press("Escape");
  const stops = new Set();
  await tab.focus("#search");
  for (let i = 0; i < 60; i++) {
    await tab.keyboard.press("Tab");
    stops.add(await tab.evaluate(() => document.activeElement.id || document.activeElement.textContent));
  }
  for (const id of ["slider", "number", "scheme", "tree", "order", "classes", "words", "get-classes"]) assert.ok(stops.has(id), id);
  await done();
});

test("the tree: click, drag of the line, zoom", async () => {
  const { tab, done } = await visit("page.html");
  const box = await (await tab.$("#tree")).boundingBox();
  await tab.mouse.click(box.x + box.width / 2, box.y + box.height - 20);
  assert.ok(await tab.isVisible("#detail"));
  await tab.mouse.dblclick(box.x + box.width / 3, box.y + box.height / 2);
  await tab.click("#zoom-all");
  await tab.waitForTimeout(400);
  await tab.fill("#number", "4");
  await tab.press("#number", "Enter");
  await tab.waitForTimeout(100);
  const line = await tab.evaluate(() => 270 * (Math.log(4.5) / Math.log(10)));
  const top = (await (await tab.$("#tree")).boundingBox()).y;
  await tab.mouse.move(box.x + 300, top + line);
  await tab.mouse.down();
  await tab.mouse.move(box.x + 300, top + 5, { steps: 4 });
  await tab.mouse.up();
  assert.equal(await tab.inputValue("#number"), "1");
  await done();
});

test("neighbours, lines, tags and comparison", async () => {
  const { tab, done } = await visit("page.html", { hash: "#w=king" });
  const text = await tab.textContent("#detail");
  for (const part of ["Company", "In the text", "Tags", "In the other clustering"]) assert.ok(text.includes(part), part);
  await tab.waitForSelector("#comparison .facts-table");
  assert.match(await tab.textContent("#comparison"), /variation of information/);
  assert.match(await tab.textContent("#scores"), /V-measure/);
  await done();
});

test("hostile words are words", async () => {
  const words = ["<script>alert(1)</script>", "</script>", "<img src=x onerror=alert(1)>", "&amp;", "'\"`", "x".repeat(10000), "a\u0007b\u001b[31m", "\u202eevil", "\u0628\u064a\u062a", "{{data}}", "javascript:alert(1)", "__proto__", "constructor"];
  write("hostile", JSON.stringify({ format: "firth-clustering", version: 1, classes: [{ class: 0, words: [...words, "line\nend", "tab\tstop"].map((word, i) => ({ word, count: 100 - i })) }, { class: 1, words: [{ word: "plain", count: 1 }] }], leaves: "classes", tree: { children: [{ class: 0 }, { class: 1 }] } }));
  firth("report", "hostile", "-o", "hostile.html", "--title", "<script>alert(2)</script>");
  const { tab, done } = await visit("hostile.html", { hash: "#c=0" });
  assert.equal(await tab.textContent("h1"), "<script>alert(2)</script>");
  const shown = await tab.$$eval("#words .word", (list) => list.map((word) => word.textContent));
  assert.equal(shown[0], words[0]);
  for (const word of words.slice(0, 5)) {
    await tab.fill("#search", word);
    assert.match(await status(tab), /words? found/);
    assert.ok(!(await status(tab)).startsWith("0"), word);
  }
  await tab.fill("#search", "xxxxxx");
  assert.match(await status(tab), /^1 word found/);
  await tab.fill("#search", "__proto__");
  await tab.press("#search", "Enter");
  await tab.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await tab.$$eval("#paper script, #detail script, #classes script, img", (list) => list.length), 0);
  assert.equal(firth("convert", "hostile.html", "-", "--to", "json"), firth("convert", "hostile", "-", "--to", "json"));
  await done();
});

test("one class, flat classes, words without counts", async () => {
  write("one", "a\t0\nb\t0\nc\t0\n");
  write("flat", "a\t0\nb\t0\nc\t1\nd\t2\n");
  firth("convert", "auto", "single", "--to", "firth", "--cut", "1");
  for (const [input, classes] of [["one", "1 class"], ["flat", "3 classes"], ["single", "1 class"]]) {
    firth("report", input, "-o", "small.html");
    const { tab, done } = await visit("small.html", { hash: "#c=0" });
    assert.equal(await status(tab), classes);
    assert.match(await tab.textContent("#detail h2"), /^Class 0/);
    await tab.waitForTimeout(200);
    await done();
  }
});

test("without JavaScript there is a list", async () => {
  const { tab, done } = await visit("page.html", { javaScriptEnabled: false });
  assert.match(await tab.textContent("main"), /king/);
  await done();
});

test("axe finds nothing, in light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { tab, done } = await visit("page.html", { hash: "#w=king", colorScheme, bypassCSP: true });
    await tab.waitForSelector("#charts figure");
    await tab.fill("#search", "in");
    await tab.evaluate(axe);
    const found = await tab.evaluate(() => window.axe.run());
    assert.deepEqual(found.violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).slice(0, 3).join(" | ")}`), []);
    await done();
  }
});

// Words that look like words, in 1,000 classes, with counts by Zipf's law.
function largeClustering(size) {
  const lines = [];
  let state = 1;
  const next = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 4) % n;
  };
  const parts = ["an", "ber", "con", "de", "el", "fir", "gra", "ho", "in", "jo", "ka", "lin", "mor", "ne", "or", "pre", "qui", "ra", "sta", "tion", "un", "ver", "wo", "xi", "ya", "zen"];
  const seen = new Set();
  for (let i = 0; lines.length < size; i++) {
    let word = "";
    for (let n = 2 + next(3); n > 0; n--) word += parts[next(parts.length)];
    if (seen.has(word)) word += i;
    seen.add(word);
    lines.push(`${next(1000).toString(2).padStart(10, "0")}\t${word}\t${1 + Math.floor(10000000 / (i + 10))}\n`);
  }
  write("large", lines.join(""));
  // Pairs of the words, for the neighbours of classes: a table of left, right and count.
  const words = [...seen];
  const pairs = [];
  for (let i = 0; i < words.length; i++) pairs.push(`${words[i]} ${words[next(1 + next(words.length))]} ${1 + next(9)}\n`);
  write("pairs", pairs.join(""));
}

// Times of a page of many words. Milliseconds of the processor do not depend on what else the machine does.
async function measure(name) {
  const began = Date.now();
  const { tab, done } = await visit(name);
  const ready = Date.now() - began;
  const paint = await tab.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  const session = await tab.context().newCDPSession(tab);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const used = async () => Math.round(1000 * (await session.send("Performance.getMetrics")).metrics.find((metric) => metric.name === "TaskDuration").value);
  const processor = async (work) => {
    const before = await used();
    await work();
    return (await used()) - before;
  };
  const keys = [];
  for (const query of ["t", "ti", "tio", "tion", "^un", "ion$", "/z+e/"]) {
    keys.push(await processor(() => tab.evaluate((text) => {
      const field = document.getElementById("search");
      field.value = text;
      field.dispatchEvent(new Event("input"));
    }, query)));
  }
  await tab.fill("#search", "");
  await tab.click("#classes .row >> nth=5");
  const nodes = await tab.evaluate(() => document.querySelectorAll("*").length);
  const cut = await processor(() => tab.evaluate(() => {
    const slider = document.getElementById("slider");
    slider.value = 600;
    slider.dispatchEvent(new Event("input"));
  }));
  await tab.reload(); // counts from the start again
  await tab.waitForSelector("html[data-ready]", { timeout: 60000 });
  const start = await used();
  const bytes = read(name).length;
  console.log(`${name}: ${bytes} bytes, first paint ${Math.round(paint)} ms, ready ${ready} ms; of the processor: start ${start} ms, keystrokes ${keys.join(" ")} ms, cut ${cut} ms; ${nodes} nodes`);
  await done();
  return { bytes, paint, ready, start, keys, nodes };
}

// Limits of time are loose, for busy machines; docs/report.md has what an idle one takes.
test("300,000 words in 1,000 classes with neighbours: size, first paint, keystrokes, nodes", { timeout: 240000 }, async () => {
  largeClustering(300000);
  firth("report", "large", "-o", "large.html", "--text", "pairs", "--format", "counts");
  const { bytes, paint, start, keys, nodes } = await measure("large.html");
  assert.ok(bytes < 3e6, `${bytes} bytes`);
  assert.ok(nodes < 1500, `${nodes} nodes`);
  assert.ok(paint < 5000, `first paint ${paint}`);
  assert.ok(start < 3000, `start ${start}`);
  assert.ok(keys.sort((a, b) => a - b)[3] < 75, `keystrokes ${keys}`);
});

test("a million words", { timeout: 240000, skip: !process.env.FIRTH_LARGE_PAGE && "takes a minute: set FIRTH_LARGE_PAGE" }, async () => {
  largeClustering(1000000);
  firth("report", "large", "-o", "huge.html", "--words", "all");
  const { ready, start, nodes } = await measure("huge.html");
  assert.ok(ready < 15000, `ready after ${ready} ms`);
  assert.ok(start < 2000, `start ${start}`);
  assert.ok(nodes < 1500, `${nodes} nodes`);
});

test("pages are valid HTML", async () => {
  firth("compare", "text", "--methods", "auto:fast,brown", "--classes", "4,8", "--seeds", "2", "-o", "table");
  const validator = new HtmlValidate({ extends: ["html-validate:standard"], rules: { "no-trailing-whitespace": "off" } });
  for (const name of ["page.html", "table/compare.html"]) {
    // The data is one line of base64, which only takes time.
    const html = read(name).replace(/(id="firth-data">)[^<]*/, "$1");
    const report = await validator.validateString(html);
    const messages = report.results.flatMap((result) => result.messages.map((message) => `${name}:${message.line}: ${message.ruleId}: ${message.message}`));
    assert.deepEqual(messages, []);
  }
});

test("the page of a comparison", async () => {
  const { tab, done } = await visit("table/compare.html", { javaScriptEnabled: false });
  assert.equal(await tab.$$eval("tbody tr", (list) => list.length), 4);
  assert.ok((await tab.$$("svg polyline")).length > 4);
  await done();
  const checked = await visit("table/compare.html", { bypassCSP: true, ready: false });
  await checked.tab.evaluate(axe);
  const found = await checked.tab.evaluate(() => window.axe.run());
  assert.deepEqual(found.violations.map((violation) => violation.id), []);
  await checked.done();
});

test("on paper, the page is a list of classes", async () => {
  const { tab, done } = await visit("page.html");
  await tab.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await tab.emulateMedia({ media: "print" });
  assert.ok(!(await tab.isVisible("main")));
  assert.match(await tab.innerText("#paper"), /king/);
  if (pictures) await tab.screenshot({ path: join(pictures, "print.png"), fullPage: true });
  await done();
});

test("pictures to look at", { skip: !pictures && "set FIRTH_SCREENSHOTS to a folder" }, async () => {
  const shots = [["light", { colorScheme: "light" }], ["dark", { colorScheme: "dark" }], ["narrow", { viewport: { width: 400, height: 800 } }], ["forced", { forcedColors: "active" }]];
  for (const [name, options] of shots) {
    const { tab, done } = await visit("page.html", { hash: "#w=king", ...options });
    await tab.waitForTimeout(600);
    await tab.screenshot({ path: join(pictures, `${name}.png`), fullPage: name === "narrow" });
    await done();
  }
  assert.ok(logic && open);
});
