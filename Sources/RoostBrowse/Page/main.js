// The bar, the list of models, and what the address leads to.

function drawBar() {
  const { overview } = state;
  const chosen = kept().v;
  byId("bar").replaceChildren(...[
    button("Models", () => document.body.classList.toggle("with-models"), { class: "menubutton", "aria-controls": "models" }),
    el("a", { class: "file", href: "#/" }, overview.name),
    chosen ? el("span", { class: "badge kept" }, `version “${chosen}” `, el("a", { href: address(state.route.path, { ...Object.fromEntries(state.route.params), v: null }) }, "back to the newest"))
      : el("span", { class: "badge" }, overview.isWritable ? "read and write" : "only read"),
    el("span", { class: "space" }),
    overview.isWritable ? button("Undo", undo, { id: "undo", disabled: !overview.undo, title: overview.undo ? `Undo ${overview.undo}` : "Nothing to undo" }) : null,
    link("Space", ["space"]), link("Versions", ["versions"]),
  ].filter(Boolean));
}

function drawModels() {
  const current = state.route.path[1];
  const entry = (model) => el("li", {}, link("", rowsOf(model.name), {}, { "aria-current": model.name === current ? "page" : null }));
  const list = (models) => el("ul", {}, models.map((model) => {
    const item = entry(model);
    item.firstChild.append(el("span", { class: "name" }, model.name.replace(/^value:/, "")), el("span", { class: "count" }, count(model.count)),
      el("span", { class: "size" }, bytes(model.bytes || 0)));
    return item;
  }));
  const models = state.overview.models.filter((model) => !model.isValue);
  const values = state.overview.models.filter((model) => model.isValue);
  byId("models").replaceChildren(...[
    el("h2", {}, "Models"), list(models), values.length ? el("h2", {}, "Values") : null, values.length ? list(values) : null,
  ].filter(Boolean));
}

/** Reads what the store has in the version that is shown. */
async function readOverview() {
  const wanted = kept().v;
  state.overview = await ask("overview", wanted ? { version: wanted } : {});
  state.version = state.overview.newest;
  state.shownVersion = wanted || null;
  drawBar();
  drawModels();
}

/** Shows the newest version where it is another than the one that is shown. */
async function renew() {
  if (kept().v) return;
  try {
    await readOverview();
    if (state.view && state.view.renew) await state.view.renew();
  } catch (error) { complain(error); }
}

/** Shows what the address leads to. */
async function show() {
  state.route = readAddress();
  calm();
  try {
    if (!state.overview || (kept().v || null) !== state.shownVersion) await readOverview();
  } catch (error) {
    if (error.status === 401) return askForAddress();
    return fatal(error);
  }
  const { path, params } = state.route;
  if (state.view) state.view.end();
  document.body.classList.remove("with-models");
  const isKnown = path[1] === undefined || model(path[1]);
  const views = {
    rows: () => new RowsView(path[1], params), object: () => new ObjectView(path[1], path[2] ?? "", params), space: spaceView,
    versions: () => versionsView(params), top: () => topView(path[1], path[2], params),
  };
  state.view = !isKnown ? new PlainView(async () => { throw new Refusal(`There is no model ${path[1]} in this version.`); })
    : (views[path[0]] || startView)();
  document.title = [path[1], state.overview.name, "Roost"].filter(Boolean).join(" · ");
  drawBar();
  drawModels();
  const main = byId("main");
  main.replaceChildren(state.view.element);
  if (state.view instanceof RowsView) state.view.focusGrid = true;
  else main.focus({ preventScroll: true });
}

function fatal(error) {
  byId("main").replaceChildren(el("p", { class: "error", role: "alert" }, error.message));
}

/** Asks for the address with the token, which a bookmark does not have. */
function askForAddress() {
  const input = el("input", { type: "text", id: "address", autocomplete: "off" });
  byId("main").replaceChildren(el("form", { class: "ask", onsubmit: (event) => {
    event.preventDefault();
    const found = /token=([0-9a-f]{64})/.exec(input.value);
    if (!found) return say("The address has a token in it.");
    token.value = found[1];
    sessionStorage.setItem("token", found[1]);
    show();
  } }, el("h1", {}, "Roost"), el("label", { for: "address" }, "The address that “roost browse” has printed"), input, el("button", { type: "submit", class: "main" }, "Open")));
  input.focus();
}

/** Looks now and then whether the store has changed. */
async function watch() {
  if (document.hidden || !state.overview || kept().v) return;
  try {
    const found = await ask("version");
    if (found.version !== state.version) await renew();
    else if (found.undo !== state.overview.undo) { state.overview.undo = found.undo; drawBar(); }
  } catch (error) { complain(error); }
}

document.addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || document.querySelector("dialog[open]");
  if (event.key === "/" && !isTyping && byId("query")) {
    event.preventDefault();
    byId("query").focus();
  } else if (event.key === "z" && (event.ctrlKey || event.metaKey) && !isTyping && state.overview && state.overview.undo) {
    event.preventDefault();
    undo();
  }
});

window.addEventListener("hashchange", () => {
  // Another address of the terminal was opened in this tab.
  if (location.hash.startsWith("#token=")) { token.take(); state.overview = null; }
  show();
});
token.found = () => { if (!state.overview) show(); };
token.take();
show();
setInterval(watch, 2000);
