import type { World } from "../world.ts";
import { openGit, saidBy, type GitRefusal } from "./git.ts";

/** Git that only looks: not even the user's own filters are run, and nothing is written. */
export interface ReadingGit {
  /** The top of its working tree, canonical. */
  readonly top: string;
  ask(...args: readonly string[]): ReadAnswer;
  close(): void;
}

export type ReadAnswer = { readonly kind: "answer"; readonly text: string } | GitRefusal;

/**
 * Git for the repository of a directory. Filters are switched off by name, because comparing a file that was touched
 * would run them.
 *
 * @output git, to be closed; what it says against it is the reason
 * @effect processes
 * @error  none
 */
export function openReadingGit(world: World, directory: string): ReadingGit | GitRefusal {
  const git = openGit(world, directory);
  if ("kind" in git) return git;
  const call = (args: readonly string[]): ReadAnswer => {
    const answer = git.ask(args);
    if (answer.kind === "ok") return { kind: "answer", text: answer.stdout };
    return { kind: "refused", reason: saidBy(answer) };
  };
  const filters = call(["config", "--name-only", "--null", "--get-regexp", String.raw`^filter\.`]);
  const names = filters.kind === "answer" ? filters.text.split("\0").filter((name) => name !== "") : [];
  const odd = names.find((name) => name.includes("="));
  if (odd !== undefined) {
    git.close();
    return { kind: "refused", reason: `'${odd}' in your git config can't be switched off` };
  }
  const switches = names.flatMap((name) => ["-c", `${name}=${name.endsWith(".required") ? "false" : ""}`]);
  return { top: git.top, ask: (...args) => call([...switches, ...args]), close: git.close };
}
