import { expect } from "bun:test";
import { startProgram, type RunResult } from "../../support/run-codelia.ts";
import { tempTree, type TempTree } from "../../support/temp-tree.ts";
import { TEST_TIMEOUT_MS } from "./limits.ts";

/** An empty project in which npm has installed packages from the registry at `url`. */
export async function npmInstall(url: string, ...args: readonly string[]): Promise<TempTree> {
  const project = tempTree({ "package.json": "{}\n" });
  await npmIn(project, url, "install", ...args);
  return project;
}

/** Has npm install in a project from the registry at `url`, with a home and a cache that hold nothing. */
export async function npmIn(
  project: TempTree,
  url: string,
  verb: "install" | "ci",
  ...args: readonly string[]
): Promise<void> {
  using home = tempTree();
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const { exitCode, stdout, stderr } = await npm(project, home, [verb, `--registry=${url}`, ...quiet, ...args]);
  expect({ exitCode, output: exitCode === 0 ? stderr : stdout + stderr }).toEqual({ exitCode: 0, output: "" });
}

/** Whether this npm knows a setting at all. */
export async function npmKnows(setting: string): Promise<boolean> {
  using tree = tempTree();
  const { stdout } = await npm(tree, tree, ["config", "get", setting]);
  return stdout.trim() !== "undefined";
}

function npm(project: TempTree, home: TempTree, args: readonly string[]): Promise<RunResult> {
  return startProgram("npm", args, {
    cwd: project.root,
    env: { PATH: process.env["PATH"] ?? "", HOME: home.root },
    timeoutMs: TEST_TIMEOUT_MS,
  });
}
