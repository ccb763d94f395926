/** A list that can be filtered and sorted, and shows its first items at once; each item has an address. */
export const LIST_SCRIPT = String.raw`
const SHOWN_AT_FIRST = 200;

function shown(path) {
  return make("span", { class: "path" }, path);
}

// items: { id, text, isProblem }; row draws one; sorts: [label, compare] of items.
function listing({ label, noun, items, row, onlyLabel, sorts, heading }) {
  const filter = make("input", { type: "search", placeholder: "filter " + noun + "s  ( / )", "aria-label": "filter " + noun + "s", oninput: () => draw() });
  const only = make("input", { type: "checkbox", onchange: () => draw() });
  const order = make("select", { "aria-label": "order", onchange: () => draw() }, ...(sorts || []).map(([name], index) => make("option", { value: String(index) }, name)));
  const list = make("ul", { class: "list", "aria-label": label });
  const count = make("span", { class: "soft", role: "status" });
  const more = make("button", { type: "button", class: "plain", onclick: () => {
    const before = list.children.length;
    add(before, Infinity);
    list.children[before].focus();
  } });
  let matching = [];
  let rows = new Map();

  function draw() {
    const word = filter.value.trim().toLowerCase();
    matching = items.filter((item) => (!only.checked || item.isProblem) && item.text.toLowerCase().includes(word));
    if (sorts) matching.sort(sorts[Number(order.value)][1]);
    rows = new Map();
    list.replaceChildren();
    add(0, SHOWN_AT_FIRST);
    count.textContent = matching.length === items.length ? counted(items.length, noun) : number(matching.length) + " of " + counted(items.length, noun);
  }

  function add(from, most) {
    const next = matching.slice(from, from + most).map((item) => {
      const element = make("li", { class: "item", tabindex: "-1" }, ...row(item));
      rows.set(item.id, element);
      return element;
    });
    list.append(...next);
    const left = matching.length - list.children.length;
    more.textContent = "show " + number(left) + " more";
    more.hidden = left === 0;
  }

  function show(id) {
    if (!items.some((item) => item.id === id)) return;
    if (!rows.has(id)) {
      filter.value = "";
      only.checked = false;
      draw();
    }
    if (!rows.has(id)) add(list.children.length, Infinity);
    for (const chosen of list.querySelectorAll(".chosen")) chosen.classList.remove("chosen");
    const element = rows.get(id);
    element.classList.add("chosen");
    element.scrollIntoView({ block: "center" });
    element.focus({ preventScroll: true });
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.defaultPrevented || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    filter.focus();
  });
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    filter.value = "";
    draw();
  });
  list.addEventListener("keydown", (event) => {
    const at = [...list.children].indexOf(event.target);
    const to = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : -1;
    if (at < 0 || list.children[to] === undefined) return;
    event.preventDefault();
    list.children[to].focus();
  });
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" || list.firstElementChild === null) return;
    event.preventDefault();
    list.firstElementChild.focus();
  });
  draw();
  const tools = [filter, ...(onlyLabel ? [make("label", {}, only, onlyLabel)] : []), ...(sorts ? [make("label", {}, "order by ", order)] : []), count];
  const element = make("section", { class: "listing", "aria-label": label }, make("h2", {}, label), make("div", { class: "tools" }, ...tools), ...(heading ? [heading] : []), list, more);
  return { element, show };
}

function followAddress(show) {
  const go = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    if (name !== "") show(name);
  };
  addEventListener("hashchange", go);
  go();
}

function addressOf(id) {
  return "#" + id.split("/").map(encodeURIComponent).join("/");
}

function verdictSection(verdicts) {
  return make("div", { class: "verdicts" }, ...verdicts.map(({ text, isGood }) => make("p", { class: isGood ? "loaded" : "cut" }, text)));
}
`;

/** Its style, with that of verdicts and advice. */
export const LIST_STYLE = `
.verdicts { padding: 1.1rem 1.5rem .2rem; }
.verdicts p { max-width: 62rem; margin: 0 0 .45rem; padding-left: .8rem; border-left: 4px solid var(--tint); font-size: 1.05rem; overflow-wrap: anywhere; }
.verdicts p:first-of-type { font-size: 1.3rem; line-height: 1.35; font-weight: 600; }
.advice { padding: .6rem 1.5rem 1rem; } .advice h2, .listing h2 { font-size: .95rem; color: var(--soft); font-weight: 600; }
.advice > ul { display: grid; gap: .45rem; max-width: 70rem; margin: .5rem 0 0; padding: 0; list-style: none; }
.advice .card { padding: .55rem .8rem; border-left: 4px solid var(--warning); }
.advice details > ul { margin: .35rem 0 0; padding-left: 1.1rem; }
summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
.listing { padding: .6rem 1.5rem 1.4rem; }
.tools { display: flex; flex-wrap: wrap; gap: .3rem .9rem; align-items: center; padding: .5rem 0; font-size: .88rem; }
.tools input[type="search"] { flex: 0 1 20rem; min-width: 0; padding: .35rem .6rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); color: inherit; font: inherit; }
.tools select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .2rem .4rem; }
.tools label { display: inline-flex; gap: .35rem; align-items: center; }
.list { max-width: 84rem; margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.list:empty { border: 0; }
.item { content-visibility: auto; contain-intrinsic-size: auto 2.6rem; padding: .4rem .9rem; border-top: 1px solid var(--line); }
.item:first-child { border-top: 0; }
.item.chosen { box-shadow: inset 4px 0 var(--focus); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .2rem 0 .6rem; padding: 0; list-style: none; color: var(--soft); font-size: .85rem; }
.legend li, .chip { display: inline-flex; gap: .4rem; align-items: baseline; }
a { color: var(--accent); }
@media (max-width: 56rem) {
  header, .verdicts, .advice, .listing { padding-left: 1rem; padding-right: 1rem; }
  .verdicts p:first-of-type { font-size: 1.12rem; }
}
`;
