import type { Git } from "../../lib/git.ts";
import { ConfigurationError } from "../errors.ts";
import type { IssueFieldsSource } from "./issue-fields.ts";

export interface OriginBranch {
  readonly branch: string;
  readonly source: "explicit" | "issue_field" | "project_field" | "config";
  /** What the branch is at: one of this clone before one that only its remote has. */
  readonly ref: string;
}

export interface OriginWishes {
  /** Of `--origin`. */
  readonly explicit: string | undefined;
  readonly fields: IssueFieldsSource;
  /** Of the definition's `originBranch`. */
  readonly config: string | undefined;
}

/**
 * The branch that the work begins from: what was said, then the issue's field, then the project's, then the
 * definition's. Nothing is assumed.
 *
 * @effect asks git, and for the fields that are needed
 * @error  ConfigurationError where none of them names a branch, or one names a branch that is not there; ExecutionError
 *         where a field can't be read
 */
export function resolveOrigin(git: Pick<Git, "ask">, { explicit, fields, config }: OriginWishes): OriginBranch {
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
    "no branch to begin from is named: use --origin, the issue's field 'base_branch', the project's field 'Target Branch' or 'originBranch' in agent.json",
  );
}

function refOf(git: Pick<Git, "ask">, branch: string, source: OriginBranch["source"]): string {
  const found = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`].find(
    (ref) => git.ask(["check-ref-format", ref]).kind === "ok" && isThere(git, ref, branch),
  );
  if (found !== undefined) return found;
  const message = `branch '${branch}' to begin from does not exist (named by ${SAID_BY[source]}): make it, fetch it or name another with --origin`;
  throw new ConfigurationError(message, { branch, source });
}

/** Of a branch that is not there git says nothing; what it does say is about all of the repository. */
function isThere(git: Pick<Git, "ask">, ref: string, branch: string): boolean {
  const answer = git.ask(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (answer.kind === "ok") return true;
  if (answer.kind === "refused" && answer.stderr === "") return false;
  const [said] = (answer.kind === "failed" ? answer.reason : answer.stderr).split("\n");
  throw new ConfigurationError(`branch '${branch}' to begin from can't be looked up: git says '${said}'`, { branch });
}

const SAID_BY: Readonly<Record<OriginBranch["source"], string>> = {
  explicit: "--origin",
  issue_field: "the issue's field 'base_branch'",
  project_field: "the project's field 'Target Branch'",
  config: "'originBranch' in agent.json",
};
