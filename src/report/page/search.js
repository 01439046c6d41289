// Finding words: a linear scan over one long text, which is faster than any index for what fits a page.

class Search {
  constructor(model) {
    this.model = model;
    this.lower = null; // the words in lower case between line ends, made when it is first needed
  }

  prepare() {
    if (this.lower !== null) return;
    this.lower = "\n" + this.model.text.toLowerCase();
    this.starts = new Uint32Array(this.model.wordCount + 1);
    let place = 1;
    for (let i = 0; i < this.model.wordCount; i++) {
      this.starts[i] = place;
      place = this.lower.indexOf("\n", place) + 1;
    }
    this.starts[this.model.wordCount] = place;
  }

  // What a query means: { words: rising places, error, jump: a class number or bits }.
  find(query) {
    const text = query.trim();
    if (text === "") return { words: null, jump: null };
    const jump = parseJump(text);
    if (jump && jump.only) return { words: null, jump };
    if (text.length > 2 && text.startsWith("/") && text.endsWith("/")) return { ...this.byExpression(text.slice(1, -1)), jump: null };
    return { words: this.bySubstring(text), jump };
  }

  byExpression(source) {
    let expression;
    try {
      expression = new RegExp(source, "iu");
    } catch (problem) {
      return { words: [], error: String(problem.message) };
    }
    const words = [];
    this.model.words.forEach((word, place) => {
      if (expression.test(word)) words.push(place);
    });
    return { words };
  }

  bySubstring(text) {
    this.prepare();
    let wanted = text.toLowerCase();
    if (wanted.length > 1 && wanted.startsWith("^")) wanted = "\n" + wanted.slice(1);
    if (wanted.length > 1 && wanted.endsWith("$")) wanted = wanted.slice(0, -1) + "\n";
    const words = [];
    let place = this.lower.indexOf(wanted);
    let word = 0;
    while (place >= 0) {
      const inside = wanted.startsWith("\n") ? place + 1 : place;
      word = this.wordAt(inside, word);
      if (word >= this.model.wordCount) break;
      words.push(word);
      place = this.lower.indexOf(wanted, this.starts[word + 1] - 1);
      word++;
    }
    return words;
  }

  // The word that holds this place of the text; at `from` or after it. Most are near: steps double until they pass it.
  wordAt(place, from) {
    let low = from;
    let high = Math.min(from + 1, this.model.wordCount);
    for (let step = 1; high < this.model.wordCount && this.starts[high] <= place; step *= 2) {
      low = high;
      high = Math.min(high + step, this.model.wordCount);
    }
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= place) low = middle;
      else high = middle;
    }
    return low;
  }
}

// "26", "#26" and "class 26" name a class; "0110" and "b0110" a branch of the tree. With a sign before it, nothing else.
function parseJump(text) {
  let match = /^(?:#|class\s+)(\d+)$/i.exec(text);
  if (match) return { number: Number(match[1]), only: true };
  match = /^b(?:its)?[:\s]?([01]+)$/i.exec(text);
  if (match) return { bits: match[1], only: true };
  match = /^\d+$/.exec(text);
  if (!match) return null;
  const jump = { number: Number(text), only: false };
  if (/^[01]{2,}$/.test(text)) jump.bits = text;
  return jump;
}
