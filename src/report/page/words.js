// Words for eyes, and their orders.

const LONGEST_WORD = 120;

// A word as people can see it: control characters, bidirectional controls and broken bytes as signs, long ones cut.
function shownWord(text, longest = LONGEST_WORD) {
  let word = text;
  if (/\\/.test(word)) word = word.replace(/\\(x[0-9a-f]{2}|.)/gs, (all, code) => (code === "\\" ? "\\" : code === "n" ? "\u240a" : "\ufffd"));
  word = word.replace(/[\u0000-\u001f\u007f]/g, (sign) => (sign === "\u007f" ? "\u2421" : String.fromCharCode(0x2400 + sign.charCodeAt(0))));
  word = word.replace(/[\u0080-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (sign) => `<${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`);
  if (word.length > longest) word = `${word.slice(0, longest)}\u2026`;
  return word;
}

// A word in a file of lines and tabs; null for words that such a file cannot hold.
function fileWord(text) {
  if (!/[\\\t\r\u0000]/.test(text)) return text;
  if (/[\t\r\u0000]/.test(text) || /\\(?!\\)/.test(text.replace(/\\\\/g, ""))) return null;
  return text.replace(/\\\\/g, "\\");
}

function reversed(text) {
  return [...text].reverse().join("");
}

// The words of a range by "frequency", "alphabet", "ending" or "typical".
function sortedWords(model, start, end, order, typicality) {
  const words = Array.from({ length: model.leafStart[end] - model.leafStart[start] }, (_, i) => i + model.leafStart[start]);
  const byCount = (a, b) => model.compareWords(a, b);
  if (order === "typical" && typicality) {
    const score = (word) => (typicality[word] === 0 ? -1e9 : typicality[word]);
    return words.sort((a, b) => score(b) - score(a) || byCount(a, b));
  }
  if (order === "alphabet") return sortedBy(words, (word) => model.words[word]);
  if (order === "ending") return sortedBy(words, (word) => reversed(model.words[word].toLowerCase()));
  return words.sort(byCount);
}

function sortedBy(words, key) {
  const pairs = words.map((word) => [key(word), word]);
  const compare = pairs.length > 50000 ? (a, b) => (a < b ? -1 : a > b ? 1 : 0) : new Intl.Collator().compare;
  return pairs.sort((a, b) => compare(a[0], b[0]) || a[1] - b[1]).map((pair) => pair[1]);
}

const numberFormat = new Intl.NumberFormat("en");
function grouped(number) {
  return numberFormat.format(number);
}
function percent(share) {
  return `${(100 * share).toFixed(share < 0.1 ? 2 : 1)} %`;
}
// 1 class, 2 classes
function counted(number, one, many) {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}
