import { callProgram } from "../../lib/call-program.ts";
import { findProgram } from "../../lib/find-program.ts";
import type { Git } from "../../lib/git.ts";
import type { World } from "../../world.ts";
import { ExecutionError } from "../errors.ts";
import { NO_FIELDS, type IssueFieldsSource } from "./issue-fields.ts";
import { baseBranchIn } from "./issue-body.ts";
import { asArray, asObject, asString, parseEvent, type JsonEvent } from "../engines/json-event.ts";

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
