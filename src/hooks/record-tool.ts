import type { Client } from "../clients/client.ts";
import { gatherInstructions, instructionFacts, targetsOf } from "../instructions/gather.ts";
import { asTold, isKnown, isNamedOnly, isTold } from "../instructions/pending.ts";
import { findContext, type ToldFile } from "../ledger/contexts.ts";
import { tellOnce, type Decide } from "../ledger/tell.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { touchedPaths, type ToolUse } from "./tool-paths.ts";

/**
 * Records which instruction files the model has seen through a tool, or has written with it.
 *
 * @effect the ledger
 */
export async function recordTool(world: World, workspace: Workspace, client: Client, use: ToolUse): Promise<void> {
  const touched = await touchedPaths(world, workspace, use);
  if (touched.length === 0) return;
  const paths = touched.map(({ path }) => path);
  const { files } = await gatherInstructions(world, workspace, targetsOf(workspace, paths));
  const facts = instructionFacts(world);
  let seen: ReadonlySet<string> | undefined;
  let written: ReadonlySet<string> = new Set();
  const decide: Decide = (session) => {
    const context = findContext(session, workspace.key.context);
    const told: ToldFile[] = [];
    for (const file of files) {
      const isNewVersion = !isTold(context, file.path, file.version);
      // Until we have looked closer, any of them may have been seen.
      const isSeen = seen === undefined || seen.has(file.path);
      if (isSeen && (isNewVersion || isNamedOnly(context, file.path))) told.push(asTold(file, facts));
      // The model wrote a part of a file that it knows: it knows the new version no less.
      else if (isNewVersion && written.has(file.path) && isKnown(context, file.path)) {
        told.push(asTold(file, facts, true));
      }
    }
    return told.length === 0 ? undefined : { text: "", change: { kind: "cover", told, gone: [] } };
  };
  await tellOnce(world, workspace, decide, async () => {
    const { filesSeen, filesWritten } = await import("./shown.ts");
    seen = await filesSeen(world, workspace, client, use, touched, files);
    written = filesWritten(touched, files);
  });
}
