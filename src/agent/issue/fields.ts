import { resolve } from "node:path";
import type { Git } from "../../lib/git.ts";
import { realPathOf } from "../../lib/path-facts.ts";
import { callProgram } from "../../lib/process.ts";
import { findProgram } from "../../lib/programs.ts";
import { readText } from "../../lib/read-file.ts";
import { checkData } from "../../lib/schema-problems.ts";
import { withoutEnd } from "../../lib/text.ts";
import type { World } from "../../world.ts";
import { asArray, asObject, asString, parseEvent, type JsonEvent } from "../engines/answers.ts";
import { ExecutionError } from "../errors.ts";
import { IssueFieldsSchema } from "../run-schema.ts";

/** Where the fields of an issue come from; each is asked for only when nothing that goes before it has an answer. */
export interface IssueFieldsSource {
  /**
   * @output the issue's `base_branch`; undefined where it has none
   * @error  ExecutionError where it can't be known
   */
  baseBranch(): string | undefined;
  /** The `Target Branch` of a project that the issue is in; the rest as above. */
  targetBranch(): string | undefined;
}

/** For a run that is about no issue, or where nothing can be asked. */
export const NO_FIELDS: IssueFieldsSource = { baseBranch: () => undefined, targetBranch: () => undefined };

const MAX_BYTES = 64 * 1024;

/**
 * The fields as a file has them, for machines without `gh`:
 * `{ "issue": { "base_branch": "develop" }, "project": { "Target Branch": "release/2" } }`.
 *
 * @effect reads
 * @error  ExecutionError where the file is not there or not of this form
 */
export function fieldsFromFile(cwd: string, path: string): IssueFieldsSource {
  const text = textOf(resolve(cwd, path), path);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw unusable(path, (error as Error).message);
  }
  const fields = checkData(IssueFieldsSchema, data);
  if (fields.kind === "invalid") throw unusable(path, fields.problems.map(({ message }) => message).join("; "));
  const { issue, project } = fields.data;
  return { baseBranch: () => issue?.base_branch, targetBranch: () => project?.["Target Branch"] };
}

/** The user names the file, so a link is followed. */
function textOf(path: string, named: string): string {
  const real = realPathOf(path);
  if (real === undefined) throw unusable(named, "there is no such file");
  const read = readText(real, MAX_BYTES);
  if (read.kind === "text") return read.text;
  throw unusable(named, read.kind === "too-large" ? `it is larger than ${MAX_BYTES} bytes` : "it can't be read");
}

function unusable(path: string, why: string): ExecutionError {
  const message = `fields file '${path}' can't be used: ${why}`;
  return new ExecutionError(message, { recoverable: false, details: { path } });
}

const LIMITS = { timeoutMs: 30_000, maxOutputBytes: 4 * 1024 * 1024 };

/** Text fields and single choices of every project that the issue is in. */
const PROJECT_FIELDS = `query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) { projectItems(first: 20) { nodes {
    fieldValueByName(name: "Target Branch") {
      ... on ProjectV2ItemFieldTextValue { text }
      ... on ProjectV2ItemFieldSingleSelectValue { name }
    }
  } } } }
}`;

/**
 * The fields as GitHub has them, by the user's own `gh`.
 *
 * @input  git: of a clone of the repository
 * @output a source without fields where there is no `gh`, or the clone has no remote to ask
 * @effect with each question, a call of `gh`
 * @error  ExecutionError with a question that `gh` can't answer: a wrong branch would be worse
 */
export function fieldsFromGh(world: World, git: Git, issue: number): IssueFieldsSource {
  const program = findProgram(world, "gh", git.top);
  if (program === undefined || !hasRemote(git)) return NO_FIELDS;
  const ask = (args: readonly string[]): JsonEvent => {
    // It starts git by itself, which is then as careful as ours.
    const env = { ...git.environment, GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", NO_COLOR: "1" };
    const answer = callProgram(world, { program, args, cwd: git.top, env, ...LIMITS });
    if (answer.kind === "failed") throw unanswered(issue, answer.reason);
    if (answer.exitCode !== 0) throw unanswered(issue, answer.stderr.trim().split("\n")[0] ?? "");
    const data = parseEvent(answer.stdout);
    if (data === undefined) throw unanswered(issue, "what it wrote is no JSON");
    return data;
  };
  return {
    baseBranch: () => baseBranchIn(asString(ask(["issue", "view", String(issue), "--json", "body"])["body"]) ?? ""),
    targetBranch: () => {
      const names = ["-F", "owner={owner}", "-F", "name={repo}", "-F", `number=${issue}`];
      return oneTarget(issue, ask(["api", "graphql", ...names, "-f", `query=${PROJECT_FIELDS}`]));
    },
  };
}

function hasRemote(git: Git): boolean {
  const answer = git.ask(["remote"]);
  return answer.kind === "ok" && answer.stdout.trim() !== "";
}

/** An issue may be in several projects; two that contradict each other name no branch. */
function oneTarget(issue: number, answer: JsonEvent): string | undefined {
  const found = asObject(asObject(asObject(answer["data"])?.["repository"])?.["issue"]);
  if (found === undefined) throw unanswered(issue, "it was told of no such issue");
  const values = asArray(asObject(found["projectItems"])?.["nodes"]).flatMap((item) => {
    const value = asObject(asObject(item)?.["fieldValueByName"]);
    return (asString(value?.["text"]) ?? asString(value?.["name"]) ?? "").trim() || [];
  });
  const [first, second] = new Set(values);
  if (second === undefined) return first;
  const message = `issue ${issue} has no one branch to begin from: its projects name '${first}' and '${second}'; use --origin`;
  throw new ExecutionError(message, { recoverable: false, details: { issue, branches: [...new Set(values)] } });
}

function unanswered(issue: number, why: string): ExecutionError {
  const message = `the fields of issue ${issue} can't be read: 'gh' says: ${why}; use --origin or --fields`;
  return new ExecutionError(message, { recoverable: false, details: { issue } });
}

/**
 * The field `base_branch` in the text of an issue: under a heading of that name, as an issue form leaves it, or after
 * the name and a colon. Undefined where it is not there, or was left empty.
 */
export function baseBranchIn(body: string): string | undefined {
  const lines = body.split(/\r?\n/).map((line) => line.trim());
  for (const [index, line] of lines.entries()) {
    const heading = headingIn(line);
    if (heading !== undefined && isBaseBranch(heading)) {
      const value = lines.slice(index + 1).find((next) => next !== "");
      return value === undefined || value.startsWith("#") ? undefined : cleaned(value);
    }
    const colon = line.indexOf(":");
    if (colon > 0 && isBaseBranch(line.slice(0, colon))) return cleaned(line.slice(colon + 1));
  }
  return undefined;
}

/** Without the marks at both ends. */
function headingIn(line: string): string | undefined {
  const mark = /^#{1,6}(?=\s)/.exec(line)?.[0];
  return mark === undefined ? undefined : withoutEnd(line.slice(mark.length), "#").trim();
}

function isBaseBranch(name: string): boolean {
  return name.replaceAll(/[*`]/g, "").trim().toLowerCase().replaceAll(/[\s-]/g, "_") === "base_branch";
}

/** Without the marks of Markdown around it, and without what a form writes where nothing was said. */
function cleaned(value: string): string | undefined {
  const text = value
    .replace(/^[*\s]+/, "")
    .replaceAll("`", "")
    .trim();
  return text === "" || text === "_No response_" ? undefined : text;
}
