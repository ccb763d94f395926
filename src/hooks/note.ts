import type { Client } from "../clients/client.ts";
import { findContext, type ToldFile } from "../ledger/contexts.ts";
import { asTold, isKnown, isNamedOnly, isTold } from "../instructions/pending.ts";
import { gatherInstructions, targetsOf } from "../instructions/gather.ts";
import { instructionFacts } from "../instructions/facts.ts";
import { tellOnce, type Decide } from "../ledger/tell.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { touchedPaths, touchOf, type ToolUse } from "./tool-paths.ts";

/**
 * Records which instruction files a tool has shown to the model, or the model has written with it.
 *
 * @effect the ledger
 * @error  none
 */
export async function noteTool(world: World, workspace: Workspace, client: Client, use: ToolUse): Promise<void> {
  const touched = await touchedPaths(world, workspace, use);
  if (touched.length === 0) return;
  const { files } = await gatherInstructions(
    world,
    workspace,
    targetsOf(
      workspace,
      touched.map(({ path }) => path),
    ),
  );
  const facts = instructionFacts(world);
  let seen: ReadonlySet<string> | undefined;
  let written: ReadonlySet<string> = new Set();
  const decide: Decide = (session) => {
    const context = findContext(session, workspace.key.context);
    const told: ToldFile[] = [];
    for (const file of files) {
      const isNewVersion = !isTold(context, file.path, file.version);
      // Until it was looked into, any of them may be.
      const isSeen = seen === undefined || seen.has(file.path);
      if (isSeen && (isNewVersion || isNamedOnly(context, file.path))) told.push(asTold(file, facts));
      // It knows no less of it than before.
      else if (isNewVersion && written.has(file.path) && isKnown(context, file.path)) {
        told.push(asTold(file, facts, true));
      }
    }
    return told.length === 0 ? undefined : { text: "", change: { kind: "cover", told, gone: [] } };
  };
  await tellOnce(world, workspace, decide, async () => {
    const { nativelyLoaded } = await import("../clients/native-load.ts");
    const { filesShown, filesWritten } = await import("./shown.ts");
    const native = await nativelyLoaded(world, workspace, client, files, touchOf(use, touched));
    seen = new Set([...native, ...filesShown(world, workspace, use, touched, files)]);
    written = filesWritten(touched, files);
  });
}
