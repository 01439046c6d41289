// A list of any length that keeps only the visible rows in the document.

const MAX_PIXELS = 8e6; // browsers cannot scroll further than some ten million

class VirtualList {
  // options: rowHeight, draw(index, row) fills an element, select(index) is called for clicks and keys, label
  constructor(box, options) {
    this.box = box;
    this.options = options;
    this.count = 0;
    this.active = -1;
    this.rows = new Map();
    this.space = el("div", { class: "list-space" });
    box.replaceChildren(this.space);
    box.setAttribute("role", "listbox");
    box.setAttribute("aria-label", options.label);
    box.tabIndex = 0;
    box.addEventListener("scroll", () => this.render(), { passive: true });
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("click", (event) => {
      const row = event.target.closest("[data-row]");
      if (row) this.choose(Number(row.dataset.row));
    });
    new ResizeObserver(() => this.render()).observe(box);
  }

  show(count, active = -1) {
    this.count = count;
    this.active = active;
    this.space.style.height = `${Math.min(MAX_PIXELS, count * this.options.rowHeight)}px`;
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.render();
  }

  // Pixels of the whole list per pixel of scrolling: 1 unless the list is too long for the browser.
  get scale() {
    const full = this.count * this.options.rowHeight;
    const reach = Math.max(1, Math.min(MAX_PIXELS, full) - this.box.clientHeight);
    return full > MAX_PIXELS ? (full - this.box.clientHeight) / reach : 1;
  }

  // Places are read once, before anything is changed: to read one after a change, the browser must lay out the page anew.
  render() {
    const height = this.options.rowHeight;
    const { scrollTop, clientHeight } = this.box;
    const top = scrollTop * this.scale;
    const first = Math.max(0, Math.floor(top / height) - 2);
    const last = Math.min(this.count, Math.ceil((top + clientHeight) / height) + 2);
    for (const [index, row] of this.rows) {
      if (index >= first && index < last) continue;
      row.remove();
      this.rows.delete(index);
    }
    for (let index = first; index < last; index++) {
      if (!this.rows.has(index)) this.add(index);
      this.rows.get(index).style.transform = `translateY(${scrollTop + index * height - top}px)`;
    }
    this.point();
  }

  add(index) {
    const row = el("div", { class: "row", role: "option", "data-row": index, id: `${this.box.id}-${index}`, "aria-posinset": index + 1, "aria-setsize": this.count, "aria-selected": index === this.active ? "true" : "false" });
    this.options.draw(index, row);
    this.rows.set(index, row);
    this.space.append(row);
  }

  point() {
    if (this.rows.has(this.active)) this.box.setAttribute("aria-activedescendant", `${this.box.id}-${this.active}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  activate(index) {
    for (const [other, row] of this.rows) row.setAttribute("aria-selected", other === index ? "true" : "false");
    this.active = index;
    this.point();
  }

  reveal(index) {
    if (index < 0 || index >= this.count) return;
    const height = this.options.rowHeight;
    const top = this.box.scrollTop * this.scale;
    if (index * height < top) this.box.scrollTop = (index * height) / this.scale;
    else if ((index + 1) * height > top + this.box.clientHeight) this.box.scrollTop = ((index + 1) * height - this.box.clientHeight) / this.scale;
    this.render();
  }

  choose(index) {
    this.activate(index);
    this.options.select(index);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.options.rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || this.count === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(this.count - 1, this.active + steps[event.key]));
    this.reveal(index);
    this.choose(index);
  }
}
