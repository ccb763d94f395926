import type { World } from "../world.ts";
import { callProgram } from "./call-program.ts";
import { findProgram } from "./find-program.ts";

export type GitAnswer =
  | { readonly kind: "ok"; readonly stdout: string }
  /** It said no; `exitCode` is what some questions are answered with. */
  | { readonly kind: "refused"; readonly exitCode: number; readonly stderr: string }
  | { readonly kind: "failed"; readonly reason: string };

interface GitOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Git {
  /**
   * @input  args: the words after `git`; cwd: where it is asked, the tree itself where it isn't given; env: more of it
   * @output what it wrote, whole
   * @effect that of the words
   * @error  none
   */
  ask(args: readonly string[], options?: GitOptions): GitAnswer;
}

/** What a clone's own configuration could have git run, and what would put a question to a user who isn't there. */
const CAUTIONS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.askPass="];
/** Those by which a hook's git points its children at its own repository: ours is the one of the directory. */
const REPOSITORY_VARIABLES = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_NAMESPACE",
  "GIT_PREFIX",
];
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * The user's git, for one clone: it runs none of the clone's hooks, and is never a program of the clone's.
 *
 * @input  tree: the clone, absolute
 * @output undefined where this machine has no git
 * @effect none
 * @error  none
 */
export function findGit(world: World, tree: string): Git | undefined {
  const program = findProgram(world, "git", tree);
  if (program === undefined) return undefined;
  const env = {
    ...Object.fromEntries(REPOSITORY_VARIABLES.map((name) => [name, undefined])),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
  };
  return {
    ask(args, { cwd = tree, stdin = "", env: more = {} } = {}) {
      const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
      const answer = callProgram(world, {
        program,
        args: [...CAUTIONS, ...args],
        cwd,
        env: { ...env, ...more },
        stdin,
        ...limits,
      });
      if (answer.kind === "failed") return answer;
      const { exitCode, stdout, stderr } = answer;
      return exitCode === 0 ? { kind: "ok", stdout } : { kind: "refused", exitCode, stderr: stderr.trim() };
    },
  };
}
