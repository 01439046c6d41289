// The page's logic without a browser: what it computes equals what the command does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { firth, folder, open, page, sampleText, write } from "./support.mjs";

write("text", sampleText(400));
firth("cluster", "text", "-c", "9", "-o", "auto");
firth("cluster", "text", "-c", "6", "-o", "brown", "--method", "brown");
firth("cluster", "text", "-c", "5", "-o", "spectral", "--method", "spectral");
firth("convert", "auto", "flat.tsv", "--to", "classes");

function pageOf(input, name, ...options) {
  firth("report", input, "-o", name, ...options);
  return open(name);
}

for (const input of ["auto", "brown", "spectral"]) {
  test(`every cut of ${input} is that of firth convert`, async () => {
    const { model } = await pageOf(input, `${input}.html`);
    assert.ok(model.complete);
    for (let k = 1; k <= model.maxClasses; k++) {
      const cut = model.cut(k);
      assert.equal(page.classesFile(model, cut), firth("convert", input, "-", "--to", "classes", "--cut", String(k)), `classes at ${k}`);
      assert.equal(page.pathsFile(model, cut), firth("convert", input, "-", "--to", "paths", "--cut", String(k)), `paths at ${k}`);
    }
  });
}

test("flat classes have one cut and no bits", async () => {
  const { model } = await pageOf("flat.tsv", "flat.html");
  assert.equal(model.hasTree, false);
  assert.equal(page.classesFile(model, model.cut(9)), firth("convert", "flat.tsv", "-", "--to", "classes"));
  assert.equal(model.bits(0, 1), "");
  assert.equal(model.nodeAt("0"), null);
});

test("a page is an archive", async () => {
  for (const input of ["auto", "brown", "spectral", "flat.tsv"]) {
    firth("report", input, "-o", "again.html", "--text", "text");
    assert.equal(firth("convert", "again.html", "-", "--to", "json"), firth("convert", input, "-", "--to", "json"), input);
  }
});

test("nodes, bits and relatives fit together", async () => {
  const { model } = await open("brown.html");
  const cut = model.cut(7);
  for (let place = 0; place < 7; place++) {
    const [start, end] = [cut.starts[place], cut.starts[place + 1]];
    const bits = model.bits(start, end);
    const node = model.nodeAt(bits);
    assert.deepEqual([node.start, node.end], [start, end]);
    const path = model.pathTo(start, end);
    assert.equal(path.length, bits.length + 1);
    assert.equal(model.placeOfLeaf(cut, start), place);
    assert.equal(model.placeOfLeaf(cut, end - 1), place);
  }
  assert.deepEqual(model.pathTo(0, 0), model.pathTo(0, 0));
});

test("AMI at a cut is that of firth evaluate", async () => {
  const { model } = await open("auto.html");
  for (const k of [1, 2, 5, 8]) {
    firth("convert", "auto", "cut", "--to", "firth", "--cut", String(k));
    const report = JSON.parse(firth("evaluate", "cut", "--text", "text", "--json"));
    assert.ok(Math.abs(model.amiAt(k) - report.ami_bits) < 1e-9, `AMI at ${k}`);
  }
});

test("search finds what a scan finds", async () => {
  const { model } = await open("auto.html");
  const search = new page.Search(model);
  const scan = (test) => model.words.map((word, i) => [word, i]).filter(([word]) => test(word.toLowerCase())).map(([, i]) => i);
  assert.deepEqual(search.find("in").words, scan((word) => word.includes("in")));
  assert.deepEqual(search.find("^un").words, scan((word) => word.startsWith("un")));
  assert.deepEqual(search.find("ing$").words, scan((word) => word.endsWith("ing")));
  assert.deepEqual(search.find("^cat$").words, scan((word) => word === "cat"));
  assert.deepEqual(search.find("/^.e.$/").words, scan((word) => /^.e.$/u.test(word)));
  assert.deepEqual(search.find("STRASSE").words, []);
  assert.equal(model.words[search.find("stra\u00df").words[0]], "Stra\u00dfe");
  assert.equal(model.words[search.find("\u0628").words[0]], "\u0628\u064a\u062a");
  assert.deepEqual(search.find("zzz").words, []);
  assert.equal(search.find("   ").words, null);
  assert.match(search.find("/(/").error, /./);
  for (const letter of "abcdefghijklmnopqrstuvwxyz") assert.deepEqual(search.find(letter).words, scan((word) => word.includes(letter)), letter);
});

test("queries that name classes and branches", () => {
  assert.deepEqual(page.parseJump("#26"), { number: 26, only: true });
  assert.deepEqual(page.parseJump("class 26"), { number: 26, only: true });
  assert.deepEqual(page.parseJump("b0110"), { bits: "0110", only: true });
  assert.deepEqual(page.parseJump("0110"), { number: 110, only: false, bits: "0110" });
  assert.deepEqual(page.parseJump("26"), { number: 26, only: false });
  assert.equal(page.parseJump("king"), null);
});

test("words are shown without what they could do", () => {
  assert.equal(page.shownWord("a\\nb"), "a\u240ab");
  assert.equal(page.shownWord("a\\\\n"), "a\\n");
  assert.equal(page.shownWord("a\\xffb"), "a\ufffdb");
  assert.equal(page.shownWord("\u0007\u001b[31m"), "\u2407\u241b[31m");
  assert.equal(page.shownWord("a\u202eb"), "a<202E>b");
  assert.equal(page.shownWord("x".repeat(10000)).length, 121);
  assert.equal(page.fileWord("a\\\\b"), "a\\b");
  assert.equal(page.fileWord("a\\nb"), null);
  assert.equal(page.fileWord("a\tb"), null);
});

test("words are ordered by their bytes", () => {
  assert.ok(page.compareBytes("\ud83d\udc08", "\ufb01") > 0);
  assert.ok(page.compareBytes("a", "b") < 0);
  assert.equal(page.compareBytes("a", "a"), 0);
  assert.ok(page.compareBytes("\\xff", "\ud83d\udc08") > 0);
  assert.deepEqual([...page.wordBytes("a\\n\\\\\\xe9\u00e9")], [97, 10, 92, 0xe9, 0xc3, 0xa9]);
});

test("orders of words", async () => {
  const { model } = await open("auto.html");
  const spelled = (order) => page.sortedWords(model, 0, model.leafCount, order).map((word) => model.words[word]);
  const ending = spelled("ending");
  const places = ["king", "running", "singing"].map((word) => ending.indexOf(word)).sort((a, b) => a - b);
  assert.equal(places[2] - places[0], 2);
  const counts = page.sortedWords(model, 0, model.leafCount, "frequency").map((word) => model.counts[word]);
  assert.deepEqual(counts, [...counts].sort((a, b) => b - a));
});

test("tags and scores are those of firth evaluate", async () => {
  const tags = sampleText(60, 7).trim().split("\n").map((line) => line.split(" ").map((word, i) => `${word}\t${"DANVDN"[i]}`).join("\n")).join("\n\n");
  write("gold", `${tags}\n`);
  const { model } = await pageOf("auto", "gold.html", "--gold", "gold");
  for (const k of [2, 5, 9]) {
    firth("convert", "auto", "cut", "--to", "firth", "--cut", String(k));
    const report = JSON.parse(firth("evaluate", "cut", "--gold", "gold", "--json"));
    const expected = report.gold.token_scores;
    const scores = page.tagScores(model, model.cut(k));
    assert.ok(Math.abs(scores.manyToOne - expected.many_to_one) < 1e-9, `many-to-one at ${k}`);
    assert.ok(Math.abs(scores.vMeasure - expected.v_measure) < 1e-9, `V at ${k}`);
  }
});

test("comparison with itself and with another clustering", async () => {
  const same = await pageOf("auto", "same.html", "--compare", "auto");
  const comparison = (opened, k) => new page.Comparison(opened.model, page.readNumbers(opened.sections.get("OTHR"), opened.model.wordCount), opened.model.cut(k));
  const itself = comparison(same, 9);
  assert.ok(itself.vi < 1e-9);
  assert.equal(itself.shared, same.model.wordCount);
  for (let word = 0; word < same.model.wordCount; word++) assert.equal(itself.moved(word, same.model.placeOfLeaf(same.model.cut(9), same.model.leafOfWord(word))), false);
  const other = await pageOf("auto", "other.html", "--compare", "brown");
  const partition = (cut, word) => other.model.placeOfLeaf(cut, other.model.leafOfWord(word));
  const cut = other.model.cut(4);
  const found = comparison(other, 4);
  // VI from its definition: sum of p(a,b) (log p(a)/p(a,b) + log p(b)/p(a,b)).
  const joint = new Map();
  const [ours, theirs] = [new Map(), new Map()];
  const add = (map, key, weight) => map.set(key, (map.get(key) || 0) + weight);
  for (let word = 0; word < other.model.wordCount; word++) {
    const [a, b, weight] = [partition(cut, word), found.otherOf[word], other.model.counts[word] / other.model.tokens];
    add(joint, `${a} ${b}`, weight);
    add(ours, String(a), weight);
    add(theirs, String(b), weight);
  }
  let vi = 0;
  for (const [key, p] of joint) vi += p * (Math.log2(ours.get(key.split(" ")[0]) / p) + Math.log2(theirs.get(key.split(" ")[1]) / p));
  assert.ok(Math.abs(found.vi - vi) < 1e-9);
});

test("neighbours stand in the text, and more often than chance has it", async () => {
  for (const input of ["auto", "brown"]) {
    const { model, sections } = await pageOf(input, "near.html", "--text", "text");
    const nodes = page.readNeighbours(sections.get("NBRS"));
    assert.equal(nodes.length, 2 * model.classCount - 1);
    const seen = new Map();
    for (const line of sampleText(400).trim().split("\n")) {
      const words = line.split(" ");
      for (let i = 0; i + 1 < words.length; i++) seen.set(`${words[i]} ${words[i + 1]}`, (seen.get(`${words[i]} ${words[i + 1]}`) || 0) + 1);
    }
    const cut = model.cut(model.classCount);
    for (let place = 0; place < cut.k; place++) {
      const members = page.sortedWords(model, cut.starts[place], cut.starts[place + 1], "frequency").map((word) => model.words[word]);
      assert.equal(model.nodeNumber(cut.starts[place], cut.starts[place + 1]), place);
      for (const [word, count] of nodes[place][3]) {
        const expected = members.reduce((sum, member) => sum + (seen.get(`${member} ${model.words[word]}`) || 0), 0);
        assert.equal(count, expected);
      }
      for (const [word, count] of nodes[place][2]) {
        const expected = members.reduce((sum, member) => sum + (seen.get(`${model.words[word]} ${member}`) || 0), 0);
        assert.equal(count, expected);
      }
    }
    const coarse = model.cut(3);
    for (let place = 0; place < 3; place++) {
      const number = model.nodeNumber(coarse.starts[place], coarse.starts[place + 1]);
      const members = page.sortedWords(model, coarse.starts[place], coarse.starts[place + 1], "frequency").map((word) => model.words[word]);
      for (const [word, count] of nodes[number][3]) assert.equal(count, members.reduce((sum, member) => sum + (seen.get(`${member} ${model.words[word]}`) || 0), 0));
    }
  }
});

test("lines are of the text", async () => {
  const { model, sections } = await open("near.html");
  const text = ` ${sampleText(400).replaceAll("\n", " \n ")}`;
  const lines = page.jsonSection(sections, "CONC").flat();
  assert.ok(lines.length > 10);
  for (const [word, before, after] of lines) assert.ok(text.includes(` ${`${before} ${model.words[word]} ${after}`.trim()} `));
});

test("numbers of any size", () => {
  const reader = new page.Varints(Uint8Array.from([0, 127, 128, 1, 255, 255, 255, 255, 255, 255, 255, 15, 3]));
  assert.deepEqual([reader.next(), reader.next(), reader.next(), reader.next(), reader.signed()], [0, 127, 128, 2 ** 53 - 1, -2]);
  assert.throws(() => reader.next());
});

test("words left out are said", async () => {
  const { model } = await pageOf("auto", "few.html", "--words", "12");
  assert.ok(model.wordCount >= 12 && model.meta.left_out > 0);
  assert.equal(model.classCount, 9);
  const brown = await pageOf("brown", "few.html", "--words", "1");
  assert.equal(brown.model.wordCount, 6);
  assert.equal(brown.model.maxClasses, 6);
  assert.ok(folder);
});
