// Numbers about a cut: against tags, and against another clustering.

// Counts of tags in a range of classes.
function tagCounts(gold, from, to) {
  const counts = new Float64Array(gold.tags.length);
  for (let place = from; place < to; place++) {
    const row = gold.rows[place];
    for (let i = 0; i < row.length; i += 2) counts[row[i]] += row[i + 1];
  }
  return counts;
}

function entropyOf(counts) {
  let total = 0;
  let logs = 0;
  for (const count of counts) {
    if (count <= 0) continue;
    total += count;
    logs += count * Math.log2(count);
  }
  return total > 0 ? Math.log2(total) - logs / total : 0;
}

// Many-to-one accuracy and V-measure of a cut over the tagged tokens whose words have a class.
function tagScores(model, cut) {
  const gold = model.meta.gold;
  const tags = new Float64Array(gold.tags.length);
  const classes = [];
  let right = 0;
  let total = 0;
  let within = 0;
  for (let place = 0; place < cut.k; place++) {
    const counts = tagCounts(gold, ...model.classesIn(cut.starts[place], cut.starts[place + 1]));
    let sum = 0;
    counts.forEach((count, tag) => {
      sum += count;
      tags[tag] += count;
    });
    if (sum === 0) continue;
    right += Math.max(...counts);
    within += sum * entropyOf(counts);
    total += sum;
    classes.push(sum);
  }
  if (total === 0) return { manyToOne: NaN, vMeasure: NaN };
  const tagEntropy = entropyOf(tags);
  const classEntropy = entropyOf(classes);
  const tagsGivenClasses = within / total;
  const mutual = tagEntropy - tagsGivenClasses;
  const homogeneity = tagEntropy > 0 ? mutual / tagEntropy : 1;
  const completeness = classEntropy > 0 ? mutual / classEntropy : 1;
  const sum = homogeneity + completeness;
  return { manyToOne: right / total, vMeasure: sum > 0 ? (2 * homogeneity * completeness) / sum : 0 };
}

// How a cut and another clustering share their words, by tokens (by words where nothing was counted).
class Comparison {
  constructor(model, otherOf, cut) {
    this.otherOf = otherOf; // by word: 1 + class, 0 = not there
    const weigh = model.tokens > 0 ? (word) => model.counts[word] : () => 1;
    const ours = new Float64Array(cut.k);
    const theirs = new Map();
    this.rows = []; // by place: partners [class, weight], largest first
    this.shared = 0;
    let joint = 0;
    for (let place = 0; place < cut.k; place++) {
      const row = new Map();
      for (let word = model.leafStart[cut.starts[place]]; word < model.leafStart[cut.starts[place + 1]]; word++) {
        if (otherOf[word] === 0) continue;
        const other = otherOf[word] - 1;
        const weight = weigh(word);
        row.set(other, (row.get(other) || 0) + weight);
        theirs.set(other, (theirs.get(other) || 0) + weight);
        ours[place] += weight;
        this.shared++;
      }
      for (const weight of row.values()) if (weight > 0) joint += weight * Math.log2(weight);
      this.rows.push([...row].sort((a, b) => b[1] - a[1] || a[0] - b[0]));
    }
    const total = ours.reduce((sum, weight) => sum + weight, 0);
    const jointEntropy = total > 0 ? Math.log2(total) - joint / total : 0;
    this.entropy = entropyOf(ours);
    this.otherEntropy = entropyOf(theirs.values());
    // H(A|B) + H(B|A)
    this.vi = Math.max(0, 2 * jointEntropy - this.entropy - this.otherEntropy);
    this.theirs = theirs;
    this.ours = ours;
    this.total = total;
    this.findPartners();
  }

  // Each class of one side has the class of the other that shares most with it; a word that is in neither pair moved.
  findPartners() {
    const best = new Map();
    this.rows.forEach((row, place) => {
      for (const [other, weight] of row) {
        if (!best.has(other) || best.get(other)[1] < weight) best.set(other, [place, weight]);
      }
    });
    this.placeOfOther = best;
    this.partner = this.rows.map((row) => (row.length > 0 ? row[0][0] : -1));
  }

  moved(word, place) {
    if (this.otherOf[word] === 0) return false;
    const other = this.otherOf[word] - 1;
    return this.partner[place] !== other && this.placeOfOther.get(other)[0] !== place;
  }
}
