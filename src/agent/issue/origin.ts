import { resolve } from "node:path";
import type { Git } from "../../lib/git.ts";
import { realPathOf } from "../../lib/path-facts.ts";
import { callProgram } from "../../lib/process.ts";
import { findProgram } from "../../lib/programs.ts";
import { readText } from "../../lib/read-file.ts";
import { checkData } from "../../lib/schema-problems.ts";
import { valueAt } from "../../lib/table.ts";
import { withoutEnd } from "../../lib/text.ts";
import type { World } from "../../world.ts";
import { asArray, asObject, asString, parseObject, type JsonObject } from "../engines/answers.ts";
import { ConfigurationError, ExecutionError } from "../errors.ts";
import { IssueFieldsSchema } from "../run-schema.ts";

export interface OriginBranch {
  readonly branch: string;
  readonly source: "explicit" | "issue_field" | "project_field" | "config";
  /** A branch of this clone is preferred to one of its remote. */
  readonly ref: string;
}

interface OriginNames {
  /** Of `--origin`. */
  readonly explicit: string | undefined;
  readonly fields: IssueFieldsSource;
  /** Of the definition's `originBranch`. */
  readonly config: string | undefined;
}

/**
 * The branch that the work begins from: the one of `--origin`, the issue's field, the project's field, or the
 * definition, in that order. There is no default.
 *
 * @effect asks git, and reads the fields that are needed
 * @error  ConfigurationError if none names a branch, or the branch does not exist; ExecutionError if a field can't be
 *          read
 */
export function resolveOrigin(git: Pick<Git, "ask">, { explicit, fields, config }: OriginNames): OriginBranch {
  const sources = [
    ["explicit", () => explicit],
    ["issue_field", () => fields.baseBranch()],
    ["project_field", () => fields.targetBranch()],
    ["config", () => config],
  ] as const;
  for (const [source, read] of sources) {
    const branch = read()?.trim() ?? "";
    if (branch !== "") return { branch, source, ref: refOf(git, branch, source) };
  }
  throw new ConfigurationError(
    "no branch to begin from: use --origin, the issue's field 'base_branch', the project's field 'Target Branch' or 'originBranch' in agent.json",
  );
}

function refOf(git: Pick<Git, "ask">, branch: string, source: OriginBranch["source"]): string {
  const found = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`].find(
    (ref) => git.ask(["check-ref-format", ref]).kind === "ok" && branchExists(git, ref, branch),
  );
  if (found !== undefined) return found;
  const message = `branch '${branch}' to begin from does not exist (named by ${NAMED_BY[source]}): create it, fetch it or name another with --origin`;
  throw new ConfigurationError(message, { branch, source });
}

/** git prints nothing about a branch that does not exist; any message is about the repository. */
function branchExists(git: Pick<Git, "ask">, ref: string, branch: string): boolean {
  const answer = git.ask(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (answer.kind === "ok") return true;
  if (answer.kind === "refused" && answer.stderr === "") return false;
  const [reason] = (answer.kind === "failed" ? answer.reason : answer.stderr).split("\n");
  throw new ConfigurationError(`branch '${branch}' to begin from can't be looked up: git says '${reason}'`, { branch });
}

const NAMED_BY: Readonly<Record<OriginBranch["source"], string>> = {
  explicit: "--origin",
  issue_field: "the issue's field 'base_branch'",
  project_field: "the project's field 'Target Branch'",
  config: "'originBranch' in agent.json",
};

/** Each field is read only if nothing before it names a branch. */
export interface IssueFieldsSource {
  /**
   * The issue's `base_branch`; undefined if it has none.
   *
   * @error ExecutionError if it can't be read
   */
  baseBranch(): string | undefined;
  /** The same for the `Target Branch` of the projects that the issue is in. */
  targetBranch(): string | undefined;
}

/** Where there is nothing to ask. */
export const NO_FIELDS: IssueFieldsSource = { baseBranch: () => undefined, targetBranch: () => undefined };

const MAX_BYTES = 64 * 1024;

/**
 * The fields in a file, for machines without `gh`: `{ "issue": { "base_branch": "develop" }, "project": { "Target
 * Branch": "release/2" } }`.
 *
 * @error ExecutionError
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

/** The user named the file, so a link is followed. */
function textOf(path: string, named: string): string {
  const real = realPathOf(path);
  if (real === undefined) throw unusable(named, "there is no such file");
  const read = readText(real, MAX_BYTES);
  if (read.kind === "text") return read.text;
  throw unusable(named, read.kind === "too-large" ? `it is larger than ${MAX_BYTES} bytes` : "it can't be read");
}

function unusable(path: string, why: string): ExecutionError {
  const message = `fields file '${path}' can't be used: ${why}`;
  return new ExecutionError(message, { path });
}

const LIMITS = { timeoutMs: 30_000, maxOutputBytes: 4 * 1024 * 1024 };

/** Text fields and single choices of every project that contains the issue. */
const PROJECT_FIELDS = `query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) { projectItems(first: 20) { nodes {
    fieldValueByName(name: "Target Branch") {
      ... on ProjectV2ItemFieldTextValue { text }
      ... on ProjectV2ItemFieldSingleSelectValue { name }
    }
  } } } }
}`;

/**
 * The fields on GitHub, read with the user's own `gh`; none if it is not installed, or the clone has no remote.
 *
 * @effect calls `gh` for each field
 * @error  ExecutionError if `gh` can't read a field: a wrong branch would be worse
 */
export function fieldsFromGh(world: World, git: Git, issue: number): IssueFieldsSource {
  const program = findProgram(world, "gh", git.top);
  if (program === undefined || !hasRemote(git)) return NO_FIELDS;
  const ask = (args: readonly string[]): JsonObject => {
    // It starts git, which must ignore the clone's own config, as ours does.
    const env = { ...git.environment, GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", NO_COLOR: "1" };
    const answer = callProgram(world, { program, args, cwd: git.top, env, ...LIMITS });
    if (answer.kind === "failed") throw unanswered(issue, answer.reason);
    if (answer.exitCode !== 0) throw unanswered(issue, answer.stderr.trim().split("\n")[0] ?? "");
    const data = parseObject(answer.stdout);
    if (data === undefined) throw unanswered(issue, "its output is not JSON");
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

/** An issue may be in several projects, as long as they name the same branch. */
function oneTarget(issue: number, answer: JsonObject): string | undefined {
  const found = asObject(valueAt(answer, "data", "repository", "issue"));
  if (found === undefined) throw unanswered(issue, "there is no such issue");
  const values = asArray(valueAt(found, "projectItems", "nodes")).flatMap((item) => {
    const value = valueAt(item, "fieldValueByName");
    return (asString(valueAt(value, "text")) ?? asString(valueAt(value, "name")) ?? "").trim() || [];
  });
  const [first, second] = new Set(values);
  if (second === undefined) return first;
  const message = `issue ${issue} has more than one branch to begin from: its projects name '${first}' and '${second}'; use --origin`;
  throw new ExecutionError(message, { issue, branches: [...new Set(values)] });
}

function unanswered(issue: number, why: string): ExecutionError {
  const message = `the fields of issue ${issue} can't be read: 'gh': ${why}; use --origin or --fields`;
  return new ExecutionError(message, { issue });
}

/**
 * The field `base_branch` in the text of an issue: under a heading of that name, as issue forms write it, or after the
 * name and a colon. Undefined if it is missing or empty.
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

function headingIn(line: string): string | undefined {
  const mark = /^#{1,6}(?=\s)/.exec(line)?.[0];
  return mark === undefined ? undefined : withoutEnd(line.slice(mark.length), "#").trim();
}

function isBaseBranch(name: string): boolean {
  return name.replaceAll(/[*`]/g, "").trim().toLowerCase().replaceAll(/[\s-]/g, "_") === "base_branch";
}

/** Without Markdown marks, and without the placeholder that a form writes for an empty field. */
function cleaned(value: string): string | undefined {
  const text = value
    .replace(/^[*\s]+/, "")
    .replaceAll("`", "")
    .trim();
  return text === "" || text === "_No response_" ? undefined : text;
}
