// The objects of a model, or the results of a query.

function readSort(text) {
  return (text || "").split(",").filter(Boolean).map((key) =>
    key.startsWith("-") ? { field: decodeURIComponent(key.slice(1)), down: true } : { field: decodeURIComponent(key), down: false });
}

const writeSort = (keys) => keys.map((key) => (key.down ? "-" : "") + encodeURIComponent(key.field)).join(",");

/** The widths of columns by the names of fields. */
function readSizes(text) {
  const sizes = (text || "").split(",").map((part) => part.split(":")).map(([name, width]) => [decodeURIComponent(name), Number(width)]);
  return new Map(sizes.filter(([, width]) => width >= widthMin && width <= widthMax));
}

/** A menu that opens under its button. */
function menu(title, content, attributes = {}) {
  const details = el("details", { class: "menu", ...attributes }, el("summary", {}, title), el("div", { class: "sheet" }, content));
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    details.open = false;
    details.firstChild.focus();
  });
  return details;
}

document.addEventListener("click", (event) => {
  for (const details of document.querySelectorAll("details.menu[open]")) {
    if (!details.contains(event.target)) details.open = false;
  }
});

class RowsView {
  constructor(name, params) {
    this.model = model(name);
    this.where = params.get("w") || "";
    this.sort = readSort(params.get("s"));
    this.hidden = new Set((params.get("h") || "").split(",").filter(Boolean).map(decodeURIComponent));
    this.sizes = readSizes(params.get("cw"));
    this.at = Number(params.get("at")) || 0;
    this.box = new QueryBox(name, this.where, (text) =>
      go(["rows", name], { w: text.trim(), s: writeSort(this.sort), ...this.form() }));
    this.info = el("div", { class: "info" });
    this.tools = el("div", { class: "tools" });
    this.place = el("div", { class: "place" });
    this.cellBar = el("div", { class: "cellbar", role: "region", "aria-label": "The chosen value" });
    const values = this.model.isValue;
    this.element = el("section", { class: "rows" },
      el("div", { class: "titleline" }, el("h1", {}, values ? name.replace(/^value:/, "") : name), this.tools),
      this.box.element, this.info, this.place, this.cellBar);
    this.run();
  }

  get columns() {
    if (this.groups) return this.groups.map((name) => ({ name, type: "String" }));
    return this.model.fields.filter((field) => !this.hidden.has(field.name));
  }

  get request() {
    return {
      model: this.model.name, where: this.where, sort: this.sort, version: version(), columns: this.model.fields.map((field) => field.name).filter((name) => !this.hidden.has(name)),
    };
  }

  async fetchRows(from, number, signal) {
    const found = await ask("rows", { ...this.request, from, count: number }, signal);
    this.took(found);
    return found.rows;
  }

  /** Sees whether the answer is of another version than the page shows. */
  took(found) {
    if (typeof found.version === "number" && found.version !== state.version) renew();
  }

  async run() {
    let found;
    this.info.textContent = "…";
    try {
      found = await ask("rows", { ...this.request, from: 0, count: partRows });
    } catch (error) {
      this.info.textContent = "";
      if (error.place === undefined && error.status !== 422) return complain(error);
      return this.box.fail(error);
    }
    calm();
    this.box.succeed();
    this.groups = found.columns || null;
    this.found = found;
    if (this.table) this.table.end();
    const isOfGroups = Boolean(this.groups);
    this.table = new Table(this.columns, found.count, (from, number, signal) => this.fetchRows(from, number, signal), isOfGroups ? {
      open() {}, copy: () => this.copy("csv"), activate: () => this.drawCellBar(), select: () => this.drawTools(),
    } : {
      open: (row, field) => this.open(row, field), filter: (row, field, negated) => this.filter(row, field, negated),
      sort: (field, more) => this.sortBy(field, more), select: () => this.drawTools(), move: (top) => this.moved(top),
      top: (field) => this.showTop(field), copy: () => this.copy("csv"), activate: () => this.drawCellBar(),
      edit: (row, field) => this.edit(row, field), remove: (row) => this.remove(row), resized: () => note(this.form()),
    }, isOfGroups ? undefined : this.sizes);
    this.table.sorted = isOfGroups || !found.isInOrder ? [] : this.sort;
    this.table.setColumns(this.columns);
    this.table.parts.set(0, found.rows);
    this.place.replaceChildren(this.table.element);
    if (this.at > 0) this.table.wanted = this.at;
    this.drawInfo();
    this.drawTools();
    this.drawCellBar();
    if (this.focusGrid) this.table.element.focus({ preventScroll: true });
  }

  /** Shows another version of the same query. */
  async renew() {
    if (!this.table || this.groups) return this.run();
    try {
      const found = await ask("rows", { ...this.request, from: 0, count: 0 });
      this.model = model(this.model.name) || this.model;
      this.found = found;
      this.table.renew(found.count);
      this.drawInfo();
      this.drawTools();
    } catch (error) { complain(error); }
  }

  // What is said of the query

  drawInfo() {
    const { found } = this;
    const what = this.groups ? many(found.count, "group") : many(found.count, "object");
    const of = !this.groups && (this.where || found.count !== this.model.count) ? ` of ${count(this.model.count)}` : "";
    const plan = el("pre", { class: "plan" }, "…");
    const details = menu("Plan", plan, { id: "plan" });
    details.addEventListener("toggle", async () => {
      if (!details.open || plan.dataset.read) return;
      plan.dataset.read = "true";
      try {
        const { text, lines } = await ask("plan", this.request);
        plan.textContent = [text, "", ...lines].join("\n");
      } catch (error) { plan.textContent = error.message; }
    });
    this.info.replaceChildren(
      el("span", { id: "count" }, what + of), " · ",
      el("span", { id: "time" }, found.wasKept ? "kept" : milliseconds(found.milliseconds)), " ", details,
      ...(found.isInOrder || this.sort.length === 0 ? [] : [el("span", { class: "warn" }, "The query has an order of its own.")]),
      ...(this.where || this.sort.length ? [button("Show all", () => go(["rows", this.model.name], this.form()), { class: "quiet" })] : []));
  }

  /** What the address says of the columns: those that are hidden, and the widths that were chosen. */
  form() {
    const sizes = [...this.sizes].map(([name, width]) => `${encodeURIComponent(name)}:${width}`);
    return { h: [...this.hidden].map(encodeURIComponent).join(","), cw: sizes.join(",") };
  }

  drawTools() {
    const range = this.table && this.table.selectedRange();
    const rows = range ? many(range.to - range.from, "row") : "the rows in sight";
    const choices = this.model.fields.map((field) =>
      el("label", {}, el("input", {
        type: "checkbox", checked: !this.hidden.has(field.name),
        onchange: (event) => this.showColumn(field.name, event.target.checked),
      }), " " + field.name));
    const hidden = this.hidden.size ? ` (${this.hidden.size} hidden)` : "";
    const wasOpen = this.tools.querySelector("details.columns")?.open;
    const columns = this.groups ? null : menu("Columns" + hidden, el("div", { class: "choices" }, choices), { class: "menu columns", open: wasOpen });
    this.tools.replaceChildren(...[
      columns,
      menu("Copy", [
        button(`Copy ${rows} as CSV`, () => this.copy("csv")), button(`Copy ${rows} as JSON`, () => this.copy("json")),
      ]),
      menu("Export", [
        el("label", {}, el("input", { type: "checkbox", id: "quote-formulas" }), " apostrophe before formulas (CSV)"),
        button("All shown as CSV", () => this.save("csv")), button("All shown as JSON", () => this.save("json")),
        button("All shown as lines of JSON", () => this.save("ndjson")),
      ]),
      state.overview.isWritable && !this.groups && !this.model.isValue && !kept().v
        ? button("Add", () => addObject(this.model), { id: "add" }) : null,
    ].filter(Boolean));
  }

  showColumn(name, isShown) {
    if (isShown) this.hidden.delete(name);
    else this.hidden.add(name);
    note(this.form());
    this.table.setColumns(this.columns);
    this.drawTools();
  }

  moved(top) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (state.view === this) note({ at: top || null });
    }, 250);
  }

  // The chosen value

  drawCellBar() {
    if (!this.table || !this.table.count) return this.cellBar.replaceChildren(el("span", { class: "note" }, "Nothing found."));
    const { row, column } = this.table.active;
    const field = this.columns[column];
    const data = this.table.row(row);
    if (!field || !data || !data.c) return this.cellBar.replaceChildren();
    const value = data.c[column];
    const isText = !this.groups;
    this.cellBar.replaceChildren(...[
      el("span", { class: "name" }, field.name), el("span", { class: "value" }, value === "" ? "empty" : plain(value)),
      isText && comparable(field) ? button("Only these", () => this.filter(row, field, false), { id: "filter", title: "Key F" }) : null,
      isText && comparable(field) ? button("Without these", () => this.filter(row, field, true), { title: "Key X" }) : null,
      isText && comparable(field) ? button("Top values", () => this.showTop(field), { id: "top-values", title: "Key T" }) : null,
      isText ? button("Open", () => this.open(row, null), { id: "open", title: "Enter" }) : null,
    ].filter(Boolean));
  }

  open(row, field) {
    const data = this.table.row(row);
    if (!data || data.k === undefined) return;
    note({ at: Math.round(this.table.top) || null });
    const value = field && data.c[this.columns.indexOf(field)];
    if (field && field.type === "Link" && value) return go(["object", field.target, value.k]);
    go(["object", this.model.name, data.k]);
  }

  edit(row, field) {
    const data = this.table.row(row);
    if (state.overview.isWritable && data && data.k !== undefined) go(["object", this.model.name, data.k], { edit: field.name });
  }

  remove(row) {
    const data = this.table.row(row);
    if (state.overview.isWritable && data && data.k !== undefined) removeObject(this.model, data.k);
  }

  async filter(row, field, negated) {
    const data = this.table.row(row);
    if (!data || data.k === undefined || !comparable(field)) return;
    try {
      const { condition } = await ask("condition", { model: this.model.name, key: data.k, field: field.name, version: version() });
      this.add(negated ? `!(${condition})` : condition);
    } catch (error) { complain(error); }
  }

  /** Adds a condition to that of the query. */
  add(condition) { go(["rows", this.model.name], { w: joined(this.where, condition), s: writeSort(this.sort), ...this.form() }); }

  showTop(field) { go(["top", this.model.name, field.name], { w: this.where }); }

  sortBy(field, more) {
    const old = this.sort.find((key) => key.field === field.name);
    const next = !old ? { field: field.name, down: false } : old.down ? null : { field: field.name, down: true };
    const others = more ? this.sort.filter((key) => key.field !== field.name) : [];
    this.sort = next ? [...others, next] : others;
    this.at = 0;
    this.focusGrid = true;
    history.pushState(null, "", address(["rows", this.model.name], { ...kept(), w: this.where, s: writeSort(this.sort), ...this.form() }));
    state.route = readAddress();
    this.run();
  }

  // Copies

  async texts(format, from, to, progress) {
    const parts = [];
    for (let place = from; place < to; place += 5000) {
      if (progress) say(`${count(place - from)} of ${count(to - from)} rows …`);
      const response = await send("export", {
        ...this.request, format: format === "csv" ? "csv" : "ndjson", heading: place === from, from: place, count: Math.min(5000, to - place),
        quotesFormulas: Boolean(byId("quote-formulas") && byId("quote-formulas").checked),
      });
      const text = await response.text();
      if (format !== "json") parts.push(text);
      else parts.push(text.trimEnd().split("\n").filter(Boolean).map((line) => "  " + line).join(",\n"));
    }
    if (format === "json") return [`[\n${parts.filter(Boolean).join(",\n")}\n]\n`];
    return parts;
  }

  async copy(format) {
    const first = Math.floor(this.table.top);
    const inSight = { from: first, to: Math.min(this.table.count, first + Math.ceil(this.table.viewHeight / rowHeight)) };
    const { from, to } = this.table.selectedRange() || inSight;
    try {
      const text = (await this.texts(format, from, to)).join("");
      await navigator.clipboard.writeText(text);
      say(`${many(to - from, "row")} copied as ${format.toUpperCase()}.`);
    } catch (error) { complain(error); }
  }

  async save(format) {
    try {
      const parts = await this.texts(format, 0, this.table.count, true);
      const url = URL.createObjectURL(new Blob(parts, { type: "application/octet-stream" }));
      const anchor = el("a", { href: url, download: `${this.model.name.replace(/\W+/g, "-")}.${format}` });
      document.body.append(anchor);
      anchor.click();
      anchor.remove();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
      say(`${many(this.table.count, "row")} exported.`);
    } catch (error) { complain(error); }
  }

  end() {
    clearTimeout(this.timer);
    if (this.table) this.table.end();
  }
}

/** A condition and another; what is sorted or limited stays behind both. */
function joined(where, condition) {
  const text = where.trim();
  if (!text) return condition;
  const tail = tailPlace(text);
  const before = text.slice(0, tail).trim();
  const after = tail < text.length ? " " + text.slice(tail) : "";
  if (!before) return condition + after;
  return (/\|\||\bor\b/i.test(before) ? `(${before})` : before) + " && " + condition + after;
}

/** Where the order or the limit of a query begins. */
function tailPlace(text) {
  let isText = false;
  let depth = 0;
  for (let place = 0; place < text.length; place += 1) {
    const sign = text[place];
    if (isText && sign === "\\") place += 1;
    else if (sign === '"') isText = !isText;
    else if (isText) continue;
    else if ("({[".includes(sign)) depth += 1;
    else if (")}]".includes(sign)) depth -= 1;
    else if (depth === 0 && (place === 0 || text[place - 1] === " ") && /^(sort|limit|offset)\s/.test(text.slice(place))) return place;
  }
  return text.length;
}
