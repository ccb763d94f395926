import { createHash } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
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
import type { Explanation } from "./schema.ts";

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
  const found = instructionPlaces(root.directory, names, settings.agents.ignore);
  const directories = [...new Set([...found.directories, explanation.directory])].toSorted();
  const html = renderExplanationPage(
    {
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
    },
    pageDigest,
  );
  const path = resolve(world.cwd(), page);
  const written = writeWhole(world, path, html);
  if (written.kind === "written") return "ok";
  return { code: "usage", message: `page '${visible(path)}' can't be written (${written.errno})` };
}

/** All that a page shows. */
export interface PageFacts {
  readonly root: string;
  /** A limit ended the search for instruction files. */
  readonly truncated: boolean;
  /** The directory that is shown first. */
  readonly start: string;
  readonly clients: readonly { readonly name: string; readonly title: string }[];
  readonly places: readonly Pick<Explanation, "directory" | "clients">[];
}

/**
 * One file of HTML: nothing in it is loaded from elsewhere, and of what stands in it only our own style and script have
 * any effect. What comes from the tree is data, and is shown as text.
 */
export function renderExplanationPage(facts: PageFacts, digest: (text: string) => string): string {
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

/** As JSON in which no tag can end or begin. */
function asData({ root, truncated, start, clients, places }: PageFacts): string {
  const data = {
    root: visible(root),
    truncated,
    clients,
    start: Math.max(
      0,
      places.findIndex(({ directory }) => directory === start),
    ),
    places: places.map((place) => ({
      name: visible(place.directory === root ? nameOf(root) : nameOf(place.directory)),
      path: visible(place.directory),
      parts:
        place.directory === root
          ? []
          : place.directory
              .slice(root.length)
              .split("/")
              .filter((part) => part !== "")
              .map(visible),
      budgets: place.clients.map(({ budget }) => budget),
      rungs: ladderOf(place).map(({ directory, files }) => ({
        directory: visible(directory),
        isOwn: directory === place.directory,
        files: files.map(({ path, reached }) => ({
          name: visible(path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path),
          path: visible(path),
          reached: reached.map((file) =>
            file === undefined
              ? null
              : {
                  status: file.status,
                  origin: file.origin,
                  shown: file.bytesShown,
                  total: file.bytesTotal,
                  extent: extentOf(file),
                  reason: reasonOf(file),
                  by: file.by === undefined ? "" : visible(file.by),
                },
          ),
        })),
      })),
    })),
  };
  return JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1) || path;
}

const MAX_ENTRIES = 500_000;

const MAX_DEPTH = 64;

export interface InstructionPlaces {
  /** In the order of their paths; the one where the search began is always among them. */
  readonly directories: readonly string[];
  /** A limit ended the search. */
  readonly truncated: boolean;
}

/**
 * The directories of a project in which a session would read something of its own.
 *
 * @input  names: of instruction files, some in a directory of their own below; ignored: names of directories that are not
 *         entered
 * @effect reads directories; follows no links
 * @error  none: a directory that can't be listed is passed over
 */
export function instructionPlaces(
  root: string,
  names: readonly string[],
  ignored: readonly string[],
): InstructionPlaces {
  const own = new Set(names.map((name) => basename(name)));
  const inner = new Set(names.map((name) => dirname(name)).filter((name) => name !== "."));
  const closed = new Set([...ignored, ".git"]);
  const found = new Set([root]);
  let left = MAX_ENTRIES;

  function walk(directory: string, depth: number): void {
    if (left <= 0 || depth > MAX_DEPTH) return;
    const entries = entriesOf(directory);
    left -= entries.length;
    for (const entry of entries) {
      if (entry.isDirectory()) {
        if (!closed.has(entry.name)) walk(join(directory, entry.name), depth + 1);
      } else if (own.has(entry.name)) found.add(inner.has(basename(directory)) ? dirname(directory) : directory);
    }
  }

  walk(root, 0);
  return { directories: [...found].toSorted(), truncated: left <= 0 };
}

/** By which a page's policy knows its own style and script: nothing else runs in it. */
export function pageDigest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
