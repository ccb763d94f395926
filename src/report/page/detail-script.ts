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

/** The style of the page of `explain`, besides that of all pages. */
export const EXPLAIN_STYLE = `
.verdicts { padding: 1.1rem 1.5rem .2rem; }
.verdicts p { max-width: 62rem; margin: 0 0 .45rem; padding-left: .8rem; border-left: 4px solid var(--tint); font-size: 1.05rem; }
.verdicts p:first-of-type { font-size: 1.3rem; line-height: 1.35; font-weight: 600; }
.problems { padding: .6rem 1.5rem 1.2rem; border-bottom: 1px solid var(--line); }
.problems h2 { font-size: .95rem; color: var(--soft); font-weight: 600; }
.problems > ul { display: grid; gap: .45rem; max-width: 70rem; margin: .5rem 0 0; padding: 0; list-style: none; }
.problems .card { padding: .55rem .8rem; border-left: 4px solid var(--tint); }
.problems .solved { --tint: var(--loaded); color: var(--soft); }
.problem { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; justify-content: space-between; align-items: baseline; }
.problems details > ul { margin: .35rem 0 0; padding-left: 1.1rem; }
summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
.columns { display: grid; grid-template-columns: minmax(20rem, 30rem) minmax(0, 1fr); }
nav { min-width: 0; border-right: 1px solid var(--line); }
.tools { display: flex; flex-wrap: wrap; gap: .3rem .9rem; align-items: center; padding: .8rem 1rem .5rem; font-size: .88rem; }
.tools input[type="search"] { flex: 1 1 9rem; min-width: 0; padding: .35rem .6rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); color: inherit; font: inherit; }
.tools label { display: inline-flex; gap: .35rem; align-items: center; }
.scroll { max-height: 78vh; overflow: auto; padding: 0 .6rem 1rem; }
.row { display: grid; grid-template-columns: minmax(0, 1fr) repeat(var(--clients), 5.6rem); align-items: center; }
.names { position: sticky; top: 0; z-index: 1; padding: .25rem .4rem; background: var(--paper); color: var(--soft); font-size: .8rem; text-align: center; border-bottom: 1px solid var(--line); }
.names span:first-child { text-align: left; }
.tree .row { content-visibility: auto; contain-intrinsic-size: auto 1.75rem; min-height: 1.75rem; padding: .1rem .4rem; border-radius: 6px; cursor: pointer; text-align: center; }
.tree .row:hover { background: var(--line); }
.tree .row[aria-selected="true"] { background: var(--ink); color: var(--paper); }
.tree .row[aria-selected="true"] .dot { box-shadow: 0 0 0 2px var(--card); background-color: var(--card); border-radius: 3px; }
.tree .row[aria-selected="true"] .dot.loaded, .tree .row[aria-selected="true"] .dot.given { background: var(--tint); }
.tree .name { display: flex; gap: .25rem; min-width: 0; text-align: left; font-family: var(--mono); font-size: .88em; overflow-wrap: anywhere; }
.tree .between .name { color: var(--soft); }
.toggle { flex: none; width: 1.1em; text-align: center; color: var(--soft); }
.nothing { padding: .6rem 1rem; }
section.detail { min-width: 0; padding: 1rem 1.5rem 3rem; scroll-margin-top: .5rem; }
.crumbs { margin-bottom: .15rem; }
.budgets { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .8rem; margin: .9rem 0 1.2rem; }
tbody th { font-weight: 600; background: color-mix(in srgb, var(--line) 35%, transparent); }
td.state { width: 34%; }
.chip { display: inline-flex; gap: .4rem; align-items: baseline; font-size: .92rem; }
.why { margin-top: .1rem; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
pre.text { max-height: 26rem; overflow: auto; margin: 0; padding: .7rem .9rem; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; }
.skills { margin-top: 1.6rem; } .skills h3 { margin-bottom: .5rem; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 1.2rem 0 0; padding: 0; list-style: none; color: var(--soft); font-size: .85rem; }
.legend li { display: inline-flex; gap: .4rem; align-items: center; }
@media (max-width: 56rem) {
  header, .verdicts, .problems, section.detail { padding-left: 1rem; padding-right: 1rem; }
  .columns { grid-template-columns: minmax(0, 1fr); }
  nav { border-right: 0; border-bottom: 1px solid var(--line); }
  .scroll { max-height: 50vh; }
  .verdicts p:first-of-type { font-size: 1.12rem; }
}
@media (max-width: 40rem) {
  .row { grid-template-columns: minmax(0, 1fr) repeat(var(--clients), 4.6rem); }
  .switch { width: 100%; } .switch button { flex: 1; padding: .45rem .4rem; }
  table, tbody, tr, td, tbody th { display: block; width: auto; } thead { display: none; }
  td { border-top: 0; padding: .25rem .7rem; } tr { border-top: 1px solid var(--line); padding: .2rem 0; } td.state { width: auto; }
  td[data-client]::before { content: attr(data-client) ": "; color: var(--soft); font-size: .85rem; }
}
`;
