import type { Explanation } from "./explanation.ts";
import { escapeText, visible } from "../lib/escape.ts";
import { ladderOf } from "./explanation-ladder.ts";
import { extentOf, reasonOf } from "./reach-reason.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import { PAGE_STYLE } from "./page-style.ts";

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
