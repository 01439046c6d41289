// Small helpers for the document. Words reach it as text, never as markup.

const byId = (id) => document.getElementById(id);

// el("p", { class: "note", onclick: f }, "text", child...)
function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}
function svgEl(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}
function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
function replace(node, ...children) {
  node.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

// A word in its own direction, so that right-to-left scripts do not disturb their neighbours.
function wordEl(text, attributes = {}, longest = 60) {
  return el("bdi", attributes, shownWord(text, longest));
}

// The word with the part that a search found marked.
function markedWord(text, query) {
  const word = shownWord(text, 60);
  const plain = query.replace(/^\^/, "").replace(/\$$/, "").toLowerCase();
  const place = plain === "" || query.startsWith("/") ? -1 : query.endsWith("$") ? word.toLowerCase().lastIndexOf(plain) : word.toLowerCase().indexOf(plain);
  if (place < 0 || word.toLowerCase().length !== word.length) return el("bdi", {}, el("mark", {}, word));
  return el("bdi", {}, word.slice(0, place), el("mark", {}, word.slice(place, place + plain.length)), word.slice(place + plain.length));
}

function button(label, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, label);
}

// Colour of a place in the tree: neighbours in the tree have neighbouring colours.
function hueAt(share) {
  return Math.round(210 + 300 * share) % 360;
}

function saveFile(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages opened from disk may lack the clipboard: the old way needs a selection.
    const area = el("textarea", { class: "offscreen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
