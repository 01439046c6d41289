// Files of the current cut, as `firth convert --cut` writes them.

// word TAB class, words by falling count.
function classesFile(model, cut) {
  const placeOfWord = new Uint32Array(model.wordCount);
  for (let place = 0; place < cut.k; place++) placeOfWord.fill(place, model.leafStart[cut.starts[place]], model.leafStart[cut.starts[place + 1]]);
  return fileLines(sortedWords(model, 0, model.leafCount, "frequency"), model, (word, text) => `${text}\t${cut.number[placeOfWord[word]]}\n`);
}

// bits TAB word TAB count, by bits, then falling count.
function pathsFile(model, cut) {
  const bits = Array.from({ length: cut.k }, (_, place) => model.bits(cut.starts[place], cut.starts[place + 1]));
  const order = [...bits.keys()].sort((a, b) => (bits[a] < bits[b] ? -1 : 1));
  return order.map((place) => fileLines(sortedWords(model, cut.starts[place], cut.starts[place + 1], "frequency"), model, (word, text) => `${bits[place]}\t${text}\t${model.counts[word]}\n`)).join("");
}

function fileLines(words, model, line) {
  const lines = [];
  for (const word of words) {
    const text = fileWord(model.words[word]);
    if (text !== null) lines.push(line(word, text));
  }
  return lines.join("");
}
