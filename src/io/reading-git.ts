import type { World } from "../world.ts";
import { disk } from "./disk.ts";
import { findGit, type GitAnswer } from "./git.ts";

/** Git that only looks: nothing that the repository asks for is run, fetched or written. */
export interface ReadingGit {
  /** The top of its working tree, canonical. */
  readonly top: string;
  ask(...args: readonly string[]): ReadAnswer;
}

export type ReadAnswer =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: string };

/** Beside what the program's git never does anyway. */
const SAFELY = ["core.pager=cat", "protocol.allow=never"];
/** What is missing is not fetched by a program that the repository names. */
const ENVIRONMENT = { GIT_NO_LAZY_FETCH: "1" };

/**
 * Git for the repository of a directory. Filters are switched off by name, because comparing a file that was touched
 * would run them.
 *
 * @effect processes
 * @error  none: what git says against it is the reason
 */
export function openReadingGit(world: World, directory: string): ReadingGit | Extract<ReadAnswer, { kind: "refused" }> {
  const git = findGit(world, directory);
  if (git === undefined) return { kind: "refused", reason: "there is no 'git' on PATH" };
  const call = (switches: readonly string[], args: readonly string[]) =>
    asRead(git.ask([...[...SAFELY, ...switches].flatMap((value) => ["-c", value]), ...args], { env: ENVIRONMENT }));
  const top = call([], ["rev-parse", "--show-toplevel"]);
  if (top.kind === "refused") return top;
  const filters = call([], ["config", "--name-only", "--null", "--get-regexp", String.raw`^filter\.`]);
  const names = filters.kind === "answer" ? filters.text.split("\0").filter((name) => name !== "") : [];
  const odd = names.find((name) => name.includes("="));
  if (odd !== undefined) return { kind: "refused", reason: `'${odd}' in its config can't be switched off` };
  const switches = names.map((name) => `${name}=${name.endsWith(".required") ? "false" : ""}`);
  return { top: disk.realPath(top.text.replace(/\n$/, "")), ask: (...args) => call(switches, args) };
}

function asRead(answer: GitAnswer): ReadAnswer {
  switch (answer.kind) {
    case "ok":
      return { kind: "answer", text: answer.stdout };
    case "refused":
      return { kind: "refused", reason: answer.stderr.split("\n")[0] || `git ended with ${answer.exitCode}` };
    case "failed":
      return { kind: "refused", reason: answer.reason };
  }
}
