import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { usage } from "../../cli/args.ts";
import type { Outcome } from "../../command.ts";
import { escapeText, visible } from "../../lib/escape.ts";
import { writeWhole } from "../../lib/write-file.ts";
import type { World } from "../../world.ts";
import { BASE_STYLE } from "./base-style.ts";
import { TOOLS_SCRIPT } from "./tools-script.ts";

/** What a page shows, and the script and style that it has besides those of every page. */
export interface PageParts {
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
  // In a block of its own, so that names in one script can't change another page's.
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

/** JSON that can't end or begin a tag. */
function asData(data: object): string {
  return JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
}

/** The policy identifies the page's own style and script by these. */
function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
