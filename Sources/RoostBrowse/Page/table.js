// A table of any number of rows: only those in sight are there.

const rowHeight = 28;
/** Browsers cap heights: beyond this, the place of the scroll bar is scaled. */
const heightMax = 6_000_000;
const partRows = 100;
const partsMax = 40;
/** The narrowest and the widest column, in pixels. */
const [widthMin, widthMax] = [40, 2000];

class Table {
  /**
   * columns: fields; count: rows; fetchRows(from, count, signal): a promise of rows;
   * events: open(row, column), filter(row, column, negated), sort(column, more), select(), move(), resized()
   * sizes: the widths that were chosen, by the names of fields
   */
  constructor(columns, total, fetchRows, events, sizes = new Map()) {
    this.sizes = sizes;
    this.columns = columns;
    this.count = total;
    this.fetchRows = fetchRows;
    this.events = events;
    this.parts = new Map();
    this.pending = new Map();
    this.pool = [];
    this.top = 0;
    this.active = { row: 0, column: 0 };
    this.selection = null;
    this.sorted = [];
    this.before = null;
    this.build();
  }

  build() {
    this.head = el("div", { role: "row", class: "row head", "aria-rowindex": "1" });
    this.body = el("div", { role: "rowgroup", class: "body" });
    this.element = el("div", {
      role: "grid", class: "grid", tabindex: "0", id: "grid", "aria-rowcount": String(this.count + 1),
      "aria-multiselectable": "true", "aria-label": "Objects",
    }, el("div", { role: "rowgroup", class: "headgroup" }, this.head), this.body);
    this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("mousedown", (event) => this.pressed(event));
    this.element.addEventListener("dblclick", (event) => {
      const place = this.placeOf(event.target);
      if (place && !event.target.closest("a")) this.events.open(place.row, null);
    });
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.element);
    this.setColumns(this.columns);
  }

  end() {
    this.observer.disconnect();
    for (const abort of this.pending.values()) abort.abort();
  }

  setColumns(columns) {
    this.columns = columns;
    this.active.column = Math.min(this.active.column, Math.max(0, columns.length - 1));
    this.drawWidths();
    this.element.setAttribute("aria-colcount", String(columns.length + 1));
    this.head.replaceChildren(
      el("div", { role: "columnheader", class: "cell place", "aria-colindex": "1" }, el("span", { class: "hidden" }, "Place")),
      ...columns.map((field, column) => {
        const sort = this.sorted.findIndex((key) => key.field === field.name);
        const down = sort >= 0 && this.sorted[sort].down;
        return el("div", {
          role: "columnheader", class: "cell" + (numeric.has(field.type) ? " number" : ""), "aria-colindex": String(column + 2),
          "aria-sort": sort < 0 ? "none" : down ? "descending" : "ascending",
          title: `${field.name}: ${field.type}${field.target ? " to " + field.target : ""}${field.isOptional ? ", optional" : ""}. Drag the edge, or press < and >, to change the width; = fits it.`,
          onclick: (event) => this.events.sort && this.events.sort(field, event.shiftKey),
        }, el("span", { class: "name" }, field.name),
          sort < 0 ? null : el("span", { class: "arrow", "aria-hidden": "true" }, (down ? "▼" : "▲") + (this.sorted.length > 1 ? sort + 1 : "")),
          this.grip(column));
      }));
    this.parts.clear();
    for (const row of this.pool) row.element.remove();
    this.pool = [];
    this.draw();
  }

  // Widths

  widthOf(field) { return this.sizes.get(field.name) || widths[field.type] || 180; }

  drawWidths() {
    const digits = Math.max(3, count(this.count).length);
    const sizes = [`${digits * 8 + 18}px`, ...this.columns.map((field) => `${this.widthOf(field)}px`)];
    this.element.style.setProperty("--columns", sizes.join(" "));
  }

  setWidth(column, width) {
    this.sizes.set(this.columns[column].name, Math.round(Math.min(widthMax, Math.max(widthMin, width))));
    this.drawWidths();
  }

  widen(column, by) {
    this.setWidth(column, this.widthOf(this.columns[column]) + by);
    this.events.resized && this.events.resized();
  }

  /** Makes a column as wide as what is in sight of it. */
  fit(column) {
    // A cell as narrow as can be says how much it has in it.
    this.setWidth(column, widthMin);
    const cells = [this.head.children[column + 1], ...this.pool.filter((row) => !row.element.hidden).map((row) => row.cells[column])];
    this.setWidth(column, Math.min(800, Math.max(...cells.map((cell) => cell.scrollWidth)) + 2));
    this.events.resized && this.events.resized();
  }

  /** The edge of a column that is dragged. */
  grip(column) {
    const grip = el("span", { class: "grip", "aria-hidden": "true", onclick: (event) => event.stopPropagation() });
    let from = null;
    grip.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      from = { x: event.clientX, width: this.widthOf(this.columns[column]) };
      grip.setPointerCapture(event.pointerId);
    });
    grip.addEventListener("pointermove", (event) => { if (from) this.setWidth(column, from.width + event.clientX - from.x); });
    const end = () => {
      if (from && this.events.resized) this.events.resized();
      from = null;
    };
    grip.addEventListener("pointerup", end);
    grip.addEventListener("pointercancel", end);
    grip.addEventListener("dblclick", (event) => {
      event.stopPropagation();
      this.fit(column);
    });
    return grip;
  }

  // Scrolling

  get viewHeight() { return Math.max(0, this.element.clientHeight - rowHeight); }
  get wholeHeight() { return this.count * rowHeight; }
  get isScaled() { return this.wholeHeight > heightMax; }
  get topMax() { return Math.max(0, (this.wholeHeight - this.viewHeight) / rowHeight); }

  /** Where the scroll bar is for the row at the top. */
  scrollOf(top) {
    if (!this.isScaled) return top * rowHeight;
    return this.topMax === 0 ? 0 : top / this.topMax * (heightMax - this.viewHeight);
  }

  scrolled() {
    const position = this.element.scrollTop;
    if (Math.abs(position - (this.set ?? -1)) >= 1) {
      this.top = this.isScaled
        ? position / Math.max(1, heightMax - this.viewHeight) * this.topMax : position / rowHeight;
      this.set = position;
    }
    this.draw();
    this.events.move && this.events.move(Math.round(this.top));
  }

  /** Makes a row the first in sight. */
  scrollTo(top) {
    this.top = Math.min(Math.max(0, top), this.topMax);
    this.element.scrollTop = this.scrollOf(this.top);
    this.set = this.element.scrollTop;
    this.draw();
    this.events.move && this.events.move(Math.round(this.top));
  }

  wheel(event) {
    // Where the bar is scaled, a turn of the wheel still goes on by its pixels.
    if (!this.isScaled || event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? event.deltaY : event.deltaY / rowHeight;
    this.scrollTo(this.top + (event.deltaMode === 2 ? event.deltaY * this.viewHeight / rowHeight : lines));
  }

  // Rows

  row(place) {
    const part = this.parts.get(Math.floor(place / partRows));
    return part && part[place % partRows];
  }

  /** Asks for the rows in sight that are not there. */
  load(first, last) {
    const [from, to] = [Math.floor(first / partRows), Math.floor(last / partRows)];
    for (const [part, abort] of this.pending) {
      if (part < from - 1 || part > to + 1) { abort.abort(); this.pending.delete(part); }
    }
    for (let part = from; part <= to; part += 1) {
      if (this.parts.has(part) || this.pending.has(part)) continue;
      const abort = new AbortController();
      this.pending.set(part, abort);
      this.fetchRows(part * partRows, partRows, abort.signal).then((rows) => {
        if (this.pending.get(part) !== abort) return;
        this.pending.delete(part);
        this.parts.delete(part);
        this.parts.set(part, rows);
        if (this.parts.size > partsMax) this.parts.delete(this.parts.keys().next().value);
        this.draw();
      }, (error) => {
        if (this.pending.get(part) === abort) this.pending.delete(part);
        complain(error);
      });
    }
  }

  /** Takes the count of another version; rows that differ from those in sight are marked as they come. */
  renew(total) {
    this.before = new Map();
    for (const part of this.parts.values()) {
      for (const row of part) if (row.k !== undefined) this.before.set(row.k, row.c.map((cell) => JSON.stringify(cell)));
    }
    this.count = total;
    this.element.setAttribute("aria-rowcount", String(total + 1));
    this.parts.clear();
    for (const abort of this.pending.values()) abort.abort();
    this.pending.clear();
    for (const row of this.pool) row.shown = null;
    this.scrollTo(this.top);
  }

  draw() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => { this.drawing = false; this.drawNow(); });
  }

  drawNow() {
    if (!this.element.isConnected) return;
    this.body.style.height = Math.min(this.wholeHeight, heightMax) + "px";
    if (this.wanted !== undefined) {
      const top = this.wanted;
      this.wanted = undefined;
      return this.scrollTo(top);
    }
    const inSight = Math.min(190, Math.ceil(this.viewHeight / rowHeight) + 2);
    const first = Math.max(0, Math.floor(Math.min(this.top, this.topMax)));
    const last = Math.min(this.count, first + inSight);
    while (this.pool.length < last - first) this.pool.push(this.newRow());
    while (this.pool.length > inSight) this.pool.pop().element.remove();
    const start = this.element.scrollTop;
    for (const [index, row] of this.pool.entries()) {
      // A row keeps its element as long as it is in sight.
      const place = first + ((index - first % this.pool.length + this.pool.length) % this.pool.length);
      row.element.hidden = place >= last;
      if (place >= last) continue;
      const y = this.isScaled ? start + (place - this.top) * rowHeight : place * rowHeight;
      row.element.style.transform = `translateY(${y}px)`;
      this.fillRow(row, place);
    }
    if (last > first) this.load(first, last - 1);
  }

  newRow() {
    const cells = this.columns.map((field, column) =>
      el("div", { role: "gridcell", class: "cell", "aria-colindex": String(column + 2) }));
    const place = el("div", { role: "rowheader", class: "cell place", "aria-colindex": "1" });
    const element = el("div", { role: "row", class: "row" }, place, ...cells);
    this.body.append(element);
    return { element, place, cells, shown: null, at: -1 };
  }

  fillRow(row, place) {
    const data = this.row(place);
    if (row.at !== place) {
      row.at = place;
      row.shown = null;
      row.element.id = "row" + place;
      row.element.setAttribute("aria-rowindex", String(place + 2));
      row.place.textContent = count(place + 1);
    }
    if (row.shown !== data || row.shown === null) {
      row.shown = data ?? null;
      row.element.classList.toggle("waiting", !data);
      const old = data && this.before && data.k !== undefined ? this.before.get(data.k) : undefined;
      const isNew = data && this.before && data.k !== undefined && this.before.size > 0 && !old;
      row.element.classList.toggle("changed", Boolean(isNew));
      for (const [column, cell] of row.cells.entries()) {
        if (!data) cell.replaceChildren();
        else if (data.e !== undefined) { cell.className = "cell bad"; cell.textContent = column ? "" : data.e; }
        else fill(cell, data.c[column], this.columns[column]);
        if (old && old[column] !== JSON.stringify(data.c[column])) cell.classList.add("changed");
      }
    }
    const isSelected = this.isSelected(place);
    row.element.classList.toggle("selected", isSelected);
    row.element.setAttribute("aria-selected", String(isSelected));
    for (const [column, cell] of row.cells.entries()) {
      const isActive = place === this.active.row && column === this.active.column;
      cell.classList.toggle("active", isActive);
      const id = isActive ? "active-cell" : null;
      if (isActive) cell.id = id;
      else if (cell.id) cell.removeAttribute("id");
      if (isActive) this.element.setAttribute("aria-activedescendant", id);
    }
  }

  // Places

  placeOf(target) {
    const cell = target.closest(".cell");
    const row = this.pool.find((row) => row.element.contains(target));
    if (!cell || !row) return null;
    return { row: row.at, column: row.cells.indexOf(cell) };
  }

  isSelected(place) {
    const range = this.selectedRange();
    return range !== null && place >= range.from && place < range.to;
  }

  selectedRange() {
    if (!this.selection) return null;
    const { from, to } = this.selection;
    return { from: Math.min(from, to), to: Math.max(from, to) + 1 };
  }

  select(from, to) {
    this.selection = from === null ? null : { from, to };
    this.draw();
    this.events.select && this.events.select();
  }

  pressed(event) {
    const place = this.placeOf(event.target);
    if (!place) return;
    if (place.column < 0) {
      event.preventDefault();
      this.element.focus();
      const start = event.shiftKey && this.selection ? this.selection.from : place.row;
      this.activate(place.row, this.active.column);
      return this.select(start, place.row);
    }
    if (event.shiftKey) {
      event.preventDefault();
      return this.select(this.selection ? this.selection.from : this.active.row, place.row);
    }
    this.activate(place.row, place.column);
  }

  /** Makes a cell the active one, and brings it into sight. */
  activate(row, column) {
    row = Math.min(Math.max(0, row), Math.max(0, this.count - 1));
    column = Math.min(Math.max(0, column), this.columns.length - 1);
    this.active = { row, column };
    const visible = this.viewHeight / rowHeight;
    if (row < this.top) this.scrollTo(row);
    else if (row + 1 > this.top + visible) this.scrollTo(row + 1 - visible);
    const head = this.head.children[column + 1];
    const place = this.head.children[0];
    if (head) {
      const left = head.offsetLeft - place.offsetWidth;
      const right = head.offsetLeft + head.offsetWidth - this.element.clientWidth;
      if (this.element.scrollLeft > left) this.element.scrollLeft = left;
      else if (this.element.scrollLeft < right) this.element.scrollLeft = right;
    }
    this.draw();
    this.events.activate && this.events.activate();
  }

  key(event) {
    if (event.target !== this.element || event.altKey) return;
    const { row, column } = this.active;
    const page = Math.max(1, Math.floor(this.viewHeight / rowHeight) - 1);
    const command = event.ctrlKey || event.metaKey;
    const to = {
      ArrowDown: [row + 1, column], ArrowUp: [row - 1, column], ArrowRight: [row, column + 1], ArrowLeft: [row, column - 1],
      PageDown: [row + page, column], PageUp: [row - page, column],
      Home: command ? [0, column] : [row, 0], End: command ? [this.count - 1, column] : [row, this.columns.length - 1],
    }[event.key];
    if (to) {
      event.preventDefault();
      if (event.shiftKey && to[0] !== row) {
        const start = this.selection ? this.selection.from : row;
        this.activate(to[0], to[1]);
        return this.select(start, this.active.row);
      }
      return this.activate(to[0], to[1]);
    }
    const field = this.columns[column];
    const acts = {
      Enter: () => this.events.open(row, field), " ": () => this.select(this.isSelected(row) ? null : row, row),
      Escape: () => this.select(null), F2: () => this.events.edit && this.events.edit(row, field),
      Delete: () => this.events.remove && this.events.remove(row),
      f: () => this.events.filter && this.events.filter(row, field, false),
      x: () => this.events.filter && this.events.filter(row, field, true),
      s: () => this.events.sort && this.events.sort(field, false), S: () => this.events.sort && this.events.sort(field, true),
      t: () => this.events.top && this.events.top(field),
      "<": () => this.widen(column, -20), ">": () => this.widen(column, 20), "=": () => this.fit(column),
    };
    const act = command ? event.key === "c" && !String(getSelection()) && (() => this.events.copy()) : acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
