// The tree as a picture. From left to right stand the leaves, as wide as their share of the text; from top to bottom the
// number of classes grows (on a logarithmic scale), so that a cut is a horizontal line and its classes are the boxes on it.

class Icicle {
  // app: { model, cut(), selected(), select(node), setClasses(k), hover(node or null), matches() }
  constructor(canvas, app) {
    this.canvas = canvas;
    this.app = app;
    this.width = "tokens";
    this.home = { x0: 0, x1: 1, y0: 0, y1: 1 };
    this.view = { ...this.home };
    this.boxes = [];
    this.weigh();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  setWidth(width) {
    this.width = width;
    this.weigh();
    this.zoomTo(null);
  }

  // Where each leaf begins, between 0 and 1.
  weigh() {
    const model = this.app.model;
    const n = model.leafCount;
    const at = (leaf) => {
      if (this.width === "tokens" && model.tokens > 0) return model.tokensBefore[model.leafStart[leaf]] / model.tokens;
      if (this.width === "words" && model.wordCount > 0) return model.leafStart[leaf] / model.wordCount;
      return n > 0 ? leaf / n : 0;
    };
    this.edges = Float64Array.from({ length: n + 1 }, (_, leaf) => at(leaf));
  }

  // Height of a number of classes, between 0 and 1.
  level(k) {
    const { minClasses, leafCount } = this.app.model;
    if (leafCount <= minClasses) return k > leafCount ? 1 : 0;
    const reach = Math.log(leafCount + 1) - Math.log(minClasses);
    return Math.max(0, Math.min(1, (Math.log(Math.min(k, leafCount + 1)) - Math.log(minClasses)) / reach));
  }
  classesAt(level) {
    const { minClasses, leafCount } = this.app.model;
    return Math.round(minClasses * Math.exp(level * (Math.log(leafCount + 1) - Math.log(minClasses))));
  }

  // The boxes in view, in pixels; those below a pixel of width are left to their parents.
  layout(width, height) {
    const model = this.app.model;
    const { x0, x1, y0, y1 } = this.view;
    const toX = (x) => ((x - x0) / (x1 - x0)) * width;
    const toY = (y) => ((y - y0) / (y1 - y0)) * height;
    const boxes = [];
    const open = model.rootNodes().map((node) => ({ node, from: model.minClasses })).reverse();
    while (open.length > 0) {
      const { node, from } = open.pop();
      const left = toX(this.edges[node.start]);
      const right = toX(this.edges[node.end]);
      if (right < 0 || left > width || right - left < 0.8) continue;
      const split = model.splitsAt(node.fork);
      const top = toY(this.level(from));
      const bottom = toY(split === Infinity ? 1 : this.level(split));
      if (top > height) continue;
      if (bottom >= 0 && bottom > top) boxes.push({ node, from, to: split, x: left, y: top, w: right - left, h: bottom - top });
      const [a, b] = model.children(node);
      if (a) open.push({ node: b, from: split }, { node: a, from: split });
    }
    return boxes;
  }

  color(node, state) {
    const n = Math.max(1, this.app.model.leafCount);
    const hue = hueAt((node.start + node.end) / 2 / n);
    const spread = (node.end - node.start) / n; // large nodes mix many colours: they are greyer
    const dark = document.documentElement.dataset.scheme === "dark";
    const saturation = Math.round((dark ? 45 : 62) * (1 - 0.75 * Math.sqrt(spread)));
    const light = dark ? { above: 26, on: 38, below: 19 } : { above: 90, on: 76, below: 95 };
    return `hsl(${hue} ${saturation}% ${light[state]}%)`;
  }

  // What to draw: rectangles with fills, labels and marks; the same for canvas and SVG.
  scene(width, height) {
    const model = this.app.model;
    const cut = this.app.cut();
    this.boxes = this.layout(width, height);
    const shapes = [];
    for (const box of this.boxes) {
      const state = box.to <= cut.k ? "above" : box.from > cut.k ? "below" : "on";
      const room = box.w > 26 && box.h > 13;
      const count = Math.max(1, Math.min(12, Math.floor(box.w / 28)));
      const label = room ? model.top(box.node.start, box.node.end, count).map((word) => shownWord(model.words[word], 24)).join(" ") : "";
      shapes.push({ box, state, label, fill: this.color(box.node, state) });
    }
    const { y0, y1 } = this.view;
    const line = ((this.level(cut.k + 0.5) - y0) / (y1 - y0)) * height;
    return { shapes, line: model.hasTree && model.leafCount > 1 ? line : null };
  }

  draw() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      this.paint();
    });
  }

  paint() {
    const ratio = window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (width === 0 || height === 0) return;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(this.canvas);
    const ink = style.getPropertyValue("--ink");
    const paper = style.getPropertyValue("--paper");
    const { shapes, line } = this.scene(width, height);
    pen.clearRect(0, 0, width, height);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    for (const { box, state, label, fill } of shapes) {
      pen.fillStyle = fill;
      pen.fillRect(box.x, box.y, box.w, box.h);
      if (box.w > 3) {
        pen.strokeStyle = paper;
        pen.lineWidth = 1;
        pen.strokeRect(box.x + 0.5, box.y + 0.5, box.w, box.h);
      }
      if (label) this.write(pen, box, label, state, style, height);
    }
    this.paintMatches(pen, width, height, style.getPropertyValue("--mark"));
    this.paintLine(pen, line, width, style);
    this.outline(pen, this.app.selected(), ink, 2);
    this.outline(pen, this.hovered, ink, 1);
  }

  write(pen, box, label, state, style, height) {
    pen.save();
    pen.beginPath();
    const left = Math.max(0, box.x);
    pen.rect(left + 3, box.y, box.x + box.w - left - 5, box.h);
    pen.clip();
    pen.fillStyle = style.getPropertyValue(state === "below" ? "--faint" : "--ink");
    const top = Math.max(0, box.y);
    const bottom = Math.min(height, box.y + box.h);
    if (bottom - top > 12) pen.fillText(label, left + 4, (top + bottom) / 2 + 0.5);
    pen.restore();
  }

  paintLine(pen, line, width, style) {
    this.line = line;
    if (line === null) return;
    pen.strokeStyle = style.getPropertyValue("--accent");
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(0, line);
    pen.lineTo(width, line);
    pen.stroke();
    const text = counted(this.app.cut().k, "class", "classes");
    pen.font = "600 11px system-ui, sans-serif";
    const w = pen.measureText(text).width + 12;
    const y = Math.max(9, Math.min(this.canvas.clientHeight - 9, line));
    pen.fillStyle = style.getPropertyValue("--accent");
    pen.fillRect(width - w, y - 9, w, 18);
    pen.fillStyle = style.getPropertyValue("--on-accent");
    pen.fillText(text, width - w + 6, y + 0.5);
  }

  // Ticks at the bottom where words were found.
  paintMatches(pen, width, height, color) {
    const words = this.app.matches();
    if (!words) return;
    const model = this.app.model;
    const { x0, x1 } = this.view;
    pen.fillStyle = color;
    let last = -1;
    let leaf = 0;
    for (const word of words) {
      while (model.leafStart[leaf + 1] <= word) leaf++;
      const x = Math.floor((((this.edges[leaf] + this.edges[leaf + 1]) / 2 - x0) / (x1 - x0)) * width);
      if (x === last || x < 0 || x > width) continue;
      pen.fillRect(x - 1, height - 7, 2, 7);
      last = x;
    }
  }

  outline(pen, node, color, width) {
    if (!node) return;
    const box = this.boxes.find((other) => other.node.start === node.start && other.node.end === node.end);
    if (!box) return;
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.strokeRect(box.x + 1, box.y + 1, Math.max(1, box.w - 2), Math.max(1, box.h - 2));
  }

  boxAt(x, y) {
    return this.boxes.find((box) => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h) || null;
  }

  // Shows a node as wide as the picture; null: the whole tree.
  zoomTo(node) {
    const target = { ...this.home };
    if (node) {
      const margin = 0.02 * (this.edges[node.end] - this.edges[node.start]);
      target.x0 = this.edges[node.start] - margin;
      target.x1 = this.edges[node.end] + margin;
      const above = this.app.model.pathTo(node.start, node.end).slice(-3);
      target.y0 = above.length > 1 ? this.level(this.app.model.splitsAt(above[0].fork)) * 0.9 : 0;
    }
    this.moveTo(target);
  }

  moveTo(target) {
    this.target = target;
    const from = { ...this.view };
    const began = performance.now();
    const time = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 220;
    const step = (now) => {
      if (this.target !== target) return;
      const share = time === 0 ? 1 : Math.min(1, Math.max(0, (now - began) / time));
      const eased = 1 - (1 - share) ** 3;
      for (const key of ["x0", "x1", "y0", "y1"]) this.view[key] = from[key] + (target[key] - from[key]) * eased;
      this.paint();
      if (share < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  // Zooms by a factor around a point, given in shares of the picture.
  scaleBy(factor, shareX = 0.5, shareY = 0.5) {
    const from = this.target || this.view;
    const target = {};
    for (const [low, high, share, smallest] of [["x0", "x1", shareX, 1e-7], ["y0", "y1", shareY, 0.02]]) {
      const size = Math.max(smallest, Math.min(1, (from[high] - from[low]) * factor));
      const center = from[low] + (from[high] - from[low]) * share;
      const start = Math.max(0, Math.min(1 - size, center - size * share));
      target[low] = start;
      target[high] = start + size;
    }
    this.moveTo(target);
  }

  listen() {
    const canvas = this.canvas;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const onLine = (y) => this.line !== null && Math.abs(y - this.line) < 7;
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => {
      const [x, y] = place(event);
      drag = { x, y, view: { ...this.view }, line: onLine(y), moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = place(event);
      if (!drag) {
        canvas.style.cursor = onLine(y) ? "row-resize" : "pointer";
        this.hover(this.boxAt(x, y), event);
        return;
      }
      if (Math.abs(x - drag.x) + Math.abs(y - drag.y) > 4) drag.moved = true;
      if (!drag.moved) return;
      const { y0, y1 } = this.view;
      if (drag.line) this.app.setClasses(this.classesAt(y0 + (y / canvas.clientHeight) * (y1 - y0)));
      else this.pan(drag, (x - drag.x) / canvas.clientWidth, (y - drag.y) / canvas.clientHeight);
    });
    canvas.addEventListener("pointerup", (event) => {
      const box = drag && !drag.moved && !drag.line ? this.boxAt(...place(event)) : null;
      drag = null;
      if (box) this.app.select(box.node);
    });
    canvas.addEventListener("pointerleave", () => this.hover(null));
    canvas.addEventListener("dblclick", (event) => {
      const box = this.boxAt(...place(event));
      if (box) this.zoomTo(box.node);
    });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey && !event.altKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const [x, y] = place(event);
      this.scaleBy(event.deltaY > 0 ? 1.25 : 0.8, x / canvas.clientWidth, y / canvas.clientHeight);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  pan(drag, dx, dy) {
    const target = {};
    for (const [low, high, by] of [["x0", "x1", dx], ["y0", "y1", dy]]) {
      const size = drag.view[high] - drag.view[low];
      const start = Math.max(0, Math.min(1 - size, drag.view[low] - by * size));
      target[low] = start;
      target[high] = start + size;
    }
    this.target = target;
    this.view = target;
    this.draw();
  }

  hover(box, event) {
    const node = box ? box.node : null;
    if (node !== this.hovered) {
      this.hovered = node;
      this.draw();
    }
    this.app.hover(node, event);
  }

  // Arrow keys walk through the tree; Enter zooms to the node, Escape back to the whole.
  key(event) {
    const model = this.app.model;
    if (event.ctrlKey || event.metaKey || event.altKey || model.leafCount === 0) return;
    const node = this.app.selected() || model.rootNodes()[0];
    const path = model.pathTo(node.start, node.end);
    const parent = path[path.length - 2];
    const siblings = parent ? model.children(parent) : model.rootNodes();
    const place = siblings.findIndex((other) => other.start === node.start && other.end === node.end);
    const targets = { ArrowUp: parent, ArrowDown: model.children(path[path.length - 1])[0], ArrowLeft: siblings[place - 1], ArrowRight: siblings[place + 1] };
    const acts = { Enter: () => this.zoomTo(node), Escape: () => this.zoomTo(null), "+": () => this.scaleBy(0.7), "-": () => this.scaleBy(1 / 0.7) };
    if (event.key in targets) {
      event.preventDefault();
      if (targets[event.key]) this.app.select(targets[event.key]);
    } else if (acts[event.key]) {
      event.preventDefault();
      acts[event.key]();
    }
  }

  // The picture as it is now, as SVG.
  svg() {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const { shapes, line } = this.scene(width, height);
    const style = getComputedStyle(this.canvas);
    const root = svgEl("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "sans-serif", "font-size": 12 });
    root.append(svgEl("rect", { width, height, fill: style.getPropertyValue("--paper") }));
    shapes.forEach(({ box, label, fill }, i) => {
      root.append(svgEl("rect", { x: box.x.toFixed(1), y: box.y.toFixed(1), width: box.w.toFixed(1), height: box.h.toFixed(1), fill, stroke: style.getPropertyValue("--paper") }));
      if (!label) return;
      root.append(svgEl("clipPath", { id: `c${i}` }, svgEl("rect", { x: (box.x + 2).toFixed(1), y: box.y.toFixed(1), width: Math.max(0, box.w - 4).toFixed(1), height: box.h.toFixed(1) })));
      root.append(svgEl("text", { x: (Math.max(0, box.x) + 4).toFixed(1), y: (box.y + box.h / 2 + 4).toFixed(1), fill: style.getPropertyValue("--ink"), "clip-path": `url(#c${i})` }, label));
    });
    if (line !== null) root.append(svgEl("line", { x1: 0, x2: width, y1: line, y2: line, stroke: style.getPropertyValue("--accent"), "stroke-width": 2 }));
    return root;
  }
}
