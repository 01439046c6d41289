// What the tests of the page share: the command, pages made with it, and the scripts of the page without a document.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const command = process.env.FIRTH;
if (!command) throw new Error("set FIRTH to the firth command");
const source = join(dirname(fileURLToPath(import.meta.url)), "../../src/report/page");

export const folder = mkdtempSync(join(tmpdir(), "firth-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export function firth(...args) {
  return execFileSync(command, args, { cwd: folder, encoding: "utf-8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
}
export function write(name, text) {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}
export function read(name) {
  return readFileSync(join(folder, name), "utf-8");
}

const names = ["codec", "model", "search", "scores", "words", "downloads"];
const exported = "{ splitSections, gunzip, base64Bytes, Varints, Model, Search, parseJump, tagScores, tagCounts, Comparison, shownWord, fileWord, sortedWords, compareBytes, wordBytes, classesFile, pathsFile, readNumbers, readNeighbours, jsonSection, NEVER }";
const code = names.map((name) => readFileSync(join(source, `${name}.js`), "utf-8")).join("\n");
export const page = new Function(`"use strict";\n${code}\nreturn ${exported};`)();

// The model and the sections of a page file.
export async function open(name) {
  const html = read(name);
  const begin = '<script type="application/octet-stream;base64" id="firth-data">';
  const from = html.indexOf(begin) + begin.length;
  const sections = page.splitSections(await page.gunzip(page.base64Bytes(html.slice(from, html.indexOf("</script>", from)))));
  return { sections, model: new page.Model(sections) };
}

// Text with a structure to find, the same at every run: numbers from a linear congruential generator.
export function sampleText(sentences, seed = 1) {
  let state = seed;
  const pick = (list) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return list[(state >>> 8) % list.length];
  };
  const nouns = ["cat", "dog", "king", "queen", "house", "river", "stone", "\u0628\u064a\u062a", "Stra\u00dfe", "\u72ac", "\ud83d\udc08", "\ufb01sh"];
  const verbs = ["sees", "likes", "finds", "builds", "takes", "running", "singing"];
  const articles = ["the", "a", "every"];
  const adjectives = ["old", "small", "red", "unkind", "unseen"];
  const lines = [];
  for (let i = 0; i < sentences; i++) lines.push([pick(articles), pick(adjectives), pick(nouns), pick(verbs), pick(articles), pick(nouns)].join(" "));
  return `${lines.join("\n")}\n`;
}
