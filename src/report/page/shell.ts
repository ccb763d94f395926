import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { usage } from "../../cli/args.ts";
import type { Outcome } from "../../command.ts";
import { escapeText, visible } from "../../lib/escape.ts";
import { writeWhole } from "../../lib/write-file.ts";
import type { World } from "../../world.ts";

/** What a page shows, and the script and style that it has besides those of every page. */
interface PageParts {
  readonly title: string;
  /** The command that prints the same as text. */
  readonly textCommand: string;
  /** The script finds it as `facts`; every text in it is already visible. */
  readonly facts: object;
  /** Read only when asked for: `texts()` in the script. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly style: string;
  readonly script: string;
}

/**
 * @input  page: the file's path, from the process's directory
 * @effect the file; on a terminal says so
 * @error  usage if it can't be written
 */
export function writePage(world: World, page: string, parts: PageParts): Outcome {
  const path = resolve(world.cwd(), page);
  const written = writeWhole(world, path, renderPage(parts));
  if (written.kind !== "written") return usage(`page '${visible(path)}' can't be written (${written.errno})`);
  if (world.isTerminal("stderr")) world.complain(`codelia: wrote '${visible(path)}'; open it in a browser\n`);
  return "ok";
}

/**
 * One HTML file that loads nothing. Its policy allows only our own style and script; data is shown as text.
 */
function renderPage(parts: PageParts): string {
  const style = BASE_STYLE + parts.style;
  // In a block of its own, so that its names don't become global.
  const script = `{${TOOLS_SCRIPT}${parts.script}}`;
  const policy = `default-src 'none'; style-src '${digest(style)}'; script-src '${digest(script)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(parts.title)}</title>
<style>${style}</style>
</head>
<body>
<noscript>This page needs its own script; '${parts.textCommand}' prints the same.</noscript>
<main id="page"></main>
<script type="application/json" id="facts">${asData(parts.facts)}</script>
<script type="application/json" id="texts">${asData(parts.texts ?? {})}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** Rows that a page has once each, and refers to by their numbers: a large project would repeat them thousands of times. */
export function distinctRows(): { readonly rows: readonly object[]; numberOf(row: object): number } {
  const rows: object[] = [];
  const numbers = new Map<string, number>();
  return {
    rows,
    numberOf(row) {
      const key = JSON.stringify(row);
      const known = numbers.get(key) ?? rows.push(row) - 1;
      numbers.set(key, known);
      return known;
    },
  };
}

/** JSON that can't end or begin a tag. */
function asData(data: object): string {
  return JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
}

/** The policy identifies the page's own style and script by these. */
function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** The style of all pages, light or dark as the reader's system. */
const BASE_STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #566171; --paper: #f6f7f9; --card: #fff; --line: #dde2e9; --focus: #2563eb; --accent: #1d5fd1;
  --loaded: #1a7f4b; --given: #1d5fd1; --cut: #b06700; --left-out: #c5303e; --shadowed: #c5303e; --skipped: #7b8694; --none: #aab3bf;
  --error: #c5303e; --warning: #b06700; --note: #566171; --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa5b5; --paper: #12161c; --card: #1a2029; --line: #2d3643; --focus: #7aa7ff; --accent: #7aa7ff;
  --loaded: #3fbf7f; --given: #7aa7ff; --cut: #f0a63a; --left-out: #f2707b; --shadowed: #f2707b; --skipped: #8b97a8; --none: #5a6576;
  --error: #f2707b; --warning: #f0a63a; --note: #9aa5b5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
noscript, .banner { display: block; padding: .6rem 1.5rem; color: var(--cut); }
header { display: flex; flex-wrap: wrap; gap: .8rem 2rem; align-items: center; justify-content: space-between; padding: 1rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--card); }
h1, h2, h3 { margin: 0; overflow-wrap: anywhere; line-height: 1.3; }
h1 { font-size: 1.15rem; } h2 { font-size: 1.1rem; } h3 { font-size: .95rem; }
code, pre, .path { font-family: var(--mono); font-size: .88em; overflow-wrap: anywhere; }
.soft { color: var(--soft); font-weight: normal; overflow-wrap: anywhere; }
button { font: inherit; color: inherit; cursor: pointer; }
.plain { padding: 0 .2rem; border: 0; background: none; color: var(--accent); text-decoration: underline; text-underline-offset: 2px; text-align: left; overflow-wrap: anywhere; }
.command { display: inline-flex; gap: .5rem; align-items: baseline; }
.command code { padding: .1rem .45rem; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); }
.command button { font-size: .8rem; }
.switch { display: inline-flex; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--paper); }
.switch button { padding: .35rem .9rem; border: 0; background: none; }
.switch button[aria-pressed="true"] { background: var(--ink); color: var(--paper); }
.switch button:focus-visible { outline-offset: -3px; }
.dot { display: inline-block; flex: none; width: .78em; height: .78em; border: 2px solid var(--tint); border-radius: 3px; }
.loaded { --tint: var(--loaded); } .given { --tint: var(--given); } .cut { --tint: var(--cut); } .left-out { --tint: var(--left-out); }
.shadowed { --tint: var(--shadowed); } .skipped, .replaced { --tint: var(--skipped); } .none { --tint: var(--none); }
.error { --tint: var(--error); } .warning { --tint: var(--warning); } .note { --tint: var(--note); }
.dot.loaded, .dot.given, .dot.error, .dot.warning, .dot.note { background: var(--tint); }
.dot.cut { background: linear-gradient(90deg, var(--tint) 50%, transparent 50%); }
.dot.none { width: .5em; height: 0; border-width: 1px; border-radius: 0; }
.bar { display: flex; height: 12px; margin: .45rem 0 .3rem; border-radius: 6px; overflow: hidden; background: var(--line); }
.bar i { display: block; min-width: 2px; background: var(--tint); border-right: 1px solid var(--card); }
.card { padding: .75rem .9rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th, td { padding: .4rem .7rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-size: .85rem; color: var(--soft); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
[hidden] { display: none !important; }
`;

/** What the scripts of all pages use. Every text from the facts is inserted as text, never as markup. */
const TOOLS_SCRIPT = String.raw`
const facts = JSON.parse(document.getElementById("facts").textContent);
const page = document.getElementById("page");
let knownTexts;

function texts() {
  knownTexts = knownTexts || JSON.parse(document.getElementById("texts").textContent);
  return knownTexts;
}

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

function number(value) {
  return value.toLocaleString("en");
}

function counted(count, noun) {
  return number(count) + " " + noun + (count === 1 ? "" : "s");
}

// A command, and a button that copies it where the browser allows that.
function commandLine(text) {
  const button = make("button", { type: "button", class: "plain", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
    }
  } }, "copy");
  const code = make("code", {}, text);
  return make("span", { class: "command" }, code, button);
}

// One of several words is chosen; choose is called with its number.
function switcher(label, words, chosen, choose) {
  const buttons = words.map((word, index) => make("button", { type: "button", "aria-pressed": String(index === chosen), onclick: () => {
    buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(other === index)));
    choose(index);
  } }, word));
  return make("div", { class: "switch", role: "group", "aria-label": label }, ...buttons);
}
`;
