// A clustering and its cuts. Words and classes stand in the order of the tree, so every class of every cut is a run of
// neighbouring leaves, and a cut is a choice of borders.

const NEVER = 0xffffffff;

// Of `count` runs that begin at `starts`, rising, the one that `place` is in.
function runOf(starts, count, place) {
  let low = 0;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= place) low = middle;
    else high = middle;
  }
  return low;
}

class Model {
  constructor(sections) {
    const head = jsonSection(sections, "HEAD");
    this.meta = jsonSection(sections, "META") || {};
    this.wordCount = head.words;
    this.classCount = head.classes; // as it was clustered
    this.hasTree = head.leaves !== "none";
    this.overWords = head.leaves === "words";
    this.text = utf8(sections.get("WORD"));
    this.words = this.text === "" ? [] : this.text.slice(0, -1).split("\n");
    this.readCounts(sections.get("CNTS"));
    this.readLeaves(sections.get("SIZE"));
    this.gaps = readNumbers(sections.get("GAPS") || new Uint8Array(0), head.merges);
    this.ami = readAmi(sections, head.merges);
    this.step = new Uint32Array(this.leafCount + 1).fill(NEVER);
    this.gaps.forEach((gap, merge) => (this.step[gap] = merge));
    this.minClasses = this.leafCount - head.merges;
    this.maxClasses = this.hasTree ? this.leafCount : this.classCount;
    this.complete = this.hasTree && this.minClasses === 1;
    this.buildForks();
    this.tops = new Map();
  }

  readCounts(bytes) {
    const reader = new Varints(bytes);
    const n = this.wordCount;
    this.counts = new Float64Array(n);
    this.tokensBefore = new Float64Array(n + 1);
    this.logsBefore = new Float64Array(n + 1); // sums of count * log2 count, for entropies
    let count = 0;
    for (let i = 0; i < n; i++) {
      count += reader.signed();
      this.counts[i] = count;
      this.tokensBefore[i + 1] = this.tokensBefore[i] + count;
      this.logsBefore[i + 1] = this.logsBefore[i] + (count > 0 ? count * Math.log2(count) : 0);
    }
    this.tokens = this.tokensBefore[n];
  }

  readLeaves(bytes) {
    const sizes = readNumbers(bytes, this.classCount);
    const borders = new Uint32Array(this.classCount + 1);
    sizes.forEach((size, i) => (borders[i + 1] = borders[i] + size));
    this.classStart = borders; // first word of each class as it was clustered
    this.leafCount = this.overWords ? this.wordCount : this.classCount;
    this.leafStart = this.overWords ? Uint32Array.from({ length: this.wordCount + 1 }, (_, i) => i) : borders;
  }

  // The binary tree of gaps: below[g] are the two gaps (or 0: a leaf) into which the parts left and right of g fall
  // apart. Built with a stack of gaps whose right part is still open.
  buildForks() {
    const n = this.leafCount;
    this.leftFork = new Uint32Array(n + 1);
    this.rightFork = new Uint32Array(n + 1);
    const open = [];
    this.roots = [];
    for (let gap = 1; gap <= n; gap++) {
      const step = gap === n ? NEVER : this.step[gap];
      let last = 0;
      while (open.length > 0 && this.step[open[open.length - 1]] < step) {
        const done = open.pop();
        this.rightFork[done] = last;
        last = done;
      }
      if (step === NEVER) {
        this.roots.push(last);
        open.length = 0;
      } else {
        this.leftFork[gap] = last;
        open.push(gap);
      }
    }
  }

  // The classes when there are k of them, in the order of the tree: leaf borders and canonical numbers, as
  // `firth convert --cut k` numbers them (by falling count, then by the first word).
  cut(k) {
    const merges = this.hasTree ? this.leafCount - k : 0;
    const starts = new Uint32Array(k + 1);
    let found = 0;
    for (let leaf = 0; leaf < this.leafCount; leaf++) {
      if (leaf === 0 || this.step[leaf] >= merges) starts[found++] = leaf;
    }
    starts[k] = this.leafCount;
    const order = Array.from({ length: k }, (_, i) => i);
    const tokens = (i) => this.rangeTokens(starts[i], starts[i + 1]);
    const sums = Float64Array.from(order, tokens);
    order.sort((a, b) => sums[b] - sums[a] || this.compareWords(this.leafStart[starts[a]], this.leafStart[starts[b]]));
    const number = new Uint32Array(k);
    order.forEach((place, rank) => (number[place] = rank));
    return { k, starts, number, byNumber: Uint32Array.from(order), tokens: sums };
  }

  // Place in the cut of the class that a leaf belongs to.
  placeOfLeaf(cut, leaf) {
    return runOf(cut.starts, cut.k, leaf);
  }

  leafOfWord(word) {
    if (this.overWords) return word;
    return runOf(this.leafStart, this.leafCount, word);
  }

  rangeTokens(start, end) {
    return this.tokensBefore[this.leafStart[end]] - this.tokensBefore[this.leafStart[start]];
  }
  rangeWords(start, end) {
    return this.leafStart[end] - this.leafStart[start];
  }

  // Entropy in bits of the words of a range.
  rangeEntropy(start, end) {
    const tokens = this.rangeTokens(start, end);
    if (tokens <= 0) return 0;
    const logs = this.logsBefore[this.leafStart[end]] - this.logsBefore[this.leafStart[start]];
    return Math.max(0, Math.log2(tokens) - logs / tokens);
  }

  // Order of the vocabulary: falling count, then bytes.
  compareWords(a, b) {
    return this.counts[b] - this.counts[a] || compareBytes(this.words[a], this.words[b]);
  }

  // The most frequent words of a range of leaves.
  top(start, end, count) {
    const key = `${start}-${end}-${count}`;
    const known = this.tops.get(key);
    if (known) return known;
    const best = mostFrequent(this, this.leafStart[start], this.leafStart[end], count);
    if (this.tops.size > 5000) this.tops.clear();
    this.tops.set(key, best);
    return best;
  }

  // Bits from the root to a range of leaves that is a node; "" where the tree does not reach the root.
  bits(start, end) {
    if (!this.complete) return "";
    let bits = "";
    let fork = this.roots[0];
    let from = 0;
    let to = this.leafCount;
    while (fork !== 0 && (from !== start || to !== end)) {
      const right = start >= fork;
      bits += right ? "1" : "0";
      if (right) from = fork;
      else to = fork;
      fork = right ? this.rightFork[fork] : this.leftFork[fork];
    }
    return bits === "" && this.leafCount > 0 && start === 0 && end === this.leafCount ? "0" : bits;
  }

  // The node below the root by these bits, as far as the tree goes; null if they lead nowhere.
  nodeAt(bits) {
    if (!this.complete || this.leafCount === 0) return null;
    let node = { start: 0, end: this.leafCount, fork: this.roots[0] };
    for (const bit of bits) {
      if (node.fork === 0) return null;
      node = this.children(node)[bit === "1" ? 1 : 0];
    }
    return node;
  }

  children(node) {
    if (node.fork === 0) return [];
    return [
      { start: node.start, end: node.fork, fork: this.leftFork[node.fork] },
      { start: node.fork, end: node.end, fork: this.rightFork[node.fork] },
    ];
  }

  // The nodes from the root down to the one that is exactly this range.
  pathTo(start, end) {
    const path = [];
    let node = this.rootOf(start);
    while (node && (node.start !== start || node.end !== end)) {
      path.push(node);
      node = this.children(node).find((child) => child.start <= start && child.end >= end);
    }
    if (node) path.push(node);
    return path;
  }

  rootOf(leaf) {
    return this.rootNodes().find((root) => root.start <= leaf && leaf < root.end);
  }

  rootNodes() {
    if (this.rootList) return this.rootList;
    const borders = [0];
    for (let leaf = 1; leaf < this.leafCount; leaf++) if (this.step[leaf] === NEVER) borders.push(leaf);
    borders.push(this.leafCount);
    this.rootList = this.roots.map((fork, i) => ({ start: borders[i], end: borders[i + 1], fork }));
    return this.rootList;
  }

  // Number of classes from which on a fork's two parts are two classes.
  splitsAt(fork) {
    return fork === 0 ? Infinity : this.leafCount - this.step[fork];
  }

  // AMI with k classes; NaN where it is not known.
  amiAt(k) {
    const merges = this.leafCount - k;
    if (merges >= 1 && merges <= this.ami.length) return this.ami[merges - 1];
    return NaN;
  }

  // Places of the classes as clustered (of which neighbours, tags and lines are kept) inside a range of leaves.
  classesIn(start, end) {
    if (!this.overWords) return [start, end];
    return [this.classOfWord(start), this.classOfWord(end - 1) + 1];
  }

  classOfWord(word) {
    return runOf(this.classStart, this.classCount, word);
  }

  // Number of the node above the classes, as in the section of neighbours; -1 for parts of a class.
  nodeNumber(start, end) {
    const [from, to] = this.classesIn(start, end);
    if (this.classStart[from] !== this.leafStart[start] || this.classStart[to] !== this.leafStart[end]) return -1;
    if (to - from === 1) return from;
    const fork = this.pathTo(start, end).pop().fork;
    const below = this.leafCount - this.classCount;
    return this.classCount + this.step[fork] - below;
  }
}

// The most frequent of the words from..to-1, or of those that stand there in a list; equally frequent ones in that order.
function mostFrequent(model, from, to, max, list = null) {
  const best = [];
  let smallest = -1;
  for (let i = from; i < to; i++) {
    const word = list ? list[i] : i;
    const count = model.counts[word];
    if (best.length === max && count <= smallest) continue;
    let place = best.length;
    while (place > 0 && model.counts[best[place - 1]] < count) place--;
    best.splice(place, 0, word);
    if (best.length > max) best.pop();
    smallest = model.counts[best[best.length - 1]];
  }
  return best;
}

// The order of UTF-8 bytes. UTF-16 has another one beyond U+D7FF, and escaped words hold bytes that are no UTF-8.
function compareBytes(a, b) {
  if (a === b) return 0;
  if (/[\\\ud800-\uffff]/.test(a) || /[\\\ud800-\uffff]/.test(b)) {
    const x = wordBytes(a);
    const y = wordBytes(b);
    for (let i = 0; i < Math.min(x.length, y.length); i++) if (x[i] !== y[i]) return x[i] - y[i];
    return x.length - y.length;
  }
  return a < b ? -1 : 1;
}

// The bytes of a word: \n, \\ and \xHH undone.
function wordBytes(text) {
  const bytes = [];
  const encoder = new TextEncoder();
  for (const part of text.split(/(\\x[0-9a-f]{2}|\\.)/s)) {
    if (part.startsWith("\\x") && part.length === 4) bytes.push(parseInt(part.slice(2), 16));
    else if (part.startsWith("\\")) bytes.push(part === "\\n" ? 10 : part.charCodeAt(1));
    else bytes.push(...encoder.encode(part));
  }
  return Uint8Array.from(bytes);
}
