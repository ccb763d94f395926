import { basename, dirname } from "node:path";
import { ladder } from "../lib/paths.ts";
import { askedPlace } from "./asked-place.ts";
import { namesIn } from "../lib/names-in.ts";
import { readInstructionTexts } from "./instruction-texts.ts";
import { walkProgress } from "./walk-progress.ts";
import { walkRepository } from "./walk-repository.ts";
import { isDirectory } from "../lib/is-directory.ts";
import { findNamedPath } from "../skills/named-path.ts";
import { ignoredNames } from "../skills/scopes.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { CheckScene } from "./check-scene.ts";
import { NATIVE_CLIENTS } from "../clients/profiles.ts";

const OWN_NAMES = ["AGENTS.override.md", "AGENTS.md"];

/**
 * Walks through what is to be checked, and reads its instruction files with those above them.
 *
 * @input  path: of a file or directory inside the root, absolute
 * @effect reads; says on a terminal how far it has come
 * @error  none
 */
export function openCheckScene(world: World, workspace: Workspace, path: string, isQuiet: boolean): CheckScene {
  const root = findNamedPath(workspace.root.directory, ".") ?? workspace.root.directory;
  const asked = askedPlace(path, root) ?? root;
  const start = isDirectory(asked) ? asked : dirname(asked);
  const { fallbackFilenames, additionalFilenames } = workspace.settings.agents;
  const ownNames = [...new Set([...OWN_NAMES, ...fallbackFilenames, ...additionalFilenames])];
  // A client may look for a name in a directory of its own.
  const ofClients = NATIVE_CLIENTS.flatMap((client) => client.names).map((name) => basename(name));
  const wellKnownNames = [...new Set([...OWN_NAMES, ...ofClients])];
  const names = [...new Set([...ownNames, ...wellKnownNames])];
  const progress = walkProgress(world, isQuiet);
  const onEntries = progress?.add;
  const walked = walkRepository(start, { names, ignored: ignoredNames(workspace), root, onEntries });
  progress?.end();
  const found = new Map<string, readonly string[]>();
  // What stands above has its part in what is read below.
  for (const directory of ladder(root, start).slice(0, -1)) {
    found.set(
      directory,
      namesIn(directory).filter((name) => names.includes(name)),
    );
  }
  for (const [directory, present] of walked.found) {
    found.set(
      directory,
      present.filter((name) => names.includes(name)),
    );
  }
  const instructions = readInstructionTexts(root, found);
  return {
    workspace,
    root,
    asked,
    walked,
    names,
    ownNames,
    wellKnownNames,
    instructions,
  };
}
