import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { ConsoleBlock } from "./console-blocks.ts";
import { copyTree, dir, tempTree } from "./temp-tree.ts";
import { ELISION } from "./expected-lines.ts";
import { CODELIA, REPOSITORY } from "./run-codelia.ts";
import { playSteps } from "./scenario.ts";
import { parseTranscript } from "./transcript.ts";

export interface ManualPlaces {
  readonly codelia: string;
  readonly repository: string;
  readonly trees: string;
}

const PLACES: ManualPlaces = {
  codelia: CODELIA,
  repository: REPOSITORY,
  trees: join(REPOSITORY, "test/fixtures/trees"),
};
/** The reader's home directory, as manuals show it. */
const HOME = "/home/me";
const DEFAULT_WORK = `${HOME}/project`;
/** Too large to copy: the copy has a directory of links for each, which can be changed without changing the original. */
const LINKED = ["node_modules", "dist"];
const NOT_COPIED: ReadonlySet<string> = new Set([...LINKED, ".git", ".codelia"]);
/** Tests have no network: npm must not download missing packages or look for a newer version of itself. */
const NPM_OFFLINE = { npm_config_offline: "true", npm_config_update_notifier: "false" };

/** Plays a block of a manual as a reader would. Returns what differs from the block. */
export async function playConsoleBlock(block: ConsoleBlock, places: ManualPlaces = PLACES): Promise<readonly string[]> {
  const { lines, line, tree, cwd, work: shown = DEFAULT_WORK, exits = "", varies = [] } = block;
  if (!shown.startsWith(`${HOME}/`)) throw new Error(`line ${line}: 'work' must be below '${HOME}'`);
  using temporary = tempTree({ home: dir });
  const home = temporary.path("home");
  const work = join(home, shown.slice(HOME.length));
  mkdirSync(work, { recursive: true });
  if (cwd === "repo") copyRepository(places.repository, work);
  if (tree !== undefined) copyTree(join(places.trees, tree), work);
  const codes = exits.split(" ").map(Number);
  const steps = parseTranscript(lines, line).map((step, index) => ({
    line: step.line,
    prompt: step.prompt,
    body: step.body,
    command: step.command.replaceAll(HOME, "{WORK}"),
    stdout: step.stdout.map((text) => generalized(text, varies)),
    stderr: step.stderr,
    exitCode: codes[index] ?? 0,
  }));
  const { mismatches } = await playSteps(steps, {
    work: home,
    cwd: work,
    home,
    codelia: places.codelia,
    env: cwd === "repo" ? NPM_OFFLINE : {},
    isTerminal: true,
  });
  return mismatches.map((text) => text.replaceAll("{WORK}", HOME));
}

/** The line with placeholders for what differs from run to run. */
function generalized(line: string, varies: readonly string[]): string {
  if (line === ELISION) return line;
  return varies
    .reduce((text, example) => text.replaceAll(example, "{any}"), line)
    .replaceAll(ELISION, "{any}")
    .replaceAll(/\b1\d{12}\b/g, "{mtime}")
    .replaceAll(HOME, "{WORK}");
}

/** A copy, because a session would leave a ledger in the developer's checkout or find one there. */
function copyRepository(repository: string, work: string): void {
  copyTree(repository, work, NOT_COPIED);
  mkdirSync(join(work, ".git"));
  for (const name of LINKED.filter((entry) => existsSync(join(repository, entry)))) {
    mkdirSync(join(work, name));
    for (const entry of readdirSync(join(repository, name)).filter((file) => file !== ".locks")) {
      symlinkSync(join(repository, name, entry), join(work, name, entry));
    }
  }
}
