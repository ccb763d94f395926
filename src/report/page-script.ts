/** The page's script. Every text from the facts is inserted as text, never as markup. */
export const PAGE_SCRIPT = `
{
const facts = JSON.parse(document.getElementById("facts").textContent);
const WORDS = { loaded: "loaded", cut: "cut", "left-out": "left out", shadowed: "shadowed", skipped: "skipped", none: "does not read this name" };
const ORDER = ["loaded", "cut", "left-out", "shadowed", "skipped"];
const page = document.getElementById("page");

function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function dot(status, title) {
  return make("span", { class: "dot " + status, title, role: title === undefined ? undefined : "img", "aria-label": title });
}

// The best state that any of a directory's own files has for a client.
function reachOf(place, client) {
  const own = place.rungs.filter((rung) => rung.isOwn).flatMap((rung) => rung.files);
  const states = own.map((file) => file.reached[client]).filter((state) => state !== null).map((state) => state.status);
  return ORDER.find((status) => states.includes(status)) || "none";
}

function treeOf(places) {
  const root = { name: "", children: new Map(), place: undefined };
  places.forEach((place, index) => {
    let node = root;
    for (const part of place.parts) {
      if (!node.children.has(part)) node.children.set(part, { name: part, children: new Map(), place: undefined });
      node = node.children.get(part);
    }
    node.place = index;
  });
  return root;
}

function branch(node, name) {
  const place = node.place === undefined ? undefined : facts.places[node.place];
  const dots = place === undefined ? [] : facts.clients.map((client, index) => {
    const status = reachOf(place, index);
    return dot(status, client.title + ": " + WORDS[status]);
  });
  const label = place === undefined
    ? make("div", { class: "between" }, name + "/")
    : make("button", { type: "button", "data-place": String(node.place), onclick: () => show(node.place) }, name + "/", make("span", { class: "dots" }, ...dots));
  const below = [...node.children.values()].map((child) => branch(child, child.name));
  return make("li", {}, label, ...(below.length === 0 ? [] : [make("ul", {}, ...below)]));
}

function number(value) {
  return value.toLocaleString("en");
}

function budgetCard(place, index) {
  const budget = place.budgets[index];
  const all = place.rungs.flatMap((rung) => rung.files).map((file) => ({ file, state: file.reached[index] }));
  const states = all.filter(({ state }) => state !== null && state.shown > 0 && (budget === null || state.origin === "project"));
  const used = states.reduce((sum, { state }) => sum + state.shown, 0);
  const whole = budget === null ? used : Math.max(budget.limitBytes, used);
  const bars = states.map(({ file, state }) => {
    const bar = make("i", { class: state.status, title: file.path + ": " + state.extent });
    bar.style.width = (whole === 0 ? 0 : (100 * state.shown) / whole) + "%";
    return bar;
  });
  const lost = all.filter(({ state }) => state !== null && (state.status === "cut" || state.status === "left-out"));
  const missing = lost.reduce((sum, { state }) => sum + state.total - state.shown, 0);
  return make("div", { class: "card" },
    make("h3", {}, facts.clients[index].title),
    make("div", { class: "bar", role: "img", "aria-label": number(used) + " bytes used" }, ...bars),
    make("div", { class: "soft" }, number(used) + (budget === null ? " bytes, no limit" : " of " + number(budget.limitBytes) + " bytes")
      + (missing > 0 ? "; " + number(missing) + " bytes of " + lost.length + (lost.length === 1 ? " file" : " files") + " do not fit" : "")));
}

function cell(state) {
  if (state === null) return make("td", { class: "none" }, make("span", { class: "soft" }, "\\u2013"));
  const reason = (state.reason || "the model has it") + (state.by === "" ? "" : " (" + state.by + ")");
  const why = make("div", { class: "why" }, reason);
  why.hidden = true;
  const chip = make("button", { type: "button", class: "chip", "aria-expanded": "false", onclick: () => {
    why.hidden = !why.hidden;
    chip.setAttribute("aria-expanded", String(!why.hidden));
  } }, dot(state.status), WORDS[state.status] + (state.extent === "" ? "" : " " + state.extent));
  return make("td", { class: state.status }, chip, why);
}

function show(index) {
  const place = facts.places[index];
  for (const button of document.querySelectorAll("[data-place]")) {
    if (button.dataset.place === String(index)) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  const rows = place.rungs.flatMap((rung) => [
    make("tr", {}, make("th", { colspan: String(1 + facts.clients.length), class: "path" }, rung.directory)),
    ...rung.files.map((file) => make("tr", {}, make("td", { class: "path" }, file.name), ...file.reached.map(cell))),
  ]);
  const table = make("table", {},
    make("thead", {}, make("tr", {}, make("th", {}, "file"), ...facts.clients.map(({ title }) => make("th", {}, title)))),
    make("tbody", {}, ...rows));
  detail.replaceChildren(
    make("h2", {}, place.name + "/"),
    make("div", { class: "soft path" }, place.path),
    make("p", { class: "soft" }, "What a session that begins here reads by itself. Click a state for the reason."),
    make("div", { class: "budgets" }, ...facts.clients.map((client, client_index) => budgetCard(place, client_index))),
    rows.length === 0 ? make("p", {}, "No instruction file applies here.") : table);
}

const detail = make("section", { "aria-live": "polite" });
const root = treeOf(facts.places);
page.append(
  make("header", {},
    make("h1", {}, "What each client reads"),
    make("div", { class: "soft path" }, facts.root),
    make("ul", { class: "legend" }, ...[...ORDER, "none"].map((status) => make("li", {}, dot(status), " " + WORDS[status])))),
  ...(facts.truncated ? [make("div", { class: "note" }, "The project is too large to be walked to its end: directories may be missing.")] : []),
  make("div", { class: "columns" }, make("nav", { "aria-label": "directories" },
    make("div", { class: "soft order" }, facts.clients.map(({ title }) => title).join(" \\u00b7 ")),
    make("ul", { class: "tree" }, branch(root, facts.places[root.place].name))), detail));
show(facts.start);
}
`;
