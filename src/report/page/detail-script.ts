/** What is shown of one directory, and the page as a whole. */
export const DETAIL_SCRIPT = String.raw`
function stateText(state) {
  const status = statusOf(state);
  const word = state.isGiven && state.status === "cut" ? "cut by codelia" : WORDS[status];
  return word + (state.extent === "" ? "" : ", " + state.extent);
}

function stateCell(pair, client) {
  const state = stateOf(pair);
  // What was removed from a file that is read whole matters to few.
  const isRead = state.status === "loaded";
  const why = [isRead ? "" : state.reason, state.by].filter((text) => text !== "");
  return make("td", { class: "state", "data-client": client.title },
    make("span", { class: "chip " + statusOf(state), title: isRead && state.reason !== "" ? state.reason : undefined }, dot(statusOf(state)), stateText(state)),
    ...(why.length === 0 ? [] : [make("div", { class: "why" }, why.join(": "))]));
}

function fileRows(file) {
  const shown = make("tr", { class: "opened" });
  shown.hidden = true;
  const button = make("button", { type: "button", class: "plain path", "aria-expanded": "false", onclick: () => {
    if (shown.childNodes.length === 0) {
      const known = Object.hasOwn(texts(), file.path);
      const body = known ? make("pre", { class: "text", tabindex: "0" }, texts()[file.path])
        : make("span", { class: "soft" }, Object.hasOwn(facts.unread, file.path) ? facts.unread[file.path] : "");
      shown.append(make("td", { colspan: String(1 + facts.clients.length) }, body));
    }
    shown.hidden = !shown.hidden;
    button.setAttribute("aria-expanded", String(!shown.hidden));
  } }, file.name);
  return [make("tr", {}, make("td", { class: "path" }, button), ...file.states.map((pair, index) => stateCell(pair, facts.clients[index]))), shown];
}

// What a client's model gets, and a bar where the client has a limit.
function sizeCard(place, index) {
  const all = place.rungs.flatMap((rung) => facts.rungs[rung].files).map((file) => ({ file, state: stateOf(file.states[index]), alone: facts.states[file.states[index][0]] }));
  const own = all.reduce((sum, { alone }) => sum + alone.shown, 0);
  const given = all.reduce((sum, { state, alone }) => sum + (state.isGiven ? state.shown - alone.shown : 0), 0);
  const lost = all.filter(({ state }) => state.isLoss);
  const missing = lost.reduce((sum, { state }) => sum + state.total - state.shown, 0);
  const budget = place.budgets[index];
  const lines = [];
  if (budget === null) lines.push(make("div", { class: "soft" }, counted(own, "byte") + " by itself, no limit"));
  else {
    const counting = all.filter(({ alone }) => alone.shown > 0 && alone.isProject);
    const bars = counting.map(({ file, alone }) => {
      const bar = make("i", { class: alone.status, title: file.path + ": " + alone.extent });
      bar.style.width = (100 * alone.shown) / Math.max(1, budget.limitBytes, budget.usedBytes) + "%";
      return bar;
    });
    lines.push(make("div", { class: "bar", role: "img", "aria-label": number(budget.usedBytes) + " of " + number(budget.limitBytes) + " bytes used" }, ...bars),
      make("div", { class: "soft" }, number(budget.usedBytes) + " of " + number(budget.limitBytes) + " bytes by itself"));
  }
  if (given > 0) lines.push(make("div", { class: "soft" }, counted(given, "byte") + " more from codelia"));
  if (missing > 0) lines.push(make("div", { class: "soft" }, counted(missing, "byte") + " of " + counted(lost.length, "file") + " do not reach the model"));
  return make("div", { class: "card" }, make("h3", {}, facts.clients[index].title), ...lines);
}

function skillTable(skills) {
  const cells = (states) => states.map(([alone, named], index) => {
    const isListed = alone || (mode.isWith && named);
    const word = alone ? "listed" : isListed ? "named by codelia" : "not listed";
    const status = alone ? "loaded" : isListed ? "given" : "none";
    return make("td", { class: "state", "data-client": facts.clients[index].title }, make("span", { class: "chip " + status }, dot(status), word));
  });
  return make("div", { class: "skills" }, make("h3", {}, counted(skills.length, "skill") + " in a session that begins here"),
    make("table", {}, head("skill"), make("tbody", {}, ...skills.map(({ name, path, states }) =>
      make("tr", {}, make("td", { class: "path", title: path }, name), ...cells(states))))));
}

function head(first) {
  return make("thead", {}, make("tr", {}, make("th", {}, first), ...facts.clients.map(({ title }) => make("th", {}, title))));
}

// The directories above, as links where they have a place.
function crumbs(place) {
  const byPath = new Map(facts.places.map((each, index) => [each.parts.join("/"), index]));
  const parts = place.parts.slice(0, -1).map((part, index) => {
    const at = byPath.get(place.parts.slice(0, index + 1).join("/"));
    return at === undefined ? part + "/" : placeLink(at, part + "/");
  });
  const top = byPath.get("");
  return make("div", { class: "crumbs soft path" }, ...(place.parts.length === 0 || top === undefined ? [place.path] : [placeLink(top, facts.places[top].name + "/"), ...parts]));
}

function drawDetail() {
  const place = facts.places[chosen];
  const skills = facts.skillSets[facts.skillsAt[chosen]];
  const rungs = place.rungs.map((rung) => facts.rungs[rung]).filter(({ files }) => files.length > 0);
  const rows = rungs.flatMap((rung) => [
    make("tr", {}, make("th", { colspan: String(1 + facts.clients.length), class: "path" }, rung.directory)),
    ...rung.files.flatMap(fileRows),
  ]);
  const used = new Set(rungs.flatMap(({ files }) => files.flatMap(({ states }) => states.map((pair) => statusOf(stateOf(pair))))));
  detail.replaceChildren(
    crumbs(place),
    make("h2", {}, place.name + "/"),
    make("p", { class: "soft" }, "What a session that begins here gets" + (mode.isWith ? " with codelia's hooks" : " from the client itself") + ". Click a file to see its text."),
    make("div", { class: "budgets" }, ...facts.clients.map((client, index) => sizeCard(place, index))),
    rows.length === 0 ? make("p", {}, "No instruction file applies here.") : make("table", {}, head("file"), make("tbody", {}, ...rows)),
    ...(skills.length === 0 ? [] : [skillTable(skills)]),
    make("ul", { class: "legend", "aria-label": "legend" }, ...[...ORDER, "none"].filter((status) => used.has(status)).map((status) => make("li", {}, dot(status), WORDS[status]))));
}

// The address names the directory, so that a link leads to it, and so does the browser's way back.
function go(index, isClick) {
  const target = address(facts.places[index]);
  if (location.hash === target) show(index);
  else location.hash = target;
  if (isClick && matchMedia("(max-width: 56rem)").matches) detail.scrollIntoView();
}

function placeInAddress() {
  const asked = location.hash.slice(1);
  if (asked === "") return facts.start;
  const found = facts.places.findIndex((place) => address(place) === "#" + asked || address(place) === "#" + asked.replace(/\/+$/, "") || place.parts.join("/") === asked);
  return found < 0 ? facts.start : found;
}

function show(index) {
  chosen = index;
  mode.select(index);
  drawDetail();
}

const detail = make("section", { class: "detail", "aria-live": "polite", "aria-label": "directory" });
let chosen = placeInAddress();
page.style.setProperty("--clients", String(facts.clients.length));
const kinds = switcher("hooks", ["without codelia", "with codelia"], mode.isWith ? 1 : 0, (index) => {
  mode.isWith = index === 1;
  for (const draw of shownParts) draw();
  drawDetail();
});
page.append(
  make("header", {}, make("div", {}, make("h1", {}, "What each client reads"), make("div", { class: "soft path" }, facts.root)), ...(facts.verdicts.length === 0 ? [] : [kinds])),
  ...(facts.truncated ? [make("div", { class: "banner" }, "The project is too large to be walked to its end: directories may be missing.")] : []),
  verdictSection(), problemSection(), make("div", { class: "columns" }, treeNav(), detail));
show(chosen);
addEventListener("hashchange", () => show(placeInAddress()));
`;
