// One class: its words, its company, its place in the tree.

const WORD_ORDERS = { frequency: "frequency", alphabet: "alphabet", ending: "ending", typical: "typical first" };

class Detail {
  // app: { model, cut(), selectNode(node), selectWord(word), query(), extras }
  constructor(box, app) {
    this.app = app;
    this.box = box;
    this.order = "frequency";
    this.words = [];
    this.head = el("div", { class: "detail-head" });
    this.orders = el("div", { class: "tabs", role: "group", "aria-label": "Order of the words" });
    this.list = el("div", { class: "list words", id: "words" });
    this.rest = el("div", { class: "detail-rest" });
    replace(box, this.head, this.orders, this.list, this.rest);
    this.view = new VirtualList(this.list, {
      rowHeight: 24,
      label: "Words of the class",
      draw: (index, row) => this.drawWord(this.words[index], row),
      select: (index) => app.chooseWord(this.words[index]),
    });
  }

  show(node, word) {
    const same = this.node && node && this.node.start === node.start && this.node.end === node.end;
    this.node = node;
    this.box.hidden = !node;
    if (!node) return;
    this.drawHead();
    this.drawOrders();
    if (!same) this.sortWords();
    this.largest = this.app.model.counts[this.app.model.top(node.start, node.end, 1)[0]];
    const index = word === null ? -1 : this.words.indexOf(word);
    this.list.style.height = `${Math.min(17 * 15, Math.max(3, this.words.length) * 24 + 2)}px`;
    this.view.show(this.words.length, index);
    if (index >= 0) this.view.reveal(index);
    else if (!same) this.list.scrollTop = 0;
    this.drawRest();
  }

  sortWords() {
    this.words = sortedWords(this.app.model, this.node.start, this.node.end, this.order, this.app.extras.typicality);
  }

  setOrder(order) {
    this.order = order;
    if (!this.node) return;
    this.sortWords();
    this.drawOrders();
    this.view.show(this.words.length);
    this.list.scrollTop = 0;
  }

  drawHead() {
    const { model } = this.app;
    const { start, end } = this.node;
    const number = this.app.numberOf(this.node);
    const tokens = model.rangeTokens(start, end);
    const words = model.rangeWords(start, end);
    const facts = [counted(words, "word", "words")];
    if (model.tokens > 0) facts.push(`${grouped(tokens)} tokens (${percent(tokens / model.tokens)})`);
    if (words > 1 && tokens > 0) facts.push(`as varied as ${grouped(Math.round(2 ** model.rangeEntropy(start, end)))} equally frequent words`);
    const bits = model.bits(start, end);
    replace(
      this.head,
      el("h2", {}, number >= 0 ? `Class ${number}` : "Branch of the tree", bits ? el("code", {}, bits.length > 60 ? shortBits(bits) : bits) : null),
      el("p", { class: "facts" }, facts.join(" \u00b7 ")),
      this.relatives(),
    );
  }

  // Where to go from here in the tree.
  relatives() {
    const { model } = this.app;
    const path = model.pathTo(this.node.start, this.node.end);
    const parent = path[path.length - 2];
    const links = [];
    const link = (label, node) => {
      const words = model.top(node.start, node.end, 4).map((word) => wordEl(model.words[word], {}, 20));
      links.push(el("button", { type: "button", class: "relative", onclick: () => this.app.selectNode(node) }, el("span", {}, label), ...words.flatMap((word) => [" ", word])));
    };
    if (parent) {
      link(`up (one class at ${grouped(model.splitsAt(parent.fork) - 1)})`, parent);
      link("sister", model.children(parent).find((child) => child.start !== this.node.start || child.end !== this.node.end));
    }
    model.children(path[path.length - 1] || { fork: 0 }).forEach((child, i) => link(`part ${i}`, child));
    return links.length > 0 ? el("nav", { class: "relatives", "aria-label": "Relatives in the tree" }, ...links) : null;
  }

  drawOrders() {
    const orders = Object.entries(WORD_ORDERS).filter(([order]) => order !== "typical" || this.app.extras.typicality);
    replace(this.orders, ...orders.map(([order, name]) => button(name, () => this.app.setWordOrder(order), { "aria-pressed": order === this.order ? "true" : "false" })),
      el("span", { class: "spring" }),
      button("copy", () => this.copy(), { title: "Copy the words with their counts" }));
  }

  async copy() {
    const { model } = this.app;
    await copyText(this.words.map((word) => `${shownWord(model.words[word], Infinity)}\t${model.counts[word]}\n`).join(""));
    this.app.say(`${counted(this.words.length, "word", "words")} copied`);
  }

  drawWord(word, row) {
    const { model, extras } = this.app;
    const bar = el("i", { class: "bar" });
    bar.style.width = `${this.largest > 0 ? Math.max(0.4, (100 * model.counts[word]) / this.largest) : 0}%`;
    const other = this.app.comparison();
    const place = other ? this.app.placeOf(this.node) : -1;
    row.classList.toggle("ending", this.order === "ending");
    fill(row, {}, [
      wordEl(model.words[word], { class: "word", title: model.words[word].length > 60 ? `${grouped(model.words[word].length)} characters` : null }),
      el("span", { class: "track" }, bar),
      el("span", { class: "count" }, model.tokens > 0 ? grouped(model.counts[word]) : ""),
      other ? el("span", { class: "moved" }, place >= 0 && other.moved(word, place) ? `\u2192 ${extras.otherOf[word] - 1}` : "") : null,
    ]);
  }

  drawRest() {
    replace(this.rest, this.tags(), this.neighbours(), this.close(), this.lines(), this.partners());
  }

  tags() {
    const { model } = this.app;
    const gold = model.meta.gold;
    if (!gold) return null;
    const counts = tagCounts(gold, ...model.classesIn(this.node.start, this.node.end));
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total === 0) return el("section", {}, el("h3", {}, "Tags"), el("p", { class: "note" }, "No word of this class is in the tagged text."));
    const order = [...counts.keys()].filter((tag) => counts[tag] > 0).sort((a, b) => counts[b] - counts[a]).slice(0, 8);
    const rows = order.map((tag) => {
      const bar = el("i", { class: "bar" });
      bar.style.width = `${(100 * counts[tag]) / total}%`;
      return el("li", {}, el("span", { class: "tag" }, shownWord(gold.tags[tag], 20)), el("span", { class: "track" }, bar), el("span", { class: "count" }, percent(counts[tag] / total)));
    });
    return el("section", {}, el("h3", {}, "Tags"), el("ul", { class: "tags" }, ...rows));
  }

  neighbours() {
    const { model, extras } = this.app;
    if (!extras.neighbours) return null;
    const number = model.nodeNumber(this.node.start, this.node.end);
    if (number < 0 || !extras.neighbours[number]) return null;
    const [classesBefore, classesAfter, wordsBefore, wordsAfter] = extras.neighbours[number];
    const column = (title, classes, words) =>
      el("div", {}, el("h4", {}, title), el("p", { class: "near-words" }, ...words.flatMap(([word, count]) => [this.wordLink(word, `${grouped(count)} times`), " "])), el("ul", { class: "near" }, ...this.classRows(classes)));
    return el("section", {}, el("h3", {}, "Company"), el("div", { class: "columns" }, column("before", classesBefore, wordsBefore), column("after", classesAfter, wordsAfter)));
  }

  wordLink(word, title) {
    return el("button", { type: "button", class: "link", title, onclick: () => this.app.selectWord(word) }, wordEl(this.app.model.words[word], {}, 24));
  }

  // Neighbouring classes as they are in the current cut, with how much more often they are there than chance has it.
  classRows(classes) {
    const { model } = this.app;
    const cut = this.app.cut();
    const sums = new Map();
    for (const [place, count] of classes) {
      const here = model.placeOfLeaf(cut, model.overWords ? model.classStart[place] : place);
      sums.set(here, (sums.get(here) || 0) + count);
    }
    const own = model.rangeTokens(this.node.start, this.node.end);
    return [...sums].slice(0, 8).map(([place, count]) => {
      const lift = (count * model.tokens) / (own * cut.tokens[place]);
      const words = model.top(cut.starts[place], cut.starts[place + 1], 3).flatMap((word) => [" ", wordEl(model.words[word], {}, 16)]);
      return el("li", {}, el("button", { type: "button", class: "link", onclick: () => this.app.selectPlace(place) }, el("b", {}, String(cut.number[place])), ...words), el("span", { class: "count" }, lift >= 1.05 ? `\u00d7\u2009${lift < 10 ? lift.toFixed(1) : grouped(Math.round(lift))}` : ""));
    });
  }

  close() {
    const { model, extras } = this.app;
    const [from, to] = model.classesIn(this.node.start, this.node.end);
    if (!extras.near || to - from !== 1) return null;
    const cut = this.app.cut();
    const rows = extras.near[from].map(([place, cosine]) => {
      const here = model.placeOfLeaf(cut, model.overWords ? model.classStart[place] : place);
      const words = model.top(cut.starts[here], cut.starts[here + 1], 3).flatMap((word) => [" ", wordEl(model.words[word], {}, 16)]);
      return el("li", {}, el("button", { type: "button", class: "link", onclick: () => this.app.selectPlace(here) }, el("b", {}, String(cut.number[here])), ...words), el("span", { class: "count" }, cosine.toFixed(2)));
    });
    return el("section", {}, el("h3", {}, "Close by their vectors"), el("ul", { class: "near" }, ...rows));
  }

  lines() {
    const { model, extras } = this.app;
    if (!extras.lines) return null;
    const [from, to] = model.classesIn(this.node.start, this.node.end);
    const lines = extras.lines.slice(from, Math.min(to, from + 400)).flat().filter(([word]) => word >= model.leafStart[this.node.start] && word < model.leafStart[this.node.end]);
    lines.sort((a, b) => model.counts[b[0]] - model.counts[a[0]]);
    if (lines.length === 0) return null;
    const rows = lines.slice(0, 8).map(([word, before, after]) => el("tr", {}, el("td", {}, el("bdi", {}, shownWord(before, 200))), el("td", {}, this.wordLink(word)), el("td", {}, el("bdi", {}, shownWord(after, 200)))));
    return el("section", {}, el("h3", {}, "In the text"), el("table", { class: "lines" }, el("tbody", {}, ...rows)));
  }

  partners() {
    const other = this.app.comparison();
    const place = this.app.placeOf(this.node);
    if (!other || place < 0) return null;
    const { model, extras } = this.app;
    const total = other.ours[place];
    const rows = other.rows[place].slice(0, 6).map(([id, weight]) => {
      const bar = el("i", { class: "bar" });
      bar.style.width = `${total > 0 ? (100 * weight) / total : 0}%`;
      const words = extras.otherTop(id).flatMap((word) => [" ", wordEl(model.words[word], {}, 16)]);
      return el("li", {}, el("span", { class: "partner" }, el("b", {}, String(id)), ...words), el("span", { class: "track" }, bar), el("span", { class: "count" }, total > 0 ? percent(weight / total) : ""));
    });
    return el("section", {}, el("h3", {}, "In the other clustering"), rows.length > 0 ? el("div", {}, el("ul", { class: "tags" }, ...rows), el("p", { class: "note" }, "A word with \u2192 N is in class N there, apart from most of these words.")) : el("p", { class: "note" }, "It has none of these words."));
  }
}
