import { join } from "node:path";
import type { World } from "../world.ts";
import { findRepository, pipeIn, type Repository } from "./git-repository.ts";
import { makeStandIn, type GitSetting } from "./git-stand-in.ts";
import { callProgram } from "./process.ts";
import { findProgram } from "./programs.ts";

export type GitAnswer =
  | { readonly kind: "ok"; readonly stdout: string }
  /** It exited with a code other than 0, which answers some questions. */
  | { readonly kind: "refused"; readonly exitCode: number; readonly stderr: string }
  | { readonly kind: "failed"; readonly reason: string };

export interface GitRefusal {
  readonly kind: "refused";
  readonly reason: string;
}

interface GitOptions {
  /** Its working directory; by default the top of the working tree. */
  readonly cwd?: string;
  readonly stdin?: string;
  readonly timeoutMs?: number;
  /** Another index than the working tree's. */
  readonly index?: string;
}

export interface Git extends Repository {
  /** The clone's own config; most of it is not applied. */
  readonly settings: readonly GitSetting[];
  /** The environment for a program that starts git itself, which then has the same protection. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The directory that git uses instead of the shared one; nothing that git writes may name it. */
  readonly standIn: string;
  /**
   * @input  args: the arguments of `git`
   * @output its complete output
   * @effect that of the command; if git takes too long, it is killed with everything it started
   */
  ask(args: readonly string[], options?: GitOptions): GitAnswer;
  /** Applies settings of the clone that the user trusts. */
  allow(settings: readonly GitSetting[]): void;
  /** Removes the temporary files. Don't call anything afterwards. */
  close(): void;
}

/** Programs that the user's own config could make git start with values from the clone. */
const CAUTIONS = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.askPass=", "core.pager=cat"].flatMap(
  (setting) => ["-c", setting],
);

/** The git variables that the user's environment may set; others could point git elsewhere. */
const KEPT = new Set(["GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"]);

const TIMEOUT_MS = 60_000;

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * The user's git, for one clone. All calls of git go through here. The whole directory is untrusted, including `.git`:
 * of the clone's config, only settings that name no program and no file are applied, and none of its includes. So git
 * runs no filter, driver, hook or helper of the clone, fetches no missing objects, and waits for no pipe. The user's
 * own config for all repositories is applied, filters included.
 *
 * @input  directory: in the clone
 * @output git, to be closed; or why it can't be used
 * @effect a temporary directory; a process
 */
export function openGit(world: World, directory: string): Git | GitRefusal {
  const program = findProgram(world, "git", directory);
  if (program === undefined) return refusal("there is no 'git' on PATH");
  const repository = findRepository(directory);
  if (repository === undefined) return refusal(`'${directory}' is not in a git repository`);
  const { top, gitDirectory, commonDirectory } = repository;
  const pipe = pipeIn(commonDirectory) ?? pipeIn(gitDirectory);
  if (pipe !== undefined) return refusal(`'${pipe}' is a pipe or a device, and git would wait for it; remove it`);
  const shut = closedEnvironment(world);
  const call = (
    words: readonly string[],
    { cwd, stdin = "", timeoutMs = TIMEOUT_MS, env }: GitOptions & { cwd: string; env: Git["environment"] },
  ): GitAnswer => {
    const limits = { timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES };
    const answer = callProgram(world, { program, args: [...CAUTIONS, ...words], cwd, env, stdin, ...limits });
    if (answer.kind === "failed") return { kind: "failed", reason: answer.reason };
    const { exitCode, stdout, stderr } = answer;
    return exitCode === 0 ? { kind: "ok", stdout } : { kind: "refused", exitCode, stderr: stderr.trim() };
  };
  const standIn = makeStandIn(repository, (config, cwd) => {
    // The config is passed as text; there is no repository to find.
    const env = { ...shut, GIT_DIR: join(cwd, "none") };
    const answer = call(["config", "--file", "-", "--no-includes", "--null", "--list"], { cwd, stdin: config, env });
    return answer.kind === "ok" ? answer.stdout : { reason: messageOf(answer) };
  });
  if ("kind" in standIn) return standIn;
  const environment = {
    ...shut,
    GIT_DIR: gitDirectory,
    GIT_COMMON_DIR: standIn.directory,
    GIT_OBJECT_DIRECTORY: join(commonDirectory, "objects"),
    GIT_WORK_TREE: top,
  };
  return {
    ...repository,
    settings: standIn.settings,
    environment,
    standIn: standIn.directory,
    ask(args, { index, ...options } = {}) {
      const env = index === undefined ? environment : { ...environment, GIT_INDEX_FILE: index };
      return call(args, { ...options, cwd: options.cwd ?? top, env });
    },
    allow: standIn.allow,
    close: standIn.remove,
  };
}

/** Why git failed, in git's words, on one line. */
export function messageOf(answer: Exclude<GitAnswer, { kind: "ok" }>): string {
  if (answer.kind === "failed") return answer.reason;
  const lines = answer.stderr.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join("; ") || `git ended with ${answer.exitCode}`;
}

/** The environment without variables that could point git elsewhere, and with all prompts disabled. */
function closedEnvironment({ env }: World): Readonly<Record<string, string | undefined>> {
  const foreign = Object.keys(env).filter((name) => /^GIT_/i.test(name) && !KEPT.has(name));
  return {
    ...Object.fromEntries(foreign.map((name) => [name, undefined])),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // A list of allowed protocols; none has this name.
    GIT_ALLOW_PROTOCOL: "none",
    // Older versions ignore it, but have no remote to fetch from.
    GIT_NO_LAZY_FETCH: "1",
  };
}

function refusal(reason: string): GitRefusal {
  return { kind: "refused", reason };
}

/** Read-only git: not even the user's own filters are run, and nothing is written. */
export interface ReadingGit {
  /** The top of its working tree, canonical. */
  readonly top: string;
  ask(...args: readonly string[]): ReadAnswer;
  close(): void;
}

type ReadAnswer = { readonly kind: "answer"; readonly text: string } | GitRefusal;

/**
 * Git for the repository of a directory. Filters are disabled by name, because comparing a touched file would run them.
 *
 * @input  index: another one than the working tree's
 * @output git, to be closed; or why it can't be used
 * @effect processes
 */
export function openReadingGit(world: World, directory: string, index?: string): ReadingGit | GitRefusal {
  const git = openGit(world, directory);
  if ("kind" in git) return git;
  const call = (args: readonly string[]): ReadAnswer => {
    const answer = git.ask(args, index === undefined ? {} : { index });
    if (answer.kind === "ok") return { kind: "answer", text: answer.stdout };
    return { kind: "refused", reason: messageOf(answer) };
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
