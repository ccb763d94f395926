import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { ConsoleBlock } from "./console-blocks.ts";
import { copyTree } from "./copy-tree.ts";
import { CODELIA, REPOSITORY } from "./run-codelia.ts";
import { playSteps } from "./scenario.ts";
import { dir, tempTree } from "./temp-tree.ts";
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
/** Too large to copy: directories of links, so that whoever empties or fills one does it to the copy alone. */
const LINKED = ["node_modules", "dist"];
const NOT_COPIED: ReadonlySet<string> = new Set([...LINKED, ".git", ".codelia"]);
/** A test has no network: packages that are missing stay missing, and nobody asks for a newer npm. */
const NPM_OFFLINE = { npm_config_offline: "true", npm_config_update_notifier: "false" };

/** Plays a block of a manual as a reader would; what did not go as written, or nothing. */
export async function playConsoleBlock(block: ConsoleBlock, places: ManualPlaces = PLACES): Promise<readonly string[]> {
  const { lines, line, tree, cwd, work: shown } = block;
  using temporary = tempTree({ home: dir, work: dir });
  const work = temporary.path("work");
  if (cwd === "repo") copyRepository(places.repository, work);
  if (tree !== undefined) copyTree(join(places.trees, tree), work);
  const { mismatches } = await playSteps(
    parseTranscript(
      lines.map((text) => replaced(text, shown, "{WORK}")),
      line,
    ),
    {
      work,
      home: temporary.path("home"),
      codelia: places.codelia,
      env: cwd === "repo" ? NPM_OFFLINE : {},
    },
  );
  return mismatches.map((text) => replaced(text, "{WORK}", shown));
}

/** A copy, so that no session leaves its ledger in the developer's checkout, or finds one there. */
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

function replaced(text: string, from: string | undefined, to: string | undefined): string {
  return from === undefined || to === undefined ? text : text.replaceAll(from, to);
}
