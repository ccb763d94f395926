import { textFlag, usage } from "../cli/args.ts";
import type { ClientReach, TreeFacts } from "../clients/client.ts";
import { unknownClient } from "../clients/choose.ts";
import { loadProfiles, PROFILE_NAMES } from "../clients/registry.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import type { Invocation, Outcome } from "../command.ts";
import { jsonLine } from "../lib/escape.ts";
import { isInside } from "../lib/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { startDirectory } from "./explain.ts";

/**
 * @input  name: a client's
 * @output what its model would read by itself of the instruction files here, byte for byte; with `--json` an object that
 *         also says what became of each file
 * @effect none; the ledger is not looked at
 * @error  usage for an unknown client
 */
export async function printNative(
  world: World,
  workspace: Workspace,
  { flags }: Invocation,
  name: string,
): Promise<Outcome> {
  const client = (await loadProfiles()).find((candidate) => candidate.name === name);
  if (client === undefined) return usage(unknownClient(name, PROFILE_NAMES));
  const facts = diskFacts(world);
  const cwd = startDirectory(workspace.cwd, textFlag(flags["cwd"]), facts);
  const reach = client.reach(cwd, { home: world.home, env: world.env }, facts);
  warnOfLinks(world, workspace, client.title, reach, facts);
  const context = client.text(reach, facts);
  world.write(flags["json"] === true ? jsonLine({ client: client.name, ...reach, context }) : context);
  return "ok";
}

/** The client follows links, so the text includes what they lead to; but that may be any file of the user's. */
function warnOfLinks(world: World, { root }: Workspace, title: string, { files }: ClientReach, facts: TreeFacts): void {
  const realRoot = facts.realPath(root.directory) ?? root.directory;
  for (const { path, origin, bytesShown } of files) {
    const what = facts.at(path);
    const isOurs = origin === "project" && isInside(root.directory, path);
    if (bytesShown > 0 && isOurs && what?.kind === "file" && !isInside(realRoot, what.realPath)) {
      world.warn(`'${path}' is a link that leads outside the root, and ${title} follows it`);
    }
  }
}
