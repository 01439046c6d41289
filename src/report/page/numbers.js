// What there is to say in numbers: charts, scores, the run.

function numbersOf(app) {
  const { model } = app;
  const cut = app.cut();
  return [sizesChart(app, cut), amiChart(app, cut), ...seriesCharts(app), passesChart(model), goldChart(app, cut)].filter((part) => part);
}

function sizesChart(app, cut) {
  const { model } = app;
  const words = Array.from({ length: cut.k }, (_, i) => model.rangeWords(cut.starts[i], cut.starts[i + 1])).sort((a, b) => b - a);
  return lineChart(words.map((size, i) => [i + 1, size]), { title: "Words per class", xLabel: "classes, largest first", logX: cut.k > 20, logY: words[0] > 20 });
}

// Numbers of classes that are worth a point, on a logarithmic axis.
function spreadClasses(model) {
  const result = new Set();
  for (let i = 0; i <= 200; i++) result.add(Math.round(model.minClasses * (model.maxClasses / model.minClasses) ** (i / 200)));
  return [...result];
}

function amiChart(app, cut) {
  const { model } = app;
  if (!model.hasTree) return null;
  const points = spreadClasses(model).map((k) => [k, k === model.classCount ? bestAmi(model) : model.amiAt(k)]);
  return lineChart(points, { title: "Average mutual information (bits)", xLabel: "number of classes", logX: true, mark: cut.k, onpick: (x) => app.setClasses(Math.round(x)) });
}

// AMI of the clustering as it was made.
function bestAmi(model) {
  const figures = (model.meta.run && model.meta.run.figures) || {};
  const known = model.amiAt(model.classCount);
  if (Number.isFinite(known)) return known;
  if (Number.isFinite(figures.ami_bits)) return figures.ami_bits;
  return model.meta.text ? model.meta.text.ami_bits : NaN;
}

// Curves that the run has left behind: pairs of lists "choose_classes" and "choose_...".
function seriesCharts(app) {
  const series = (app.model.meta.run && app.model.meta.run.series) || {};
  const classes = series.choose_classes;
  if (!classes || !series.choose_perplexity) return [];
  const points = classes.map((k, i) => [k, series.choose_perplexity[i]]);
  return [lineChart(points, { title: "Perplexity of held-out text", xLabel: "number of classes", logX: true, mark: app.cut().k, onpick: (x) => app.setClasses(Math.round(x)) })];
}

function passesChart(model) {
  const steps = ((model.meta.run && model.meta.run.iterations) || []).filter((step) => Number.isFinite(step.ami_bits));
  if (steps.length < 2) return null;
  return lineChart(steps.map((step, i) => [i + 1, step.ami_bits]), { title: "Average mutual information by pass (bits)", xLabel: "pass" });
}

function goldChart(app, cut) {
  const { model } = app;
  if (!model.meta.gold || !model.hasTree) return null;
  const classes = spreadClasses(model).filter((k) => k <= model.classCount);
  const chosen = classes.filter((_, i) => i % Math.ceil(classes.length / 24) === 0 || i === classes.length - 1);
  app.goldCurve = app.goldCurve || chosen.map((k) => [k, 100 * tagScores(model, model.cut(k)).vMeasure]);
  return lineChart(app.goldCurve, { title: "Agreement with the tags (V-measure, %)", xLabel: "number of classes", logX: true, mark: cut.k, onpick: (x) => app.setClasses(Math.round(x)) });
}

function facts(rows) {
  return el("dl", { class: "facts-table" }, ...rows.filter((row) => row).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

function share([part, whole]) {
  return whole > 0 ? `${percent(part / whole)} (${grouped(part)} of ${grouped(whole)})` : "none";
}

function scoreFacts(app) {
  const { model } = app;
  const cut = app.cut();
  const { text, gold, left_out: leftOut } = model.meta;
  const ami = cut.k === model.classCount ? bestAmi(model) : model.amiAt(cut.k);
  const singles = Array.from(cut.number.keys()).filter((place) => model.rangeWords(cut.starts[place], cut.starts[place + 1]) === 1).length;
  const scores = gold ? tagScores(model, cut) : null;
  return facts([
    ["classes", `${grouped(cut.k)}${singles > 0 ? ` (${grouped(singles)} of a single word)` : ""}`],
    ["words", grouped(model.wordCount) + (leftOut > 0 ? `; ${grouped(leftOut)} rarer ones were left out of this page` : "")],
    model.tokens > 0 && ["tokens", grouped(model.tokens)],
    Number.isFinite(ami) && ["average mutual information", `${ami.toFixed(4)} bits`],
    text && ["words of the text with a class", share(text.types_known)],
    text && ["tokens of the text with a class", share(text.tokens_known)],
    gold && ["tagged tokens with a class", share([gold.known, gold.tokens])],
    gold && ["many-to-one accuracy", percent(scores.manyToOne)],
    gold && ["V-measure", percent(scores.vMeasure)],
  ]);
}

function comparisonFacts(app) {
  const { model } = app;
  const comparison = app.comparison();
  if (!comparison) return null;
  const { other } = model.meta;
  const cut = app.cut();
  const moved = [];
  let movedWeight = 0;
  for (let place = 0; place < cut.k; place++) {
    for (let word = model.leafStart[cut.starts[place]]; word < model.leafStart[cut.starts[place + 1]]; word++) {
      if (!comparison.moved(word, place)) continue;
      moved.push(word);
      movedWeight += model.tokens > 0 ? model.counts[word] : 1;
    }
  }
  moved.sort((a, b) => model.counts[b] - model.counts[a]);
  const list = moved.slice(0, 60).flatMap((word) => [app.detail.wordLink(word, `there in class ${app.extras.otherOf[word] - 1}`), " "]);
  return el("section", { class: "card", id: "comparison" },
    el("h2", {}, `Compared with ${other.name || "another clustering"}`),
    facts([
      ["classes there", `${grouped(other.classes)} of ${grouped(other.words)} words`],
      ["words in both", `${grouped(comparison.shared)} of ${grouped(model.wordCount)}`],
      ["variation of information", `${comparison.vi.toFixed(3)} bits (0 = the same; these classes have an entropy of ${comparison.entropy.toFixed(2)} bits)`],
      ["words that moved", `${grouped(moved.length)}, ${percent(comparison.total > 0 ? movedWeight / comparison.total : 0)} of ${model.tokens > 0 ? "the tokens" : "the words"}`],
    ]),
    moved.length > 0 ? el("p", { class: "near-words" }, "The most frequent: ", ...list) : null);
}

function aboutRun(model) {
  const { run, version } = model.meta;
  const rows = [["page made by", `firth ${version}`]];
  if (run) {
    const options = Object.entries(run.options || {}).filter(([, value]) => value !== "" && value !== "false");
    rows.push(["command", `firth ${run.command}`], ["version", run.version]);
    for (const input of run.inputs || []) rows.push(["input", `${input.path} \u00b7 ${grouped(input.bytes)} bytes${input.xxh3 ? ` \u00b7 XXH3 ${input.xxh3}` : ""}`]);
    rows.push(["options", options.map(([name, value]) => `${name} ${value}`).join("  ")]);
    const seconds = (run.stages || []).reduce((sum, stage) => sum + (stage.seconds || 0), 0);
    if (seconds > 0) rows.push(["time", `${seconds.toFixed(1)} s`]);
  }
  rows.push(["to cite", "Firth (CITATION.cff), and the method that was used: see its README"]);
  return facts(rows);
}
