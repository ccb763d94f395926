import { dirname, relative, sep } from "node:path";
import { isInside } from "../lib/paths.ts";
import { visible } from "../lib/escape.ts";
import { counted, withThousands } from "../lib/words.ts";
import type { Explanation, ReachedFile, ReachReason, ToldState } from "./schema.ts";

/** The explanation as text: what each client does with each file, budgets, what was told, skills. */
export function renderExplanation(explanation: Explanation): string {
  const { directory, clients } = explanation;
  const rungs = ladderOf(explanation);
  const width = Math.max(...clients.map(({ client }) => client.length));
  return [
    `what is read by sessions that begin in ${visible(directory)}\n\n`,
    ...rungs.map((rung, index) => renderRung(rung, rungs.slice(0, index), explanation)),
    rungs.length === 0 ? "no instruction file applies here\n" : "",
    rungs.some(({ files }) => files.some(({ reached }) => reached.includes(undefined)))
      ? "(-: the client reads no file of this name there)\n"
      : "",
    `\nbudgets:\n${clients.map((client) => renderBudget(client, width)).join("")}`,
    // What codelia told says nothing about what another client reads.
    clients.some(({ client }) => client === "raw") ? renderContext(explanation) : "",
    renderSkills(explanation),
  ].join("");
}

/** Indented below the directories that contain it, and named relative to the nearest of them. */
function renderRung({ directory, files }: LadderRung, before: readonly LadderRung[], explanation: Explanation): string {
  const above = before.map((rung) => rung.directory).filter((rung) => isInside(rung, directory));
  const nearest = above.at(-1);
  const name = nearest === undefined ? directory : relative(nearest, directory);
  const gap = "  ".repeat(above.length);
  const lines = files.flatMap((file) => renderFile(file, directory, explanation));
  return [`${visible(name)}${name.endsWith(sep) ? "" : sep}`, ...lines].map((line) => `${gap}${line}\n`).join("");
}

function renderFile({ path, reached }: LadderFile, directory: string, { clients, told }: Explanation): string[] {
  const name = nameIn(directory, path);
  const width = Math.max(...clients.map(({ client }) => client.length));
  const lines = clients.map(({ client }, index) => {
    const state = client === "raw" ? told.find((one) => one.path === path) : undefined;
    return `${client.padEnd(width)}  ${describe(reached[index])}${state === undefined ? "" : `; ${toldText(state)}`}`;
  });
  if (lines.length === 1) return [`  ${visible(name)}  ${lines[0]}`];
  return [`  ${visible(name)}`, ...lines.map((line) => `    ${line}`)];
}

/** A file's name below a directory, or its path. */
export function nameIn(directory: string, path: string): string {
  return isInside(directory, path) ? relative(directory, path) : path;
}

/** The same as people read it. */
export function shownPath(path: string, root: string): string {
  return visible(nameIn(root, path) || ".");
}

function describe(file: ReachedFile | undefined): string {
  if (file === undefined) return "-";
  const extent = extentOf(file);
  const reason = reasonOf(file);
  const by = byOf(file);
  const status = file.status === "left-out" ? "left out" : file.status;
  return `${status}${extent === "" ? "" : ` ${extent}`}${reason === "" ? "" : `: ${reason}`}${by === "" ? "" : ` (${by})`}`;
}

/** The other file that a state is due to; "" if there is none. */
export function byOf({ by, status, origin }: ReachedFile): string {
  if (by === undefined) return "";
  const isImport = status === "loaded" || (status === "skipped" && origin === "import");
  return `${isImport ? "imported by " : ""}${visible(by)}`;
}

function toldText({ state, mtimeMs, n }: ToldState): string {
  switch (state) {
    case "pending":
      return "pending: not told yet";
    case "told":
      return `told (mtime: ${mtimeMs}, record ${n})`;
    case "changed":
      return `pending: another version was told (mtime: ${mtimeMs}, record ${n})`;
  }
}

function renderBudget({ client, title, budget, root }: Explanation["clients"][number], width: number): string {
  const from = root === null ? "" : `, from ${visible(root)}`;
  const used = budget === null ? "no limit" : `${withThousands(budget.usedBytes)} of ${bytesIn(budget.limitBytes)}`;
  return `  ${client.padEnd(width)}  ${used}${from}${title.toLowerCase() === client ? "" : ` (${title})`}\n`;
}

function renderContext({ context }: Explanation): string {
  if (context === null) return "";
  const { session, context: name, epoch, updatedAt } = context;
  const when = updatedAt === null ? "told nothing yet" : `last told ${new Date(updatedAt).toISOString()}`;
  return `\ntold by codelia: session ${visible(session)}, context ${visible(name)}, epoch ${epoch}, ${when}\n`;
}

function renderSkills({ skills }: Explanation): string {
  if (skills.length === 0) return "";
  const lines = skills.map(({ name, path, visibleTo }) => {
    return `  ${visible(name)}  visible to ${visibleTo.join(", ") || "none"}  ${visible(path)}\n`;
  });
  return `\nskills:\n${lines.join("")}`;
}

/** One candidate, and what each client does with it. */
interface LadderFile {
  readonly path: string;
  /** In the order of the clients; undefined if the client does not read files with this name. */
  readonly reached: readonly (ReachedFile | undefined)[];
}

interface LadderRung {
  readonly directory: string;
  readonly files: readonly LadderFile[];
}

/** The candidates of all clients by directory: the user's and administrator's first, then from the root down. */
export function ladderOf({ clients, directory }: Pick<Explanation, "clients" | "directory">): LadderRung[] {
  const paths = new Map<string, (ReachedFile | undefined)[]>();
  for (const [index, { files }] of clients.entries()) {
    for (const file of files) {
      const reached = paths.get(file.path) ?? clients.map(() => undefined);
      reached[index] = file;
      paths.set(file.path, reached);
    }
  }
  const rungs = new Map<string, LadderFile[]>();
  for (const [path, reached] of paths) {
    const rung = directoryOf(path, reached);
    rungs.set(rung, [...(rungs.get(rung) ?? []), { path, reached }]);
  }
  const isAbove = (rung: string) => isInside(rung, directory);
  return [...rungs]
    .map(([rung, files]) => ({ directory: rung, files }))
    .toSorted(
      (left, right) =>
        Number(isAbove(left.directory)) - Number(isAbove(right.directory)) ||
        (isAbove(left.directory) ? left.directory.length - right.directory.length : 0),
    );
}

/** A file in `.claude` counts as one of the directory that contains `.claude`. */
function directoryOf(path: string, reached: readonly (ReachedFile | undefined)[]): string {
  const parent = dirname(path);
  const isProject = reached.some((file) => file?.origin === "project");
  const inner = isProject ? `${parent}${sep}`.indexOf(`${sep}.claude${sep}`) : -1;
  return inner > 0 ? parent.slice(0, inner) : parent;
}

const REASONS: Readonly<Record<ReachReason, string>> = {
  "reads-it": "",
  budget: "the client's budget ends inside it",
  "file-limit": "the client's limit on the number of files is reached before it",
  "earlier-name": "another file in the directory takes precedence",
  duplicate: "the same file was already read under another name",
  silenced: "AGENTS.md is read only where no CLAUDE.md has content",
  blank: "it is blank",
  "not-a-regular-file": "it is not a regular file",
  "dangling-link": "it is a broken link",
  "link-outside-root": "it links to a file outside the root",
  "no-permission": "permission denied",
  unreadable: "it can't be read, and the client stops there",
  "other-failed": "the client stopped at another file that it can't read",
  untrusted: "the user has marked the project as untrusted",
  "switched-off": "loading such files is switched off",
  excluded: "the client's settings exclude it",
  "maybe-excluded":
    "the client's settings may exclude it: 'claudeMdExcludes' has too many patterns, or one that codelia can't interpret",
  "ignored-directory": "its directory is ignored",
  "outside-root": "it is outside the working directory, and nothing allows it",
  conditional: "it is read only with files that match its 'paths'",
  "import-depth": "imports are nested too deeply",
  "other-worktree": "it belongs to the main working tree, not to this one",
  "refused-token":
    "it has '{env:…}', or '{file:…}' with a file outside the project, and the client then gives none of it",
};

/** How much of a file reaches the model. */
export function extentOf({ status, bytesShown, bytesTotal }: ReachedFile): string {
  switch (status) {
    case "loaded":
      return bytesIn(bytesShown);
    case "cut":
      return `${withThousands(bytesShown)} of ${bytesIn(bytesTotal)}`;
    case "left-out":
      return `0 of ${bytesIn(bytesTotal)}`;
    case "shadowed":
    case "skipped":
      return "";
  }
}

/** Why, without names; "" if there is nothing to explain. */
export function reasonOf({ status, reason, bytesShown, bytesTotal }: ReachedFile): string {
  if (status === "loaded") {
    const lost = bytesTotal - bytesShown;
    return lost === 0 ? "" : `${bytesIn(lost)} of blank space, front matter or comments removed`;
  }
  if (status === "left-out" && reason === "budget") return "the client's budget is used up before it";
  return REASONS[reason];
}

function bytesIn(bytes: number): string {
  return counted(bytes, "byte", withThousands);
}
