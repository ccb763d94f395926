import { notFound, textFlag } from "../cli/args.ts";
import type { ClientReach, TreeFacts } from "../clients/client.ts";
import { unknownClient } from "../clients/choose.ts";
import { clientNamed, loadProfiles, profileNames } from "../clients/registry.ts";
import { onePerPath } from "../clients/reached.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import type { Invocation, Outcome } from "../command.ts";
import { jsonLine } from "../lib/escape.ts";
import { isInside } from "../lib/paths.ts";
import { counted } from "../lib/words.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { startDirectory } from "./explain.ts";

/**
 * @input  name: a client's
 * @output what its model would read by itself of the instruction files here, byte for byte; with `--json` an object
 *          that also says what became of each file
 * @effect none; does not read the ledger
 * @error  not_found for an unknown client
 */
export async function printNative(
  world: World,
  workspace: Workspace,
  { flags }: Invocation,
  name: string,
): Promise<Outcome> {
  const client = (await loadProfiles()).find((candidate) => candidate.name === clientNamed(name));
  if (client === undefined) return notFound(unknownClient(name, profileNames()));
  const facts = diskFacts(world);
  const cwd = startDirectory(workspace.cwd, textFlag(flags["cwd"]), facts);
  const reach = client.reach(cwd, { home: world.home, env: world.env }, facts);
  warnOfLinks(world, workspace, client.title, reach, facts);
  warnOfCuts(world, client.title, reach);
  const context = client.text(reach, facts);
  world.write(
    flags["json"] === true
      ? jsonLine({ client: client.name, ...reach, files: onePerPath(reach.files), context })
      : context,
  );
  return "ok";
}

/** Warns of what the client's budget keeps from its model, because the client itself doesn't. */
function warnOfCuts(world: World, title: string, { files }: ClientReach): void {
  for (const { path, status, bytesShown, bytesTotal } of files) {
    if (status === "cut")
      world.warn(`${title} reads only ${bytesShown} of ${counted(bytesTotal, "byte")} of '${path}'`);
    if (status === "left-out") world.warn(`${title} reads nothing of '${path}': its budget is used up before it`);
  }
}

/** The client follows links, so the text includes their targets, which may be any of the user's files. */
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
