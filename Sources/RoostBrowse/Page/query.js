// The box for queries: completion, and the mistake under its sign.

const queryWords = [
  "contains", "hasPrefix", "hasSuffix", "like", "in", "between", "any", "all", "none", "nil", "true", "false",
  "sort", "limit", "offset", "group", "select", "having", "desc", "count", "sum(", "min(", "max(", "average(",
];

/** A name as queries have it. */
const quoted = (name) =>
  /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/.test(name) && !queryWords.includes(name) ? name : "`" + name.replaceAll("`", "``") + "`";

/** The model that a path of links leads to; null where it leads to none. */
function follow(name, path) {
  let found = model(name);
  for (const step of path) {
    const field = found && found.fields.find((field) => field.name === step && field.target);
    found = field ? model(field.target) : null;
  }
  return found;
}

/** The model whose fields a place in a query names: that of the query, or of the innermost braces. */
function modelAt(name, text) {
  const open = [];
  let isText = false;
  for (let place = 0; place < text.length; place += 1) {
    const sign = text[place];
    if (isText && sign === "\\") place += 1;
    else if (sign === '"') isText = !isText;
    else if (!isText && sign === "{") open.push(place);
    else if (!isText && sign === "}") open.pop();
  }
  let found = name;
  for (const place of open) {
    const path = /([\w.]+)\s+\w+\s*$/.exec(text.slice(0, place));
    const target = path && follow(found, path[1].split("."));
    if (target) found = target.name;
  }
  return { name: found, isText };
}

/** What may follow at the caret: texts, and how many characters before it they replace. */
function completions(name, text) {
  const { name: current, isText } = modelAt(name, text);
  if (isText) return { words: [], length: 0 };
  const typed = /[\w.]*$/.exec(text)[0];
  const steps = typed.split(".");
  const last = steps.pop();
  const found = follow(current, steps);
  if (!found) return { words: [], length: 0 };
  const names = found.fields.map((field) => ({ text: quoted(field.name), note: field.type + (field.target ? " to " + field.target : "") }));
  const words = steps.length ? [] : queryWords.map((word) => ({ text: word, note: "" }));
  const start = last.toLowerCase();
  const fits = [...names, ...words].filter((word) => word.text.replace("`", "").toLowerCase().startsWith(start) && word.text !== last);
  return { words: fits.slice(0, 12), length: last.length };
}

class QueryBox {
  constructor(name, text, run) {
    this.name = name;
    this.run = run;
    this.words = [];
    this.chosen = -1;
    this.input = el("input", {
      type: "text", id: "query", class: "query", value: text, role: "combobox", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      "aria-label": `Condition on ${name}`, "aria-expanded": "false", "aria-controls": "words", "aria-autocomplete": "list",
      placeholder: "age >= 18 && name contains \"an\" sort name limit 20",
      oninput: () => this.complete(false), onkeydown: (event) => this.key(event), onblur: () => setTimeout(() => this.close(), 150),
      onscroll: () => this.moveError(),
    });
    this.list = el("ul", { id: "words", role: "listbox", "aria-label": "Completions", hidden: true });
    this.error = el("div", { class: "mistake", role: "alert", id: "mistake" });
    this.element = el("form", {
      class: "querybox", role: "search", onsubmit: (event) => { event.preventDefault(); this.close(); this.run(this.input.value); },
    }, el("label", { for: "query" }, quoted(name) + " where"), el("div", { class: "field" }, this.input, this.list, this.error),
      el("button", { type: "submit", class: "main" }, "Run"));
  }

  complete(isAsked) {
    const place = this.input.selectionStart;
    const { words, length } = completions(this.name, this.input.value.slice(0, place));
    this.words = length > 0 || isAsked || this.input.value[place - 1] === "." ? words : [];
    this.length = length;
    this.chosen = -1;
    this.drawList();
  }

  drawList() {
    this.list.hidden = this.words.length === 0;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.list.replaceChildren(...this.words.map((word, index) =>
      el("li", {
        role: "option", id: "word" + index, "aria-selected": String(index === this.chosen),
        onmousedown: (event) => { event.preventDefault(); this.take(index); },
      }, el("span", {}, word.text), el("span", { class: "note" }, word.note))));
    if (this.chosen < 0) this.input.removeAttribute("aria-activedescendant");
    else {
      this.input.setAttribute("aria-activedescendant", "word" + this.chosen);
      this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
    }
  }

  take(index) {
    const place = this.input.selectionStart;
    const start = place - this.length;
    this.input.setRangeText(this.words[index].text, start, place, "end");
    this.close();
    this.input.focus();
  }

  close() {
    this.words = [];
    this.drawList();
  }

  key(event) {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      return this.complete(true);
    }
    if (this.words.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const length = this.words.length;
      this.chosen = this.chosen < 0 && step < 0 ? length - 1 : (this.chosen + step + length) % length;
      return this.drawList();
    }
    if (event.key === "Escape") { event.preventDefault(); return this.close(); }
    if (event.key === "Tab" && !event.shiftKey || event.key === "Enter" && this.chosen >= 0) {
      event.preventDefault();
      this.take(Math.max(0, this.chosen));
    }
  }

  /** Shows what is wrong, under the sign where it was noticed. */
  fail(error) {
    this.input.setAttribute("aria-invalid", "true");
    this.input.setAttribute("aria-describedby", "mistake");
    const before = error.place === undefined ? null : this.input.value.slice(0, error.place);
    this.before = before === null ? null : el("span", { class: "before", "aria-hidden": "true" }, before);
    this.line = this.before && el("div", { class: "sign", "aria-hidden": "true" }, this.before, el("span", { id: "sign" }, "▲"));
    this.error.replaceChildren(...[this.line, el("div", {}, error.message)].filter(Boolean));
    this.moveError();
  }

  moveError() {
    if (this.line) this.line.style.transform = `translateX(${-this.input.scrollLeft}px)`;
  }

  succeed() {
    this.input.removeAttribute("aria-invalid");
    this.input.removeAttribute("aria-describedby");
    this.line = null;
    this.error.replaceChildren();
  }
}
