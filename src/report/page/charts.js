// Line charts as SVG.

// points: [x, y] with x rising; options: title, xLabel, yLabel, logX, logY, mark (an x to point at), onpick(x), steps
function lineChart(points, options) {
  const width = 420;
  const height = 220;
  const frame = { left: 56, right: 12, top: 12, bottom: 40 };
  const known = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y) && (!options.logY || y > 0));
  if (known.length === 0) return null;
  const scaleX = axisScale(known.map((point) => point[0]), frame.left, width - frame.right, options.logX);
  const scaleY = axisScale(known.map((point) => point[1]), height - frame.bottom, frame.top, options.logY);
  const root = svgEl("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": describe(known, options) });
  for (const tick of scaleY.ticks) {
    const y = scaleY.at(tick).toFixed(1);
    root.append(svgEl("line", { class: "grid", x1: frame.left, x2: width - frame.right, y1: y, y2: y }), svgEl("text", { x: frame.left - 6, y: Number(y) + 4, "text-anchor": "end" }, tickText(tick)));
  }
  for (const tick of scaleX.ticks) root.append(svgEl("text", { x: scaleX.at(tick).toFixed(1), y: height - frame.bottom + 16, "text-anchor": "middle" }, tickText(tick)));
  root.append(svgEl("text", { x: (frame.left + width - frame.right) / 2, y: height - 6, "text-anchor": "middle" }, options.xLabel));
  const path = thinned(known, 400).map(([x, y], i) => `${i === 0 ? "M" : "L"}${scaleX.at(x).toFixed(1)} ${scaleY.at(y).toFixed(1)}`).join("");
  root.append(svgEl("path", { class: "curve", d: path }));
  if (known.length <= 40) for (const [x, y] of known) root.append(svgEl("circle", { class: "dot", cx: scaleX.at(x).toFixed(1), cy: scaleY.at(y).toFixed(1), r: 2.5 }));
  if (options.mark !== undefined) addMark(root, known, options.mark, scaleX, scaleY, [frame.top, height - frame.bottom]);
  if (options.onpick) {
    root.classList.add("pick");
    root.addEventListener("click", (event) => {
      const box = root.getBoundingClientRect();
      options.onpick(scaleX.back(((event.clientX - box.left) / box.width) * width));
    });
  }
  return el("figure", {}, el("figcaption", {}, options.title), root, button("SVG", () => saveSvg(root, options.title), { class: "small", "aria-label": `Download as SVG: ${options.title}` }));
}

function addMark(root, points, x, scaleX, scaleY, [top, bottom]) {
  const nearest = points.reduce((best, point) => (Math.abs(point[0] - x) < Math.abs(best[0] - x) ? point : best));
  const at = scaleX.at(nearest[0]).toFixed(1);
  root.append(svgEl("line", { class: "now", x1: at, x2: at, y1: top, y2: bottom }), svgEl("circle", { class: "now-dot", cx: at, cy: scaleY.at(nearest[1]).toFixed(1), r: 4 }));
}

function describe(points, options) {
  const [first, last] = [points[0], points[points.length - 1]];
  return `${options.title}: from ${tickText(first[1])} at ${tickText(first[0])} to ${tickText(last[1])} at ${tickText(last[0])} (${options.xLabel})`;
}

function axisScale(values, from, to, log) {
  let low = values.reduce((a, b) => Math.min(a, b));
  let high = values.reduce((a, b) => Math.max(a, b));
  if (low === high) {
    low -= low === 0 ? 1 : Math.abs(low) * 0.05;
    high += high === 0 ? 1 : Math.abs(high) * 0.05;
  }
  const turn = log ? Math.log : (x) => x;
  const [a, b] = [turn(low), turn(high)];
  const at = (x) => from + ((turn(x) - a) / (b - a)) * (to - from);
  const back = (pixel) => {
    const value = a + ((pixel - from) / (to - from)) * (b - a);
    return log ? Math.exp(value) : value;
  };
  return { at, back, ticks: log ? logTicks(low, high) : roundTicks(low, high) };
}

function roundTicks(low, high) {
  const raw = (high - low) / 4;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((size) => size >= raw);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) ticks.push(i * step);
  return ticks;
}

function logTicks(low, high) {
  const ticks = [];
  const wide = high / low > 1e3;
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const factor of wide ? [1] : [1, 2, 5]) {
      const tick = factor * 10 ** power;
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  return ticks.length > 1 ? ticks : [low, high];
}

function tickText(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(4)));
}

// At most `max` points, the first and the last among them.
function thinned(points, max) {
  if (points.length <= max) return points;
  return Array.from({ length: max }, (_, i) => points[Math.round((i * (points.length - 1)) / (max - 1))]);
}

// A chart as a file of its own: what the style sheet says goes into attributes.
function saveSvg(root, title) {
  const copy = root.cloneNode(true);
  const originals = root.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of ["fill", "stroke", "stroke-width"]) node.setAttribute(name, style.getPropertyValue(name));
    node.removeAttribute("class");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "sans-serif");
  copy.setAttribute("font-size", "11");
  saveFile(`${title.toLowerCase().replace(/[^a-z]+/g, "-")}.svg`, new XMLSerializer().serializeToString(copy), "image/svg+xml");
}
