/** The verdict, the problems and the tree of directories. */
export const TREE_SCRIPT = String.raw`
const WORDS = { loaded: "read whole", given: "given by codelia", cut: "cut", "left-out": "left out", shadowed: "not read", replaced: "another is used", skipped: "skipped", none: "does not read this name" };
const ORDER = ["loaded", "given", "cut", "left-out", "shadowed", "replaced", "skipped"];
const OPEN_AT_FIRST = 200;
const PROBLEMS_AT_FIRST = 5;
const mode = { isWith: facts.verdicts.length > 0 && facts.clients.every(({ hooks }) => hooks === "installed") };
const shownParts = [];

// Called again when the switch is changed.
function whenSwitched(draw) {
  shownParts.push(draw);
  draw();
}

function stateOf(pair) {
  return facts.states[mode.isWith ? pair[pair.length - 1] : pair[0]];
}

function statusOf(state) {
  return state.isGiven && state.status === "loaded" ? "given" : state.status;
}

function isLost(place, client) {
  return place.lost[client][mode.isWith ? 1 : 0];
}

// The worst state that any of a directory's own files has for a client.
function reachOf(place, client) {
  const rung = place.own < 0 ? undefined : facts.rungs[place.rungs[place.own]];
  const own = (rung === undefined ? [] : rung.files.map((file) => stateOf(file.states[client]))).map(statusOf);
  const find = (...statuses) => statuses.find((status) => own.includes(status));
  if (isLost(place, client)) return find("left-out", "shadowed", "cut") || "shadowed";
  return find("cut", "left-out", "given", "loaded") || (own.includes("shadowed") ? "replaced" : find("replaced", "skipped") || "none");
}

function address(place) {
  return "#" + (place.parts.map(encodeURIComponent).join("/") || ".");
}

function placeLink(index, label) {
  return make("button", { type: "button", class: "plain path", onclick: () => go(index) }, label);
}

function verdictSection() {
  const section = make("div", { class: "verdicts" });
  whenSwitched(() => {
    section.replaceChildren(...facts.verdicts.map((verdict, index) => {
      const whole = verdict.shown[mode.isWith ? 1 : 0];
      return make("p", { class: whole === verdict.files ? "loaded" : "left-out" }, mode.isWith ? verdict.with : verdict.without);
    }));
  });
  return section;
}

function problemCard(problem) {
  const isSolved = mode.isWith && problem.isSolvedByHooks;
  const links = problem.where.map(({ label, place, remedy }) => [placeLink(place, label), ...(remedy === undefined ? [] : [make("span", { class: "soft" }, " \u2013 " + remedy)])]);
  const more = problem.more === 0 ? [] : [make("li", {}, "and " + number(problem.more) + " more")];
  const { text, command } = problem.remedy || { text: "" };
  const remedy = isSolved ? ["solved: codelia gives " + (links.length === 1 ? "it" : "them")]
    : [text, ...(command === undefined ? [] : [" ", commandLine(command)])];
  const where = links.length === 1 && more.length === 0 ? make("div", {}, ...links[0])
    : make("details", {}, make("summary", {}, "show " + counted(links.length + problem.more, "place")), make("ul", {}, ...links.map((parts) => make("li", {}, ...parts)), ...more));
  return make("li", { class: "card " + (isSolved ? "solved" : problem.severity) },
    make("div", { class: "problem" }, make("span", {}, dot(isSolved ? "loaded" : problem.severity, isSolved ? "solved" : problem.severity), " ", problem.text),
      ...(remedy[0] === "" ? [] : [make("span", { class: "remedy" }, ...remedy)])),
    where);
}

// The first of them, and a button for the rest.
function listOf(items) {
  const list = make("ul", {}, ...items);
  const rest = items.slice(PROBLEMS_AT_FIRST);
  if (rest.length < 2) return list;
  for (const item of rest) item.hidden = true;
  const button = make("button", { type: "button", class: "plain", onclick: () => {
    for (const item of rest) item.hidden = false;
    rest[0].querySelector("button, summary").focus();
    button.parentElement.remove();
  } }, "show " + number(rest.length) + " more");
  list.append(make("li", {}, button));
  return list;
}

function problemSection() {
  const section = make("div", { class: "problems" });
  whenSwitched(() => {
    const left = facts.problems.filter((problem) => !(mode.isWith && problem.isSolvedByHooks));
    const solved = facts.problems.filter((problem) => mode.isWith && problem.isSolvedByHooks);
    const title = left.length === 0 ? "No problems" : counted(left.length, "problem");
    section.replaceChildren(make("h2", {}, title + (solved.length === 0 ? "" : ", " + number(solved.length) + " solved by codelia")),
      listOf([...left, ...solved].map(problemCard)));
  });
  return section;
}

// A tree of names; nodes without a place are directories between two that have one.
function treeOf(places) {
  const root = { name: places.length === 0 ? "" : facts.root.split(/[\\/]/).pop() || facts.root, children: new Map(), place: undefined, level: 1, path: "" };
  places.forEach((place, index) => {
    let node = root;
    for (const part of place.parts) {
      if (!node.children.has(part)) {
        node.children.set(part, { name: part, children: new Map(), place: undefined, level: node.level + 1, path: node.path + part + "/", parent: node });
      }
      node = node.children.get(part);
    }
    node.place = index;
  });
  return root;
}

function treeNav() {
  const root = treeOf(facts.places);
  const closed = new Set();
  const nodes = [];
  (function collect(node) {
    nodes.push(node);
    node.children.forEach(collect);
  })(root);
  const nodeOfPlace = new Map(nodes.map((node) => [node.place, node]));
  if (nodes.length > OPEN_AT_FIRST) for (const node of nodes) if (node.level > 1 && node.children.size > 0) closed.add(node);
  const filter = make("input", { type: "search", placeholder: "filter directories  ( / )", "aria-label": "filter directories", oninput: draw });
  const onlyLost = make("input", { type: "checkbox", onchange: draw });
  const fold = make("button", { type: "button", class: "plain", onclick: () => {
    const isOpen = closed.size === 0;
    closed.clear();
    if (isOpen) for (const node of nodes) if (node.level > 1 && node.children.size > 0) closed.add(node);
    draw();
  } });
  const list = make("div", { class: "tree", role: "tree", "aria-label": "directories", onkeydown: onKey });
  const nothing = make("p", { class: "soft nothing" }, "No directory matches.");
  let rows = [];
  let current = root;

  function matching() {
    const word = filter.value.trim().toLowerCase();
    if (word === "" && !onlyLost.checked) return undefined;
    const kept = new Set();
    for (const node of nodes) {
      if (node.place === undefined) continue;
      const isWanted = !onlyLost.checked || facts.clients.some((client, index) => isLost(facts.places[node.place], index));
      if (!isWanted || !node.path.toLowerCase().includes(word)) continue;
      for (let above = node; above !== undefined && !kept.has(above); above = above.parent) kept.add(above);
    }
    return kept;
  }

  function rowOf(node, isOpen) {
    const place = node.place === undefined ? undefined : facts.places[node.place];
    const states = place === undefined ? [] : facts.clients.map((client, index) => reachOf(place, index));
    const spoken = states.map((status, index) => facts.clients[index].title + ": " + WORDS[status]);
    const hasChildren = node.children.size > 0;
    const toggle = make("span", { class: "toggle", "aria-hidden": "true", onclick: (event) => {
      if (!hasChildren) return;
      event.stopPropagation();
      flip(node);
    } }, hasChildren ? (isOpen ? "\u25be" : "\u25b8") : "");
    const name = make("span", { class: "name" }, toggle, node.name + "/");
    name.style.paddingLeft = (node.level - 1) * 0.9 + "rem";
    const row = make("div", {
      class: "row" + (place === undefined ? " between" : ""), role: "treeitem", "aria-level": String(node.level), tabindex: node === current ? "0" : "-1",
      "aria-expanded": hasChildren ? String(isOpen) : undefined, "aria-selected": String(node === current && place !== undefined),
      "aria-label": [node.name, ...spoken].join(", "), onclick: () => (place === undefined ? flip(node) : go(node.place, true)),
    }, name, ...states.map((status, index) => make("span", { title: spoken[index] }, dot(status))));
    return row;
  }

  function flip(node) {
    if (!closed.delete(node)) closed.add(node);
    if (closed.has(node) && isBelow(current, node)) current = node;
    const hadFocus = list.contains(document.activeElement);
    draw();
    if (hadFocus) focusOn(node);
  }

  function isBelow(node, above) {
    for (let each = node; each !== undefined; each = each.parent) if (each === above) return true;
    return false;
  }

  function draw() {
    const kept = matching();
    rows = [];
    (function add(node) {
      if (kept !== undefined && !kept.has(node)) return;
      const isOpen = kept !== undefined || !closed.has(node);
      rows.push({ node, isOpen });
      if (isOpen) node.children.forEach(add);
    })(root);
    if (!rows.some(({ node }) => node === current) && rows.length > 0) rows[0].isFirst = true;
    list.replaceChildren(...rows.map(({ node, isOpen, isFirst }) => {
      const row = rowOf(node, isOpen);
      if (isFirst) row.tabIndex = 0;
      return row;
    }));
    nothing.hidden = rows.length > 0;
    fold.textContent = closed.size === 0 ? "collapse all" : "expand all";
    fold.hidden = nodes.every((node) => node.level === 1 || node.children.size === 0);
  }

  function focusOn(node) {
    const at = rows.findIndex((row) => row.node === node);
    if (at < 0) return;
    for (const item of list.querySelectorAll('[tabindex="0"]')) item.tabIndex = -1;
    list.children[at].tabIndex = 0;
    list.children[at].focus();
  }

  function onKey(event) {
    const at = [...list.children].indexOf(event.target);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const { node, isOpen } = rows[at];
    const hasChildren = node.children.size > 0;
    const steps = {
      ArrowDown: () => rows[at + 1] && focusOn(rows[at + 1].node),
      ArrowUp: () => rows[at - 1] && focusOn(rows[at - 1].node),
      Home: () => focusOn(rows[0].node),
      End: () => focusOn(rows[rows.length - 1].node),
      ArrowRight: () => (hasChildren && !isOpen ? flip(node) : hasChildren && focusOn(rows[at + 1].node)),
      ArrowLeft: () => (hasChildren && isOpen && !closed.has(node) ? flip(node) : node.parent && focusOn(node.parent)),
      Enter: () => (node.place === undefined ? flip(node) : go(node.place)),
      " ": () => (node.place === undefined ? flip(node) : go(node.place)),
    };
    if (steps[event.key] === undefined) return;
    event.preventDefault();
    steps[event.key]();
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    filter.focus();
  });
  filter.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && rows.length > 0) {
      event.preventDefault();
      focusOn(rows[0].node);
    }
    if (event.key !== "Escape") return;
    filter.value = "";
    draw();
  });
  whenSwitched(draw);
  // Shows a place as the chosen one, with the directories above it open.
  mode.select = (index) => {
    current = nodeOfPlace.get(index) || root;
    for (let above = current.parent; above !== undefined; above = above.parent) closed.delete(above);
    const hadFocus = list.contains(document.activeElement);
    draw();
    if (hadFocus) focusOn(current);
    else {
      const at = rows.findIndex(({ node }) => node === current);
      const box = list.parentElement;
      const row = list.children[at];
      if (box && row && (row.offsetTop < box.scrollTop || row.offsetTop > box.scrollTop + box.clientHeight - 60)) box.scrollTop = row.offsetTop - 90;
    }
  };
  const names = make("div", { class: "row names" }, make("span", {}, counted(facts.places.length, "directory").replace("directorys", "directories")), ...facts.clients.map(({ title }) => make("span", {}, title)));
  return make("nav", { "aria-label": "directories" },
    make("div", { class: "tools" }, filter, make("label", {}, onlyLost, "only with losses"), fold),
    make("div", { class: "scroll" }, names, list, nothing));
}
`;
