// One object: its fields, its links, and who links to it.

/** The most bytes of a picture that is shown. */
const pictureMax = 32 << 20;

class ObjectView {
  constructor(name, key, params) {
    this.model = model(name);
    this.key = key;
    this.editing = params.get("edit");
    this.urls = [];
    this.element = el("section", { class: "object" }, el("p", { class: "note" }, "…"));
    this.load();
  }

  get request() { return { model: this.model.name, key: this.key, version: version() }; }
  get canEdit() { return state.overview.isWritable && !kept().v; }

  async load() {
    let found;
    try { found = await ask("object", this.request); } catch (error) {
      this.element.replaceChildren(el("h1", {}, `${this.model.name} ${this.key}`), el("p", { class: "error", role: "alert" }, error.message));
      return;
    }
    this.found = found;
    this.draw();
  }

  renew() { return this.load(); }

  draw() {
    const { found } = this;
    const rows = this.model.fields.map((field, index) => this.fieldRow(field, found.fields[index] || { v: null }));
    this.element.replaceChildren(
      el("div", { class: "titleline" },
        el("h1", {}, link(this.model.name, ["rows", this.model.name]), " ", el("span", { class: "key" }, found.key),
          found.label !== undefined ? el("span", { class: "label" }, " " + found.label) : null),
        el("div", { class: "tools" }, this.canEdit ? button("Delete", () => removeObject(this.model, this.key), { id: "delete", class: "danger" }) : null)),
      el("div", { class: "fields" }, rows),
      ...(found.inverses.length ? [el("h2", {}, "Linked from"), el("div", { class: "inverses" }, found.inverses.map((inverse) => this.inverse(inverse)))] : []));
    if (this.editing) {
      const name = this.editing;
      this.editing = null;
      note({ edit: null });
      const index = this.model.fields.findIndex((field) => field.name === name);
      if (index >= 0 && this.canEdit) this.edit(this.model.fields[index], found.fields[index].v, this.element.querySelectorAll(".fieldrow")[index]);
    }
  }

  fieldRow(field, { v, e }) {
    const value = el("div", { class: "fieldvalue" });
    if (e !== undefined) value.append(el("span", { class: "bad" }, e));
    else this.fillValue(value, field, v);
    const tools = el("div", { class: "tools" });
    if (e === undefined && comparable(field)) {
      tools.append(button("Same", () => this.filter(field), { class: "quiet", title: `Objects with the same ${field.name}`, "aria-label": `Objects with the same ${field.name}` }));
    }
    const row = el("div", { class: "fieldrow", "data-field": field.name },
      el("div", { class: "fieldname" }, el("span", {}, field.name), el("span", { class: "note" }, field.type + (field.isKey ? ", key" : ""))), value, tools);
    const isLong = v && typeof v === "object" && ("t" in v || "hex" in v);
    if (this.canEdit && e === undefined && !field.isKey && !(isLong && (v.n > 65536 || "hex" in v))) {
      tools.append(button("Edit", () => this.edit(field, v, row), { class: "quiet edit", "aria-label": `Edit ${field.name}` }));
    }
    return row;
  }

  fillValue(element, field, value) {
    if (value && typeof value === "object" && "t" in value) return this.fillLong(element, field, value);
    if (value && typeof value === "object" && "hex" in value) return this.fillBinary(element, field, value);
    if (value && typeof value === "object" && "links" in value) return this.fillLinks(element, field, value);
    if (typeof value === "string" && (value.length > 120 || value.includes("\n"))) {
      element.append(el("pre", { class: "long", tabindex: "0" }, pretty(field, value)));
      return;
    }
    const cell = el("div");
    fill(cell, value, field);
    for (const anchor of cell.querySelectorAll("a")) anchor.removeAttribute("tabindex");
    element.append(cell);
  }

  /** A long text, of which the rest is fetched when it is asked for. */
  fillLong(element, field, value) {
    const text = el("pre", { class: "long", tabindex: "0" }, value.t);
    const more = button(`Show all ${bytes(value.n)}`, async () => {
      try {
        text.textContent = new TextDecoder().decode(await this.bytes(field, 0, value.n));
        more.remove();
      } catch (error) { complain(error); }
    });
    element.append(text, more);
  }

  async bytes(field, from, to) {
    const parts = [];
    for (let place = from; place < to; place += 1 << 20) {
      const response = await send("bytes", { ...this.request, field: field.name, from: place, count: Math.min(1 << 20, to - place) });
      parts.push(await response.arrayBuffer());
    }
    return new Blob(parts).arrayBuffer();
  }

  fillBinary(element, field, value) {
    const type = pictureType(value.hex);
    element.append(el("span", { class: "more" }, `${bytes(value.n)}${type ? ", " + type : ""} `));
    if (type && value.n <= pictureMax) {
      const picture = el("img", { class: "picture", alt: `${field.name} of ${this.model.name} ${this.key}` });
      element.append(picture);
      this.bytes(field, 0, value.n).then((data) => {
        const url = URL.createObjectURL(new Blob([data], { type }));
        this.urls.push(url);
        picture.src = url;
      }, complain);
    }
    if (value.n > 0) {
      const place = el("div");
      element.append(button("Bytes", () => this.showHex(place, field, value.n, 0), { class: "quiet" }),
        button("Save", () => this.saveBytes(field, value.n), { class: "quiet" }), place);
    }
  }

  async showHex(place, field, length, from) {
    const page = 1024;
    try {
      const data = new Uint8Array(await this.bytes(field, from, Math.min(length, from + page)));
      const lines = [];
      for (let start = 0; start < data.length; start += 16) {
        const row = [...data.slice(start, start + 16)];
        const digits = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(47);
        lines.push(`${(from + start).toString(16).padStart(8, "0")}  ${digits}  ${row.map((byte) => byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·").join("")}`);
      }
      place.replaceChildren(el("pre", { class: "hexview", tabindex: "0", "aria-label": `Bytes of ${field.name}` }, lines.join("\n")),
        el("div", { class: "tools" },
          from > 0 ? button("Before", () => this.showHex(place, field, length, Math.max(0, from - page))) : null,
          from + page < length ? button("Next", () => this.showHex(place, field, length, from + page)) : null));
    } catch (error) { complain(error); }
  }

  async saveBytes(field, length) {
    try {
      const url = URL.createObjectURL(new Blob([await this.bytes(field, 0, length)], { type: "application/octet-stream" }));
      el("a", { href: url, download: `${this.model.name}-${field.name}.bin` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } catch (error) { complain(error); }
  }

  fillLinks(element, field, value) {
    const list = el("ul", { class: "links" });
    const add = (targets) => list.append(...targets.map((target) => el("li", {}, anchorTo(field.target, target))));
    add(value.first);
    element.append(el("span", { class: "more" }, many(value.links, "link")), list);
    this.addMore(element, list, value.first.length, value.links, add, { field: field.name });
  }

  /** A button for the links that are not there yet. */
  addMore(element, list, shown, total, add, request) {
    if (shown >= total) return;
    const more = button(`More of ${count(total)}`, async () => {
      try {
        const found = await ask("sources", { ...this.request, ...request, from: list.children.length });
        add(found.first);
        if (list.children.length >= total || found.first.length === 0) more.remove();
      } catch (error) { complain(error); }
    }, { class: "quiet" });
    element.append(more);
  }

  inverse(inverse) {
    const list = el("ul", { class: "links" });
    const add = (sources) => list.append(...sources.map((source) => el("li", {}, anchorTo(inverse.model, source))));
    add(inverse.first);
    const box = el("div", { class: "inverse", "data-inverse": `${inverse.model}.${inverse.field}` },
      el("h3", {}, `${inverse.model}.${inverse.field}`, el("span", { class: "note" }, " " + count(inverse.count)),
        inverse.condition && inverse.count ? [" ", link("as rows", ["rows", inverse.model], { w: inverse.condition }, { class: "quiet" })] : null), list);
    this.addMore(box, list, inverse.first.length, inverse.count, add, { source: inverse.model, field: inverse.field });
    return box;
  }

  async filter(field) {
    try {
      const { condition } = await ask("condition", { ...this.request, field: field.name });
      go(["rows", this.model.name], { w: condition });
    } catch (error) { complain(error); }
  }

  // Changes

  edit(field, value, row) {
    const editor = editorOf(field, value, !field.isOptional || value !== null);
    const message = el("p", { class: "error", role: "alert" });
    const close = () => { this.draw(); this.element.querySelector(`[data-field="${CSS.escape(field.name)}"] .edit`)?.focus(); };
    const form = el("form", {
      class: "editor", onsubmit: async (event) => {
        event.preventDefault();
        try {
          changed(await ask("set", { model: this.model.name, key: this.key, field: field.name, value: editor.value }));
          await this.load();
          close();
        } catch (error) { message.textContent = error.message; }
      }, onkeydown: (event) => { if (event.key === "Escape") { event.preventDefault(); close(); } },
    }, editor.element, el("div", { class: "buttons" }, el("button", { type: "submit", class: "main" }, "Save"), button("Cancel", close)), message);
    row.querySelector(".fieldvalue").replaceChildren(form);
    editor.focus();
  }

  end() { for (const url of this.urls) URL.revokeObjectURL(url); }
}

/** JSON with its lines, any other text as it is. */
function pretty(field, text) {
  if (field.type !== "JSON") return text;
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

const anchorTo = (name, target) => {
  const anchor = linkTo(name, target);
  anchor.removeAttribute("tabindex");
  return anchor;
};

/** An input for a value; its `value` is a text, or null. */
function editorOf(field, value, isGiven, isNew = false) {
  const id = "edit-" + field.name;
  let text = value;
  if (value && typeof value === "object") {
    if ("t" in value) text = value.t;
    else if ("links" in value) text = "[" + value.first.map((link) => numeric.has(keyType(field.target)) ? link.k : JSON.stringify(link.k)).join(", ") + "]";
    else text = value.k;
  }
  let input;
  if (field.type === "Bool") {
    input = el("select", { id }, ...["true", "false"].map((word) => el("option", {}, word)));
    input.value = text === "true" ? "true" : "false";
  } else if (["String", "JSON", "List", "Set", "Dictionary", "Links"].includes(field.type)) {
    input = el("textarea", { id, rows: String(Math.min(12, Math.max(1, Math.ceil((text || "").length / 80)))), value: text || "" });
  } else input = el("input", { id, type: "text", value: text || "", placeholder: hints[field.type] || "" });
  input.setAttribute("aria-label", field.name);
  const given = field.isOptional || isNew
    ? el("input", { type: "checkbox", checked: !isGiven, onchange: () => { input.disabled = given.checked; if (!given.checked) input.focus(); } }) : null;
  input.disabled = Boolean(given && given.checked);
  const word = field.isOptional ? " NULL" : " default";
  return {
    element: el("div", { class: "edit" }, input, given ? el("label", { class: "nullbox" }, given, word) : null),
    get isGiven() { return !given || !given.checked; },
    get value() { return given && given.checked ? null : input.value; },
    focus() { if (!input.disabled) { input.focus(); input.select && input.select(); } else given.focus(); },
  };
}

const keyType = (name) => {
  const target = model(name);
  return target ? target.fields.find((field) => field.isKey).type : "String";
};

const hints = {
  Date: "2013-01-31T05:00:00Z", UUID: "01234567-89AB-CDEF-0123-456789ABCDEF", Data: "Base64", Blob: "Base64", Link: "the key of its target", Duration: "seconds",
};

/** Takes what a change has come to: the newest version, and what would be undone. */
function changed({ version, undo }) {
  state.overview.undo = undo;
  drawBar();
  calm();
  return renew(version);
}

function addObject(target) {
  const editors = target.fields.map((field) => {
    const needsValue = field.isKey || !field.isOptional && field.default === undefined && !["Links", "List", "Set", "Dictionary", "Blob"].includes(field.type);
    return { field, editor: editorOf(field, field.default ?? null, needsValue, !needsValue) };
  });
  const rows = editors.map(({ field, editor }) =>
    el("div", { class: "addrow" }, el("label", { for: "edit-" + field.name }, field.name, el("span", { class: "note" }, " " + field.type)), editor.element));
  return dialog(`Add to ${target.name}`, [el("div", { class: "addrows" }, rows)], [
    { text: "Cancel" },
    {
      text: "Add", kind: "main", act: async () => {
        const values = {};
        for (const { field, editor } of editors) if (editor.isGiven) values[field.name] = editor.value;
        changed(await ask("add", { model: target.name, values }));
      },
    },
  ]);
}

async function removeObject(target, key) {
  let lines;
  try {
    const { deleted } = await ask("consequences", { model: target.name, key });
    lines = deleted.map(({ model, count: number }) => el("li", {}, `${count(number)} of ${model}`));
  } catch (error) { return complain(error); }
  return dialog(`Delete ${target.name} ${key}?`, lines.length ? [el("p", {}, "By the rules of their links these go with it:"), el("ul", {}, lines)] : [], [
    { text: "Cancel" },
    {
      text: "Delete", kind: "danger", act: async () => {
        const answer = await ask("delete", { model: target.name, key });
        // The object's own view has nothing to show any more.
        if (state.route.path[0] === "object") {
          state.overview.undo = answer.undo;
          await readOverview();
          go(["rows", target.name]);
        } else await changed(answer);
      },
    },
  ]);
}

async function undo() {
  try {
    await changed(await ask("undo"));
    say("Undone.");
  } catch (error) { complain(error); }
}
