"use strict";
// The parts of the script are put behind each other into one function; core.js is the first, and main.js the last.

/** Makes an element. Texts are never read as HTML. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "indeterminate") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** A button with a text. */
function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

const byId = (id) => document.getElementById(id);

// Figures

const numbers = new Intl.NumberFormat("en-US");
const count = (number) => numbers.format(number);
const many = (number, one, more) => `${count(number)} ${number === 1 ? one : more || one + "s"}`;

function bytes(number) {
  if (number < 1024) return `${number} B`;
  const units = ["KB", "MB", "GB", "TB"];
  let value = number, unit = -1;
  while (value >= 1024 && unit < 3) { value /= 1024; unit += 1; }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

const milliseconds = (time) => time < 1 ? "under 1 ms" : time < 1000 ? `${Math.round(time)} ms` : `${(time / 1000).toFixed(1)} s`;

// The server

/** The token stands in the first address, and is kept for this tab alone, so that it may be loaded again. */
const token = {
  value: null,
  take() {
    const found = /^#token=([0-9a-f]{64})$/.exec(location.hash);
    if (found) {
      sessionStorage.setItem("token", found[1]);
      history.replaceState(null, "", "/#/");
    }
    this.value = sessionStorage.getItem("token");
    // Another tab of this server, as one that a bookmark has opened, asks for it.
    const channel = new BroadcastChannel("roost");
    channel.onmessage = ({ data }) => {
      if (data === "ask" && this.value) channel.postMessage({ token: this.value });
      else if (data && typeof data.token === "string" && !this.value) {
        this.value = data.token;
        sessionStorage.setItem("token", data.token);
        this.found();
      }
    };
    if (!this.value) channel.postMessage("ask");
    return this.value !== null;
  },
  found() {},
};

/** What the server has refused: a message, and the place in a query where the mistake is. */
class Refusal extends Error {
  constructor(message, place, status) {
    super(message);
    this.place = place;
    this.status = status;
  }
}

/** Sends an operation. */
async function send(operation, body, signal) {
  let response;
  try {
    response = await fetch("/api/" + operation, {
      method: "POST", signal, cache: "no-store", credentials: "omit", redirect: "error",
      headers: { "Content-Type": "application/json", "X-Roost-Token": token.value || "" },
      body: JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The server has ended: start “roost browse” again.", undefined, 0);
  }
  if (response.ok) return response;
  if (response.status === 422) {
    const { error, place } = await response.json();
    throw new Refusal(error, place, 422);
  }
  throw new Refusal((await response.text()).trim(), undefined, response.status);
}

/** Asks an operation for a value. */
async function ask(operation, body = {}, signal) {
  const response = await send(operation, body, signal);
  return response.json();
}

// What is shown

/** The store as it was last looked at, and what the address says. */
const state = { overview: null, version: null, route: null, view: null };

const model = (name) => state.overview.models.find((model) => model.name === name);

/** The version that operations ask for: a kept one by its name, else the number that the page shows. */
const version = () => state.route && state.route.params.get("v") || state.version;

function say(text) { byId("status").textContent = text; }

/** Shows an error where there is no better place for it. */
function complain(error) {
  if (error.name === "AbortError") return;
  if (!(error instanceof Refusal)) console.error(error);
  say(error.message);
  byId("status").classList.add("bad");
}

function calm() {
  byId("status").classList.remove("bad");
  say("");
}

// The address: #/rows/Person?w=age > 3, so that Back and bookmarks lead to what was shown.

function address(path, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, value);
  }
  const text = query.toString();
  return "#/" + path.map(encodeURIComponent).join("/") + (text ? "?" + text : "");
}

function readAddress() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  let parts;
  try { parts = path.split("/").map(decodeURIComponent); } catch { parts = [""]; }
  return { path: parts, params: new URLSearchParams(query || "") };
}

/** Parameters that every address has: the kept version that is looked at. */
const kept = () => ({ v: state.route ? state.route.params.get("v") : null });

/** Leads to another view. */
function go(path, params = {}) {
  const next = address(path, { ...kept(), ...params });
  if (next === location.hash) show();
  else location.hash = next;
}

/** Notes a change of the view in the address, without a step of Back. */
function note(params) {
  const next = new URLSearchParams(state.route.params);
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null || value === "") next.delete(name);
    else next.set(name, value);
  }
  state.route.params = next;
  history.replaceState(null, "", address(state.route.path, Object.fromEntries(next)));
}

/** A link within the page. */
const link = (text, path, params = {}, attributes = {}) =>
  el("a", { href: address(path, { ...kept(), ...params }), ...attributes }, text);

const rowsOf = (name, params) => ["rows", name];

// Dialogs

/** Opens a dialog with a form; the promise has the answer of `submit`, or undefined. */
function dialog(title, content, buttons) {
  return new Promise((resolve) => {
    const message = el("p", { class: "error", role: "alert" });
    let answer;
    const box = el("dialog", { "aria-labelledby": "dialog-title" },
      el("h2", { id: "dialog-title" }, title), ...content, message,
      el("div", { class: "buttons" }, buttons.map(({ text, act, kind }) =>
        button(text, async () => {
          try {
            answer = act ? await act() : undefined;
            box.close();
          } catch (error) { message.textContent = error.message; }
        }, { class: kind || "" }))));
    box.addEventListener("close", () => { box.remove(); resolve(answer); });
    document.body.append(box);
    box.showModal();
  });
}
