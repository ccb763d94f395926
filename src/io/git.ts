import { spawnSync } from "node:child_process";
import { isInside } from "../core/paths.ts";
import type { World } from "../world.ts";
import { disk } from "./disk.ts";
import { repositoryOf } from "./check/ignore-files.ts";
import { allOnPath } from "./own-program.ts";

export type GitAnswer =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: string };

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Whatever a repository's own config says: nothing of it is run. */
const SAFELY = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "protocol.allow=never"];

export interface Git {
  /** The top of its working tree, canonical. */
  readonly top: string;
  ask(...args: readonly string[]): GitAnswer;
}

/**
 * Git, for the repository of a directory: one that is not in it, and that runs none of what the repository asks for.
 * Filters are switched off by name, because comparing a file that was touched would run them.
 *
 * @effect processes
 * @error  none: what git says against it is the reason
 */
export function openGit(world: World, directory: string): Git | { readonly kind: "refused"; readonly reason: string } {
  const program = programOutside(world, repositoryOf(directory) ?? directory);
  if (program === undefined) return { kind: "refused", reason: "there is no 'git' on PATH" };
  const call = (switches: readonly string[], args: readonly string[]) =>
    callGit(world, program, directory, [...[...SAFELY, ...switches].flatMap((value) => ["-c", value]), ...args]);
  const top = call([], ["rev-parse", "--show-toplevel"]);
  if (top.kind === "refused") return top;
  const filters = call([], ["config", "--name-only", "--null", "--get-regexp", String.raw`^filter\.`]);
  const names = filters.kind === "answer" ? filters.text.split("\0").filter((name) => name !== "") : [];
  const odd = names.find((name) => name.includes("="));
  if (odd !== undefined) return { kind: "refused", reason: `'${odd}' in its config can't be switched off` };
  const switches = names.map((name) => `${name}=${name.endsWith(".required") ? "false" : ""}`);
  return { top: disk.realPath(top.text.replace(/\n$/, "")), ask: (...args) => call(switches, args) };
}

/** A clone can hold a program of that name, and a PATH can lead into a clone. */
function programOutside(world: World, repository: string): string | undefined {
  return allOnPath(world, "git").find((path) =>
    [path, disk.realPath(path)].every((place) => !isInside(repository, place)),
  );
}

function callGit(world: World, program: string, cwd: string, args: readonly string[]): GitAnswer {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: {
      ...Object.fromEntries(Object.entries(world.env).filter(([name]) => !name.startsWith("GIT_"))),
      // Neither the index is written, nor what is missing fetched by a program that the repository names.
      GIT_OPTIONAL_LOCKS: "0",
      GIT_NO_LAZY_FETCH: "1",
      GIT_TERMINAL_PROMPT: "0",
      LC_ALL: "C",
    },
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  if (error !== undefined) return { kind: "refused", reason: error.message };
  if (status === 0) return { kind: "answer", text: stdout };
  const said = stderr.trim().split("\n")[0] ?? "";
  return { kind: "refused", reason: said === "" ? `git ended with ${status}` : said };
}
