import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { REPOSITORY } from "../support/run-codelia.ts";
import type { ConformanceRecord, RecordedCell, Sighting } from "./record.ts";
import { loadTrees, type Step, type Tree, type TreeEntry } from "./tree.ts";
import { agrees, cellText, inThousands } from "./verdict.ts";

const PAGE = "docs/conformance.md";
const FOLDER = "docs/conformance";

/** @effect writes the page with the table and one for each tree, and removes those of trees that are gone */
export function writePages(record: ConformanceRecord): void {
  const pages = renderPages(record);
  mkdirSync(join(REPOSITORY, FOLDER), { recursive: true });
  for (const name of readdirSync(join(REPOSITORY, FOLDER))) {
    if (!pages.has(`${FOLDER}/${name}`)) rmSync(join(REPOSITORY, FOLDER, name));
  }
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(REPOSITORY, path)), { recursive: true });
    writeFileSync(join(REPOSITORY, path), text);
  }
}

/** By their paths in the repository. */
export function renderPages(record: ConformanceRecord): ReadonlyMap<string, string> {
  const trees = loadTrees();
  return new Map([
    [PAGE, renderTable(record, trees)],
    ...trees.map((tree): [string, string] => [`${FOLDER}/${tree.name}.md`, renderTree(tree, record)]),
  ]);
}

function renderTable(record: ConformanceRecord, trees: readonly Tree[]): string {
  const clients = Object.entries(record.clients);
  const dates = Object.values(record.cells).flatMap((cells) => Object.values(cells).map(({ date }) => date));
  const groups = [...new Set(trees.map(({ group }) => group))];
  const titles = clients.map(([, { title }]) => title);
  const header = ["", ...titles];
  const versions = clients.map(([, { version }]) => version);
  const rowsOf = (group: string) =>
    trees
      .filter((tree) => tree.group === group)
      .map((tree) => {
        const cells = clients.map(([client]) => linkTo(tree, client, record));
        return row([`[${tree.title}](conformance/${tree.name}.md)`].concat(cells));
      });
  const tables = groups.flatMap((group) => {
    const top = [`## ${group}`, "", row(header), row(header.map(() => "---")), row(["version"].concat(versions))];
    return top.concat(rowsOf(group), "");
  });
  return [...INTRODUCTION(clients.length, trees.length, dates.toSorted().at(-1) ?? ""), ...tables, ...OTHERS].join(
    "\n",
  );
}

const INTRODUCTION = (clients: number, trees: number, date: string): string[] => [
  "# What each client reads",
  "",
  `Which instruction files and skills reach the model of a coding agent, measured: ${trees} small projects, played with ${clients} configurations of real clients from npm at a scripted model on the same machine, with a temporary home and without an account. The last run was on ${date}. Each cell is a run; it leads to the project and to what the model was sent. [The record](conformance.json) has the same as data, and [the projects](../test/conformance/README.md) are data too.`,
  "",
  "✓: as the [AGENTS.md convention](https://agents.md) and the [Agent Skills specification](https://agentskills.io) say; ✗: otherwise. What follows says in which way, or what else the model got where they say nothing. 'By its path' means that the model is told of the file, not its text.",
  "",
  "`npm run conformance` measures again; `npm run conformance -- --latest` says what the newest versions do differently.",
  "",
];

/** Tried on 2026-11-20 in a temporary home, with a key that is none, and no way to any server but the scripted model. */
const NOT_HERE: readonly (readonly [clients: string, why: string])[] = [
  ["Amp, Auggie 0.36.0, Droid 0.215.0", "before they ask a model, they ask their maker's server for an account"],
  ["Crush 0.96.1", "npm's package downloads the program by a script, and no package's script is run here"],
  ["Antigravity, Cursor, VS Code", "not in npm, and need an account"],
  ["Aider, goose", "not in npm"],
];

const OTHERS: string[] = [
  "## Clients that are not here",
  "",
  row(["client", "why"]),
  row(["---", "---"]),
  ...NOT_HERE.map(row),
  "",
];

function linkTo(tree: Tree, client: string, record: ConformanceRecord): string {
  const cell = record.cells[tree.name]?.[client];
  if (cell === undefined) return "";
  return `[${escaped(cellText(tree, cell))}](conformance/${tree.name}.md#${anchor(record.clients[client]?.title ?? client)})`;
}

function renderTree(tree: Tree, record: ConformanceRecord): string {
  const clients = Object.entries(record.clients).flatMap(([client, { title }]) => {
    const cell = record.cells[tree.name]?.[client];
    return cell === undefined ? [] : [`## ${title}`, ""].concat(renderCell(tree, cell), "");
  });
  return [
    `# ${tree.title}`,
    "",
    `${tree.about} [All rows](../conformance.md)`,
    "",
    "| file | content |",
    "| --- | --- |",
    ...Object.entries(tree.files).map(([path, entry]) => row([`\`${path}\``, contentOf(entry)])),
    ...Object.entries(tree.home ?? {}).map(([path, entry]) => row([`\`~/${path}\``, contentOf(entry)])),
    "",
    `The session begins in ${tree.cwd === undefined ? "the root" : `\`${tree.cwd}\``}.${(tree.steps ?? []).map((step) => ` ${stepText(step)}`).join("")}`,
    "",
    ...clients,
  ].join("\n");
}

function renderCell(tree: Tree, cell: RecordedCell): string[] {
  const verdict = agrees(tree, cell);
  const follows =
    verdict === undefined ? "" : verdict ? " This is what the convention says." : " The convention says otherwise.";
  return [
    `Version ${cell.version}, on ${cell.date}: ${escaped(cellText(tree, cell))}.${follows}`,
    "",
    ...cell.sightings.map((sighting) => `- ${sightingText(sighting)}`),
    ...cell.sightings
      .flatMap(({ excerpt }) => (excerpt === undefined ? [] : ["", ...fenced(excerpt)]))
      .slice(0, MAX_EXCERPT_LINES),
  ];
}

const MAX_EXCERPT_LINES = 120;

function sightingText({ label, given, request, where, times = 1 }: Sighting): string {
  if (given === "no") return `\`${label}\`: not sent`;
  const when = request === 0 ? "at the start" : `after step ${request}`;
  const often = times > 1 ? `, ${times} times in that request` : "";
  return `\`${label}\`: ${GIVEN[given]} ${when}, in ${where}${often}`;
}

const GIVEN = { text: "its text", path: "its path", name: "its name" };

function stepText(step: Step): string {
  if ("read" in step) return `The model reads \`${step.read}\`.`;
  if ("edit" in step) return `The model edits \`${step.edit}\`.`;
  if ("shell" in step) return `The model runs \`${step.shell}\`.`;
  if ("compact" in step) return "The client compacts the conversation.";
  if ("agent" in step) return `The model starts a sub-agent with '${step.agent}'.`;
  return `The session ends, ${Object.keys(step.resume)
    .map((path) => `\`${path}\``)
    .join(", ")} is written anew, and the session is resumed.`;
}

function contentOf(entry: TreeEntry): string {
  if (typeof entry === "string")
    return entry.trim() === "" ? "blank" : `\`${entry.trim().replaceAll("`", "'").replaceAll("\n", " ⏎ ")}\``;
  if ("link" in entry) return `a link to \`${entry.link}\``;
  if ("dir" in entry) return "a directory";
  return `${inThousands(entry.lines)} lines of 20 bytes, \`${entry.numbered} …\``;
}

function fenced(text: string): string[] {
  const longest = Math.max(3, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}text`].concat(
    text.split("\n").map((line) => line.trimEnd()),
    fence,
  );
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function escaped(text: string): string {
  return text.replaceAll("~", "\\~").replaceAll("|", "\\|");
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");
}
