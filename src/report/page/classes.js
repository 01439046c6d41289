// The list of classes: a row per class, as the viewers of Brown clusters have always had it.

const CLASS_ORDERS = {
  tree: "in the order of the tree",
  tokens: "by tokens",
  words: "by words",
  variety: "by variety (entropy)",
  matches: "by words found",
};

class ClassList {
  // app: { model, cut(), found(), query(), selectPlace(place) }
  constructor(box, app) {
    this.app = app;
    this.order = null; // by tokens, or by words found while something is searched for
    this.places = [];
    this.list = new VirtualList(box, {
      rowHeight: 46,
      label: "Classes",
      draw: (index, row) => this.draw(this.places[index], row),
      select: (index) => app.selectPlace(this.places[index]),
    });
  }

  shownOrder() {
    return this.order || (this.matches ? "matches" : "tokens");
  }

  // Shows the classes of the cut, those with matches only when something is searched for.
  update(selected) {
    const { model } = this.app;
    const cut = this.app.cut();
    const found = this.app.found();
    this.matches = found ? matchesByPlace(model, cut, found) : null;
    const places = this.matches ? [...this.matches.keys()] : Array.from({ length: cut.k }, (_, i) => i);
    const order = this.shownOrder();
    const keys = {
      tree: (place) => place,
      tokens: (place) => cut.number[place],
      words: (place) => -model.rangeWords(cut.starts[place], cut.starts[place + 1]),
      variety: (place) => -model.rangeEntropy(cut.starts[place], cut.starts[place + 1]),
      matches: (place) => (this.matches ? this.matches.get(place).from - this.matches.get(place).to : 0),
    };
    const key = Float64Array.from({ length: cut.k }, (_, place) => (this.matches && !this.matches.has(place) ? 0 : keys[order](place)));
    this.places = order === "tokens" && !this.matches ? [...cut.byNumber] : places.sort((a, b) => key[a] - key[b] || cut.number[a] - cut.number[b]);
    this.largest = cut.k > 0 ? cut.tokens[cut.byNumber[0]] : 0;
    this.list.show(this.places.length, this.places.indexOf(selected));
    return this.places.length;
  }

  reveal(place) {
    const index = this.places.indexOf(place);
    this.list.activate(index);
    this.list.reveal(index);
  }

  draw(place, row) {
    const { model } = this.app;
    const cut = this.app.cut();
    const start = cut.starts[place];
    const end = cut.starts[place + 1];
    const tokens = cut.tokens[place];
    const bar = el("i", { class: "bar" });
    bar.style.width = `${this.largest > 0 ? Math.max(0.5, (100 * tokens) / this.largest) : 0}%`;
    const chip = el("i", { class: "chip" });
    chip.style.setProperty("--hue", hueAt((start + end) / 2 / Math.max(1, model.leafCount)));
    const line = el("span", { class: "row-words" });
    const { from, to } = this.matches ? this.matches.get(place) : { from: 0, to: 0 };
    const hits = mostFrequent(model, from, to, 20, this.app.found());
    for (const word of hits) line.append(markedWord(model.words[word], this.app.query()), " ");
    if (to - from > hits.length) line.append(`+ ${grouped(to - from - hits.length)} more `);
    const shown = new Set(hits);
    for (const word of model.top(start, end, 14)) if (!shown.has(word)) line.append(wordEl(model.words[word], {}, 24), " ");
    row.append(
      el("span", { class: "row-head" }, chip, el("b", {}, String(cut.number[place])), el("code", {}, shortBits(model.bits(start, end))), el("span", { class: "sizes" }, this.matches ? `${grouped(to - from)} of ` : "", counted(model.rangeWords(start, end), "word", "words"), model.tokens > 0 ? ` \u00b7 ${percent(tokens / model.tokens)}` : "", el("span", { class: "track" }, bar))),
      line,
    );
  }
}

function shortBits(bits) {
  return bits.length > 22 ? `${bits.slice(0, 10)}\u2026${bits.slice(-10)}` : bits;
}

// For each class with found words: where they begin and end in the list of all found words, which is in the order of the tree.
function matchesByPlace(model, cut, words) {
  const matches = new Map();
  let place = 0;
  let from = 0;
  words.forEach((word, i) => {
    if (word < model.leafStart[cut.starts[place + 1]]) return;
    if (i > from) matches.set(place, { from, to: i });
    from = i;
    while (model.leafStart[cut.starts[place + 1]] <= word) place++;
  });
  if (words.length > from) matches.set(place, { from, to: words.length });
  return matches;
}
