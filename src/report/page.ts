import { createHash } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import { usage } from "../cli/args.ts";
import type { ClientProfile } from "../clients/client.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import type { Outcome } from "../command.ts";
import { escapeText, visible } from "../lib/escape.ts";
import { entriesOf } from "../lib/path-facts.ts";
import { writeWhole } from "../lib/write-file.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { extentOf, ladderOf, reasonOf } from "./explanation.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import { PAGE_STYLE } from "./page-style.ts";
import type { Explanation, ReachedFile } from "./schema.ts";

const MAX_ENTRIES = 500_000;
const MAX_DEPTH = 64;

/** Everything that the page shows. */
interface PageFacts {
  readonly root: string;
  /** A limit ended the search for instruction files. */
  readonly truncated: boolean;
  /** The directory that is shown first. */
  readonly start: string;
  readonly clients: readonly { readonly name: string; readonly title: string }[];
  readonly places: readonly Place[];
}

type Place = Pick<Explanation, "directory" | "clients">;

/**
 * Writes the page of a project: every directory with instruction files, and what sessions that begin there read.
 *
 * @input  explanation: of the directory that is shown first; page: where the file goes, from the process's directory
 * @effect the file
 * @error  usage where it can't be written
 */
export function writeExplanationPage(
  world: World,
  { root, settings }: Workspace,
  clients: readonly ClientProfile[],
  explanation: Explanation,
  page: string,
): Outcome {
  const facts = diskFacts(world);
  const place = { home: world.home, env: world.env };
  const names = clients.flatMap((client) => [...client.names, ...client.moreNames(root.directory, place, facts)]);
  const found = directoriesWith(root.directory, names, settings.agents.ignore);
  const directories = [...new Set([...found.directories, explanation.directory])].toSorted();
  const html = renderPage({
    root: root.directory,
    truncated: found.truncated,
    start: explanation.directory,
    clients: clients.map(({ name, title }) => ({ name, title })),
    places: directories.map((directory) => ({
      directory,
      clients: clients.map((client) => ({
        title: client.title,
        client: client.name,
        ...client.reach(directory, place, facts),
      })),
    })),
  });
  const path = resolve(world.cwd(), page);
  const written = writeWhole(world, path, html);
  return written.kind === "written" ? "ok" : usage(`page '${visible(path)}' can't be written (${written.errno})`);
}

/**
 * The directories of a project that hold instruction files, the root among them; links are not followed, and a directory
 * that can't be listed is passed over.
 *
 * @input  names: of instruction files, some of them in a folder (`.claude/CLAUDE.md`); ignored: names of directories that
 *         are not entered
 */
function directoriesWith(
  root: string,
  names: readonly string[],
  ignored: readonly string[],
): { readonly directories: ReadonlySet<string>; readonly truncated: boolean } {
  const own = new Set(names.map((name) => basename(name)));
  const folders = new Set(names.map((name) => dirname(name)).filter((name) => name !== "."));
  const closed = new Set([...ignored, ".git"]);
  const directories = new Set([root]);
  let left = MAX_ENTRIES;

  function walk(directory: string, depth: number): void {
    if (left <= 0 || depth > MAX_DEPTH) return;
    const entries = entriesOf(directory);
    left -= entries.length;
    for (const entry of entries) {
      if (entry.isDirectory()) {
        if (!closed.has(entry.name)) walk(join(directory, entry.name), depth + 1);
      } else if (own.has(entry.name)) {
        directories.add(folders.has(basename(directory)) ? dirname(directory) : directory);
      }
    }
  }

  walk(root, 0);
  return { directories, truncated: left <= 0 };
}

/**
 * One HTML file that loads nothing. Its policy lets only our own style and script have an effect; what comes from the
 * tree is data, shown as text.
 */
function renderPage(facts: PageFacts): string {
  const policy = `default-src 'none'; style-src '${digest(PAGE_STYLE)}'; script-src '${digest(PAGE_SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(nameOf(facts.root))}: what each client reads</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<noscript>This page needs its own script; 'codelia explain' prints the same.</noscript>
<main id="page"></main>
<script type="application/json" id="facts">${asData(facts)}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** JSON in which no tag can end or begin. */
function asData({ root, truncated, start, clients, places }: PageFacts): string {
  const first = places.findIndex(({ directory }) => directory === start);
  const data = {
    root: visible(root),
    truncated,
    clients,
    start: Math.max(0, first),
    places: places.map((place) => placeData(place, root)),
  };
  return JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
}

function placeData(place: Place, root: string): object {
  const { directory } = place;
  const below = directory === root ? [] : directory.slice(root.length).split("/");
  return {
    name: visible(nameOf(directory)),
    path: visible(directory),
    parts: below.filter((part) => part !== "").map(visible),
    budgets: place.clients.map(({ budget }) => budget),
    rungs: ladderOf(place).map((rung) => ({
      directory: visible(rung.directory),
      isOwn: rung.directory === directory,
      files: rung.files.map(({ path, reached }) => ({
        name: visible(path.startsWith(`${rung.directory}/`) ? path.slice(rung.directory.length + 1) : path),
        path: visible(path),
        reached: reached.map((file) => (file === undefined ? null : fileData(file))),
      })),
    })),
  };
}

function fileData(file: ReachedFile): object {
  return {
    status: file.status,
    origin: file.origin,
    shown: file.bytesShown,
    total: file.bytesTotal,
    extent: extentOf(file),
    reason: reasonOf(file),
    by: file.by === undefined ? "" : visible(file.by),
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1) || path;
}

/** By this the page's policy knows its own style and script. */
function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
