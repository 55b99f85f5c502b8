// What is not a table of objects: the start, space, versions, the values of a column.

/** A table of a page. */
function plainTable(headings, rows, attributes = {}) {
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": attributes.label || "Table" }, el("table", {},
    el("thead", {}, el("tr", {}, headings.map((text) => el("th", { scope: "col", class: text.startsWith("#") ? "number" : "" }, text.replace(/^#/, ""))))),
    el("tbody", {}, rows.map((cells) => el("tr", {}, cells.map((cell, column) =>
      el("td", { class: headings[column].startsWith("#") ? "number" : "" }, cell)))))));
}

/** A bar for a part of a whole. */
function barOf(part, whole) {
  const filled = el("span", { class: "filled" });
  filled.style.width = `${whole > 0 ? Math.max(1, 100 * part / whole) : 0}%`;
  return el("span", { class: "partbar", "aria-hidden": "true" }, filled);
}

class PlainView {
  constructor(load) {
    this.load = load;
    this.element = el("section", { class: "plainview" }, el("p", { class: "note" }, "…"));
    this.renew();
  }

  async renew() {
    try { this.element.replaceChildren(...(await this.load()).filter(Boolean)); } catch (error) {
      this.element.replaceChildren(el("p", { class: "error", role: "alert" }, error.message));
    }
  }

  end() {}
}

const startView = () => new PlainView(async () => {
  const { overview } = state;
  const models = overview.models.filter((model) => !model.isValue);
  return [
    el("h1", {}, overview.name),
    el("p", {}, `${many(models.length, "model")}; ${bytes(overview.fileBytes || 0)}, of which ${bytes(overview.freeBytes || 0)} free; version ${count(overview.newest)}; ${overview.isWritable ? "to read and write" : "only read"}.`),
    models.length ? plainTable(["Model", "Key", "#Fields", "#Objects", "#Size"], models.map((model) => [
      link(model.name, rowsOf(model.name)), model.key, count(model.fields.length), count(model.count), bytes(model.bytes || 0),
    ]), { label: "Models" }) : el("p", {}, "No models."),
    el("p", { class: "note" }, "In a table: arrows move, Enter opens an object or follows a link, F shows only the objects with the value, X those without it, S sorts, T shows the top values, Space selects, Ctrl+C copies. / leads to the query, Ctrl+Space completes it."),
  ];
});

const spaceView = () => new PlainView(async () => {
  const space = await ask("space");
  const sizes = space.tables.map((table) => table.bytes + table.valueBytes + table.indexes.reduce((sum, index) => sum + index.bytes, 0));
  const largest = Math.max(1, ...sizes);
  return [
    el("h1", {}, "Space"),
    el("p", {}, `The file has ${bytes(space.fileBytes)}; ${bytes(space.usedBytes)} are used and ${bytes(space.freeBytes)} free${space.ringBytes ? `; ${bytes(space.ringBytes)} are the ring of small commits` : ""}.`),
    ...space.tables.map((table, index) => el("details", { class: "spacetable", open: space.tables.length < 4 },
      el("summary", {}, el("span", { class: "name" }, table.name), barOf(sizes[index], largest),
        el("span", { class: "note" }, `${bytes(sizes[index])}, ${many(table.objects, "object")}`)),
      plainTable(["Column or index", "Type", "#Size", "Part"], [
        ...table.columns.map((column) => [column.name, column.type, bytes(column.bytes), barOf(column.bytes, sizes[index])]),
        ...table.indexes.map((entry) => [`index ${entry.name}`, entry.isUnique ? "unique" : "", bytes(entry.bytes), barOf(entry.bytes, sizes[index])]),
      ], { label: `Space of ${table.name}` }),
      el("p", { class: "note" }, `${many(table.leaves, "leaf", "leaves")} in ${many(table.levels, "level")}. A column's size has its own index in it.`))),
  ];
});

const versionsView = (params) => new PlainView(async () => {
  const { versions, steps } = await ask("versions");
  const choice = (id, label, chosen) => el("label", {}, label + " ", el("select", { id },
    el("option", { value: "" }, "the newest"), versions.map(({ name }) => el("option", { value: name, selected: name === chosen }, name))));
  const [from, to] = [params.get("from") || "", params.get("to") || ""];
  const form = el("form", { class: "compare", onsubmit: (event) => {
    event.preventDefault();
    go(["versions"], { from: byId("from").value, to: byId("to").value, compare: "1" });
  } }, choice("from", "From", from), choice("to", "to", to), el("button", { type: "submit", class: "main" }, "Compare"));
  return [
    el("h1", {}, "Versions"),
    versions.length ? plainTable(["Name", "Date", "#Version", "#Of its own", ""], versions.map((entry) => [
      entry.name, entry.date, count(entry.version), bytes(entry.bytes), el("a", { href: address([""], { v: entry.name }) }, "look into it"),
    ]), { label: "Kept versions" }) : el("p", {}, "No versions are kept: “roost keep FILE NAME” keeps the newest one."),
    versions.length ? form : null,
    ...(params.get("compare") ? await differences(from, to) : []),
    ...(steps.length ? [el("h2", {}, "Steps of migrations"), el("ol", {}, steps.map(({ name }) => el("li", {}, name)))] : []),
  ];
});

async function differences(from, to) {
  const found = await ask("difference", { from: from || undefined, to: to || undefined });
  if (found.models.length === 0) return [el("p", { id: "difference" }, "The two are equal.")];
  const shown = (value) => value === null ? el("span", { class: "null" }, "NULL") : value === "" ? el("span", { class: "empty" }, "empty") : plain(value);
  const keys = (name, list, number, version) => list.length ? [
    el("ul", { class: "links" }, list.map((object) => el("li", {}, el("a", { href: address(["object", name, object.k], { v: version }) }, object.l ?? object.k)))),
    number > list.length ? el("p", { class: "note" }, `and ${count(number - list.length)} more`) : null,
  ] : [];
  return [el("div", { id: "difference" }, found.models.map((entry) => el("details", { class: "difference", open: found.models.length < 4 },
    el("summary", {}, el("span", { class: "name" }, entry.name), ` ${count(entry.inserted)} new, ${count(entry.deleted)} gone, ${count(entry.modified)} changed`),
    entry.inserted ? el("h3", {}, "New") : null, ...keys(entry.name, entry.insertions, entry.inserted, to),
    entry.deleted ? el("h3", {}, "Gone") : null, ...keys(entry.name, entry.deletions, entry.deleted, from),
    ...(entry.modified ? [
      el("h3", {}, "Changed"),
      plainTable(["Key", "Field", "Before", "After"], entry.modifications.flatMap((change) => change.fields.map((field) =>
        [el("a", { href: address(["object", entry.name, change.k], { v: to }) }, change.k), field.name, shown(field.before), shown(field.after)])), { label: `Changes of ${entry.name}` }),
      entry.modified > entry.modifications.length ? el("p", { class: "note" }, `and ${count(entry.modified - entry.modifications.length)} more`) : null,
    ] : [])))) ];
}

const topView = (name, fieldName, params) => new PlainView(async () => {
  const where = params.get("w") || "";
  const field = model(name).fields.find((field) => field.name === fieldName) || { name: fieldName, type: "String" };
  const found = await ask("top", { model: name, field: fieldName, where, version: version() });
  const largest = found.rows.length ? found.rows[0].n : 0;
  const value = (row) => {
    const cell = el("div");
    fill(cell, row.v, field);
    return row.condition === undefined ? cell : link(cell, ["rows", name], { w: joined(where, row.condition) });
  };
  const figures = found.figures ? el("p", {}, ["Least", "greatest", "mean"].map((word, index) => `${word} ${found.figures[index]}`).join(", ") + ".") : null;
  return [
    el("h1", {}, "Top values of ", link(name, ["rows", name], { w: where }), "." + fieldName),
    el("p", {}, `${many(found.count, "object")}${where ? " with " : ""}`, where ? el("code", {}, where) : null, `; ${found.isCut ? "the first " : ""}${many(found.rows.length, "value")}.`), figures,
    plainTable(["Value", "#Objects", "#Share", "Part"], found.rows.map((row) => [
      value(row), count(row.n), `${(100 * row.n / Math.max(1, found.count)).toFixed(1)} %`, barOf(row.n, largest),
    ]), { label: `Values of ${fieldName}` }),
  ];
});
