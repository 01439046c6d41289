// The page: what is chosen, what is shown, and the address that says so.

class App {
  constructor(model, sections) {
    this.model = model;
    this.search = new Search(model);
    this.state = { k: model.classCount, node: null, word: null, query: "" };
    this.result = { words: null, jump: null };
    this.extras = this.readExtras(sections);
    this.currentCut = model.cut(this.state.k);
    this.list = new ClassList(byId("classes"), this.listFace());
    this.detail = new Detail(byId("detail"), this);
    this.icicle = new Icicle(byId("tree"), this.treeFace());
    this.prepareControls();
  }

  readExtras(sections) {
    const { model } = this;
    const extras = { typicality: sections.get("TYPI") || null, near: jsonSection(sections, "NEAR"), lines: jsonSection(sections, "CONC") };
    if (sections.has("NBRS")) extras.neighbours = readNeighbours(sections.get("NBRS"));
    if (sections.has("OTHR")) {
      extras.otherOf = readNumbers(sections.get("OTHR"), model.wordCount);
      const tops = new Map();
      extras.otherOf.forEach((id, word) => {
        if (id === 0) return;
        const top = tops.get(id - 1) || [];
        top.push(word);
        top.sort((a, b) => model.counts[b] - model.counts[a]);
        tops.set(id - 1, top.slice(0, 3));
      });
      extras.otherTop = (id) => tops.get(id) || [];
    }
    return extras;
  }

  listFace() {
    return { model: this.model, cut: () => this.currentCut, found: () => this.result.words, query: () => this.state.query, selectPlace: (place) => this.selectPlace(place) };
  }
  treeFace() {
    return {
      model: this.model,
      cut: () => this.currentCut,
      selected: () => this.state.node,
      matches: () => this.result.words,
      select: (node) => this.selectNode(node),
      setClasses: (k) => this.setClasses(k),
      hover: (node, event) => this.hover(node, event),
    };
  }

  cut() {
    return this.currentCut;
  }
  query() {
    return this.state.query;
  }

  // The comparison with the other clustering at this cut, or null.
  comparison() {
    if (!this.extras.otherOf) return null;
    if (!this.compared || this.compared.cut !== this.currentCut) this.compared = { cut: this.currentCut, value: new Comparison(this.model, this.extras.otherOf, this.currentCut) };
    return this.compared.value;
  }

  // Place of the node in the cut, -1 if it is not one of its classes.
  placeOf(node) {
    if (!node) return -1;
    const place = this.model.placeOfLeaf(this.currentCut, node.start);
    return this.currentCut.starts[place] === node.start && this.currentCut.starts[place + 1] === node.end ? place : -1;
  }
  numberOf(node) {
    const place = this.placeOf(node);
    return place < 0 ? -1 : this.currentCut.number[place];
  }
  nodeOfPlace(place) {
    const { starts } = this.currentCut;
    return this.model.pathTo(starts[place], starts[place + 1]).pop() || null;
  }

  // Changes of state.

  setClasses(wanted, record = "replace") {
    const { model } = this;
    if (!model.hasTree) return;
    const k = Math.max(model.minClasses, Math.min(model.maxClasses, wanted || 1));
    if (k !== this.state.k) {
      this.state.k = k;
      this.currentCut = model.cut(k);
      if (this.state.node) this.state.node = this.nodeOfPlace(model.placeOfLeaf(this.currentCut, this.state.word === null ? this.state.node.start : model.leafOfWord(this.state.word)));
    }
    this.refresh(record);
  }

  selectPlace(place) {
    this.selectNode(this.nodeOfPlace(place));
  }
  selectNode(node, word = null) {
    this.state.node = node;
    this.state.word = word;
    this.refresh("push", false);
  }
  // Goes to the class of a word, and shows the word there.
  selectWord(word) {
    this.selectNode(this.nodeOfPlace(this.model.placeOfLeaf(this.currentCut, this.model.leafOfWord(word))), word);
  }
  // A word of the class that is shown.
  chooseWord(word) {
    this.state.word = word;
    this.writeAddress("replace");
  }
  setWordOrder(order) {
    this.detail.setOrder(order);
    this.writeAddress("replace");
  }

  setQuery(query, record = "replace") {
    this.state.query = query;
    this.result = this.search.find(query);
    if (byId("search").value !== query) byId("search").value = query;
    this.refresh(record);
  }

  refresh(record, listChanged = true) {
    if (listChanged) {
      const shown = this.list.update(this.placeOf(this.state.node));
      this.describeList(shown);
      byId("order").value = this.list.shownOrder();
      this.showControls();
      this.later();
    }
    this.list.reveal(this.placeOf(this.state.node));
    this.detail.show(this.state.node, this.state.word);
    byId("layout").classList.toggle("with-detail", this.state.node !== null);
    this.breadcrumb();
    this.icicle.draw();
    this.writeAddress(record);
  }

  // Charts and tables need not keep up with a moving slider.
  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      replace(byId("charts"), ...numbersOf(this));
      replace(byId("scores"), scoreFacts(this));
      const comparison = comparisonFacts(this);
      if (comparison) byId("comparison").replaceWith(comparison);
    }, 120);
  }

  describeList(shown) {
    const { words, error, jump } = this.result;
    let text = counted(shown, "class", "classes");
    if (words) text = `${counted(words.length, "word", "words")} found in ${counted(shown, "class", "classes")}`;
    if (error) text = `Not a regular expression: ${error}`;
    byId("found").textContent = text;
    const links = [];
    if (jump && jump.number !== undefined && jump.number < this.currentCut.k) links.push(button(`Go to class ${jump.number}`, () => this.selectPlace(this.currentCut.byNumber[jump.number])));
    const node = jump && jump.bits ? this.model.nodeAt(jump.bits) : null;
    if (node) links.push(button(`Go to branch ${jump.bits}`, () => this.goTo(node)));
    if (jump && jump.only && links.length === 0) byId("found").textContent = jump.bits ? `There is no branch ${jump.bits}.` : `There is no class ${jump.number} among ${grouped(this.currentCut.k)}.`;
    replace(byId("jumps"), ...links);
  }

  goTo(node) {
    this.selectNode(node);
    this.icicle.zoomTo(node);
  }

  breadcrumb() {
    const { node } = this.state;
    const path = node ? this.model.pathTo(node.start, node.end) : [];
    const shown = path.length > 14 ? [...path.slice(0, 3), null, ...path.slice(-9)] : path;
    replace(byId("path"), ...shown.map((step, i) => {
      if (step === null) return el("li", { class: "gap" }, "\u2026");
      const above = path[path.indexOf(step) - 1];
      const name = above ? (step.start === above.start ? "0" : "1") : "root";
      return el("li", {}, button(name, () => this.goTo(step), { "aria-current": i === shown.length - 1 ? "true" : null, title: above ? `branch ${this.model.bits(step.start, step.end)}` : "the whole tree" }));
    }));
  }

  hover(node, event) {
    const tip = byId("tip");
    tip.hidden = !node;
    if (!node) return;
    const { model } = this;
    const number = this.numberOf(node);
    replace(tip, el("b", {}, number >= 0 ? `class ${number}` : counted(model.rangeWords(node.start, node.end), "word", "words")), " ", el("code", {}, shortBits(model.bits(node.start, node.end))), el("br"), ...model.top(node.start, node.end, 6).flatMap((word) => [wordEl(model.words[word], {}, 30), " "]));
    const left = Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8);
    const top = event.clientY + 16 + tip.offsetHeight > window.innerHeight ? event.clientY - tip.offsetHeight - 8 : event.clientY + 16;
    tip.style.transform = `translate(${Math.max(4, left)}px, ${top}px)`;
  }

  // Controls.

  prepareControls() {
    const { model } = this;
    for (const [order, name] of Object.entries(CLASS_ORDERS)) byId("order").append(el("option", { value: order, selected: order === "tokens" }, name));
    byId("order").addEventListener("change", () => {
      this.list.order = byId("order").value;
      this.refresh("replace");
    });
    byId("width").addEventListener("change", () => this.icicle.setWidth(byId("width").value));
    byId("search").addEventListener("input", () => this.setQuery(byId("search").value));
    byId("search").addEventListener("keydown", (event) => this.searchKey(event));
    byId("cut").hidden = !model.hasTree || model.minClasses === model.maxClasses;
    byId("tree-card").hidden = !model.hasTree || model.leafCount < 2;
    byId("slider").addEventListener("input", () => this.setClasses(this.fromSlider(Number(byId("slider").value))));
    Object.assign(byId("number"), { min: model.minClasses, max: model.maxClasses });
    byId("number").addEventListener("change", () => this.setClasses(Math.round(Number(byId("number").value))));
    byId("as-made").addEventListener("click", () => this.setClasses(model.classCount));
    for (const [id, act] of Object.entries(this.actions())) byId(id).addEventListener("click", act);
    byId("get-paths").hidden = !model.complete;
    replace(byId("about"), aboutRun(model));
    window.addEventListener("hashchange", () => this.readAddress());
    window.addEventListener("beforeprint", () => this.preparePrint());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  actions() {
    const name = (ending) => `classes-${this.state.k}.${ending}`;
    return {
      "zoom-in": () => this.icicle.scaleBy(0.6),
      "zoom-out": () => this.icicle.scaleBy(1 / 0.6),
      "zoom-all": () => this.icicle.zoomTo(null),
      "get-png": () => byId("tree").toBlob((blob) => saveFile(name("png"), blob)),
      "get-svg": () => saveFile(name("svg"), new XMLSerializer().serializeToString(this.icicle.svg()), "image/svg+xml"),
      "get-classes": () => saveFile(name("tsv"), classesFile(this.model, this.currentCut), "text/tab-separated-values"),
      "get-paths": () => saveFile(name("paths"), pathsFile(this.model, this.currentCut), "text/plain"),
      scheme: () => setScheme(document.documentElement.dataset.scheme === "dark" ? "light" : "dark", this),
    };
  }

  searchKey(event) {
    if (event.key === "Escape") this.setQuery("");
    if (event.key !== "Enter") return;
    const { jump, words } = this.result;
    const exact = words ? words.filter((word) => this.model.words[word].toLowerCase() === this.state.query.trim().toLowerCase()) : [];
    if (jump && jump.only && jump.number < this.currentCut.k) this.selectPlace(this.currentCut.byNumber[jump.number]);
    else if (jump && jump.only && jump.bits && this.model.nodeAt(jump.bits)) this.goTo(this.model.nodeAt(jump.bits));
    else if (words && words.length > 0) this.selectWord((exact.length > 0 ? exact : words).reduce((best, word) => (this.model.counts[word] > this.model.counts[best] ? word : best)));
  }

  key(event) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      byId("search").focus();
    }
  }

  // The slider runs over logarithms: the step from 10 to 20 classes is as long as that from 500 to 1,000.
  fromSlider(value) {
    const { minClasses, maxClasses } = this.model;
    return Math.round(minClasses * (maxClasses / minClasses) ** (value / 1000));
  }
  toSlider(k) {
    const { minClasses, maxClasses } = this.model;
    return maxClasses > minClasses ? (1000 * Math.log(k / minClasses)) / Math.log(maxClasses / minClasses) : 0;
  }

  showControls() {
    const slider = byId("slider");
    if (this.fromSlider(Number(slider.value)) !== this.state.k) slider.value = String(this.toSlider(this.state.k));
    slider.setAttribute("aria-valuetext", counted(this.state.k, "class", "classes"));
    byId("number").value = String(this.state.k);
    byId("as-made").hidden = this.state.k === this.model.classCount;
    byId("as-made").textContent = `back to ${grouped(this.model.classCount)}`;
    const tokens = this.model.tokens > 0 ? ` \u00b7 ${grouped(this.model.tokens)} tokens` : "";
    const ami = this.state.k === this.model.classCount ? bestAmi(this.model) : this.model.amiAt(this.state.k);
    byId("summary").textContent = `${counted(this.state.k, "class", "classes")} of ${counted(this.model.wordCount, "word", "words")}${tokens}${Number.isFinite(ami) ? ` \u00b7 AMI ${ami.toFixed(4)} bits` : ""}`;
  }

  say(text) {
    byId("said").textContent = text;
  }

  // The address: #k=50&c=26&w=king&q=ing$&o=ending&s=tree, or n=START-END for a node that is no class of the cut.

  writeAddress(record) {
    if (record === "none") return;
    const { k, node, word, query } = this.state;
    const parts = new URLSearchParams();
    if (k !== this.model.classCount) parts.set("k", k);
    if (node) {
      const number = this.numberOf(node);
      if (number >= 0) parts.set("c", number);
      else parts.set("n", `${node.start}-${node.end}`);
    }
    if (word !== null) parts.set("w", this.model.words[word].slice(0, 200));
    if (query) parts.set("q", query);
    if (this.detail.order !== "frequency") parts.set("o", this.detail.order);
    if (this.list.order) parts.set("s", this.list.order);
    const hash = `#${parts}`;
    if (hash === (location.hash || "#")) return;
    const address = hash === "#" ? location.pathname + location.search : hash;
    if (record === "push") history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  readAddress() {
    const parts = new URLSearchParams(location.hash.slice(1));
    const { model } = this;
    const k = Number(parts.get("k")) || model.classCount;
    this.state.k = model.hasTree ? Math.max(model.minClasses, Math.min(model.maxClasses, Math.round(k))) : model.classCount;
    this.currentCut = model.cut(this.state.k);
    if (WORD_ORDERS[parts.get("o")]) this.detail.setOrder(parts.get("o"));
    if (CLASS_ORDERS[parts.get("s")]) this.list.order = parts.get("s");
    this.state.word = null;
    this.state.node = null;
    const range = /^(\d+)-(\d+)$/.exec(parts.get("n") || "");
    const number = parts.has("c") ? Number(parts.get("c")) : -1;
    if (range) this.state.node = model.pathTo(Number(range[1]), Number(range[2])).pop() || null;
    else if (number >= 0 && number < this.currentCut.k) this.state.node = this.nodeOfPlace(this.currentCut.byNumber[number]);
    const word = parts.has("w") ? model.words.findIndex((text) => text.slice(0, 200) === parts.get("w")) : -1;
    if (word >= 0) {
      this.state.word = word;
      if (!this.state.node || word < model.leafStart[this.state.node.start] || word >= model.leafStart[this.state.node.end]) this.state.node = this.nodeOfPlace(model.placeOfLeaf(this.currentCut, model.leafOfWord(word)));
    }
    this.setQuery(parts.get("q") || "", "none");
  }

  // On paper: every class with its most frequent words, up to a thousand classes.
  preparePrint() {
    const rows = Array.from(this.currentCut.byNumber.slice(0, 1000), (place) => {
      const [start, end] = [this.currentCut.starts[place], this.currentCut.starts[place + 1]];
      const words = this.model.top(start, end, 24).flatMap((word) => [wordEl(this.model.words[word], {}, 40), " "]);
      return el("p", {}, el("b", {}, String(this.currentCut.number[place])), " ", el("code", {}, shortBits(this.model.bits(start, end))), " ", ...words);
    });
    replace(byId("paper"), ...rows);
  }
}

function setScheme(scheme, app) {
  document.documentElement.dataset.scheme = scheme;
  byId("scheme").setAttribute("aria-label", scheme === "dark" ? "Light colours" : "Dark colours");
  byId("scheme").textContent = scheme === "dark" ? "\u2600" : "\u263e";
  if (app) app.icicle.draw();
}

async function start() {
  setScheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  try {
    const sections = splitSections(await gunzip(base64Bytes(byId("firth-data").textContent)));
    const app = new App(new Model(sections), sections);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => setScheme(event.matches ? "dark" : "light", app));
    app.readAddress();
    document.documentElement.dataset.ready = "yes";
    setTimeout(() => app.search.prepare());
  } catch (problem) {
    byId("found").textContent = `This page cannot be shown: ${problem.message}. It needs a browser of 2023 or later.`;
    throw problem;
  }
}

start();
