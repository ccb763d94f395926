import { githubCommand } from "../check/formats.ts";
import { visible } from "../lib/escape.ts";
import { isInside } from "../lib/paths.ts";
import { counted } from "../lib/words.ts";
import type { Extent } from "./knowledge.ts";
import { shownPath } from "./explanation.ts";
import type { Audit, AuditedWrite } from "./schema.ts";

type Session = Audit["sessions"][number];
type AuditedFile = AuditedWrite["files"][number];

/** What `--fail-on` accepts, the most severe first; each includes those before it. */
export const FAILURES = ["missing", "named", "stale", "cut"] as const;
export type Failure = (typeof FAILURES)[number];

const FAILED: Readonly<Record<Failure, readonly Extent[]>> = {
  missing: ["none"],
  named: ["none", "named"],
  stale: ["none", "named", "stale"],
  cut: ["none", "named", "stale", "cut"],
};

/** Whether a write lacked something that applied to it. */
export function isFailure({ files }: AuditedWrite, failure: Failure): boolean {
  return files.some(({ extent }) => FAILED[failure].includes(extent));
}

export function renderAudit({ sessions }: Audit): string {
  return sessions.map(renderSession).join("\n");
}

function renderSession({ record, client, root, contexts, skills }: Session): string {
  const writes = contexts.flatMap((context) => context.writes);
  const calls = contexts.reduce((sum, { toolCalls }) => sum + toolCalls, 0);
  const forgotten = contexts.reduce((sum, context) => sum + context.forgotten, 0);
  const broken = contexts.reduce((sum, context) => sum + context.broken, 0);
  const facts = [
    counted(contexts.length, "context"),
    counted(calls, "tool call"),
    ...(forgotten === 0 ? [] : [counted(forgotten, "compaction")]),
    ...(broken === 0 ? [] : [`${counted(broken, "line")} that can't be read`]),
  ];
  return [
    `${visible(record)} (${client}): ${facts.join(", ")}`,
    ...contexts.flatMap((context, index) => [
      ...(index === 0 || context.writes.length === 0 ? [] : [`sub-agent ${visible(context.record)}`]),
      ...context.writes.flatMap((write) => linesOf(write, root)),
    ]),
    summaryOf(writes, root),
    ...skillLines(skills),
    "",
  ].join("\n");
}

function linesOf({ at, tool, path, files }: AuditedWrite, root: string): string[] {
  const when = at === null ? "" : `${at.slice(0, 19).replace("T", " ")}  `;
  const known = files.map((file) => `    ${wordsOf(file)}  ${shownPath(file.path, root)}`);
  return [`  ${when}${visible(tool)} ${shownPath(path, root)}`, ...known];
}

function wordsOf({ extent, by }: AuditedFile): string {
  const from = by === undefined ? "" : ` (${extent === "named" && by === "tool" ? "a tool" : BY[by]})`;
  return `${WORDS[extent]}${extent === "none" ? "" : from}`.padEnd(24);
}

/** What the model had of a file, in words. */
export const WORDS: Readonly<Record<Extent, string>> = {
  whole: "whole",
  cut: "in part",
  stale: "another version",
  named: "only named",
  none: "not at all",
};
export const BY = { client: "client", hook: "a hook", tool: "read it", codelia: "codelia" } as const;

export function skillLines(skills: Session["skills"]): string[] {
  if (skills.length === 0) return [];
  const names = (list: Session["skills"]) =>
    list.length === 0 ? "" : ` (${list.map(({ name }) => visible(name)).join(", ")})`;
  const listed = skills.filter((skill) => skill.listed > 0);
  const loaded = skills.filter((skill) => skill.loaded > 0);
  const unlisted = skills.filter((skill) => skill.listed === 0);
  const missing = unlisted.length === 0 ? "" : `; never listed: ${unlisted.length}${names(unlisted)}`;
  return [
    `${counted(skills.length, "skill")}: ${listed.length} listed, ${loaded.length} loaded${names(loaded)}${missing}`,
  ];
}

/** How many writes had all that applied, and which files were most often missing for the others. */
export function summaryOf(writes: readonly AuditedWrite[], root: string): string {
  if (writes.length === 0) return "no call wrote a file";
  const failed = writes.filter((write) => isFailure(write, "cut"));
  const outside = writes.filter(({ path }) => !isInside(root, path)).length;
  const rest = outside === 0 ? "" : `; ${outside} outside '${visible(root)}', not judged`;
  if (outside === writes.length) return `${counted(writes.length, "write")}${rest}`;
  if (failed.length === 0) {
    return `${counted(writes.length, "write")}: each had every instruction file that applied, whole${rest}`;
  }
  const counts = new Map<string, number>();
  for (const { files } of failed) {
    for (const { path, extent } of files) if (extent !== "whole") counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  const most = [...counts].toSorted(([, left], [, right]) => right - left).slice(0, 3);
  const names = most.map(([path, count]) => `${shownPath(path, root)} (${count})`).join(", ");
  return `${counted(writes.length, "write")}: ${failed.length} without all that applied; most often missing: ${names}${rest}`;
}

/** GitHub's annotations of the writes that lacked something; `base`: the checkout. */
export function renderAuditGithub({ sessions }: Audit, failure: Failure, isFailing: boolean, base: string): string {
  return sessions
    .flatMap(({ root, contexts }) => contexts.flatMap(({ writes }) => writes.map((write) => ({ write, root }))))
    .filter(({ write }) => isFailure(write, failure))
    .map(({ write: { tool, path, files }, root }) => {
      const missing = files.filter(({ extent }) => FAILED[failure].includes(extent));
      const named = missing.map((file) => `${shownPath(file.path, root)} (${WORDS[file.extent]})`).join(", ");
      const place = { file: shownPath(path, base), title: "codelia audit" };
      return githubCommand(isFailing ? "error" : "warning", place, `${visible(tool)} wrote without all of ${named}`);
    })
    .join("");
}
