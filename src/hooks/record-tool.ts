import type { Client, ClientEvent } from "../clients/client.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import { gatherInstructions, instructionFacts, targetsOf } from "../instructions/gather.ts";
import { asTold, isKnown, isNamedOnly, isTold } from "../instructions/pending.ts";
import { findContext, type ToldFile } from "../ledger/contexts.ts";
import type { Knowing } from "../ledger/schema.ts";
import { LOOK_CLOSER } from "../instructions/tell.ts";
import { tellOnce, type Decide } from "../ledger/tell.ts";
import type { TouchedPath } from "../touched/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { FilesSeen } from "./shown.ts";
import { ownLook, touchedPaths, type ToolUse } from "./tool-paths.ts";

/**
 * Records which instruction files the model has seen or written through a tool.
 *
 * @effect the ledger
 */
export async function recordTool(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  use: ToolUse,
): Promise<void> {
  const touched = await touchedPaths(world, workspace, use);
  const known = await recordSeen(world, workspace, client, touched, async (files) => {
    const { filesSeen, filesWritten } = await import("./shown.ts");
    const seen = await filesSeen(world, workspace, client, event, use, touched, files);
    return { seen, written: filesWritten(touched, files) };
  });
  if (!mayBeEvidence(client, use, touched)) return;
  const { noteTool } = await import("./tool-evidence.ts");
  noteTool(world, workspace, client, use, touched, known);
}

/** Few calls load a skill or read an instruction file. */
function mayBeEvidence({ skillTool }: Client, { tool, input }: ToolUse, touched: readonly TouchedPath[]): boolean {
  for (const { path, access } of touched) if (access === "read" && path.endsWith(".md")) return true;
  return skillTool?.nameIn(tool, input) !== undefined;
}

/** What the model knows of files: it has seen them whole, or written a part. */
interface Known {
  readonly seen: FilesSeen;
  readonly written: ReadonlySet<string>;
}

/**
 * Records what the model knows of the instruction files for some paths.
 *
 * @input  look: called if the context may not know one of them yet
 * @output the files, if nothing about them was new
 * @effect the ledger
 */
export async function recordSeen(
  world: World,
  workspace: Workspace,
  client: Client,
  touched: readonly TouchedPath[],
  look: (files: readonly InstructionFile[]) => Promise<Known>,
): Promise<readonly InstructionFile[]> {
  if (touched.length === 0) return [];
  const paths = touched.map(({ path }) => path);
  const { files: found, targets = [] } = await gatherInstructions(world, workspace, targetsOf(workspace, paths));
  const facts = instructionFacts(world);
  const own = ownLook(world, workspace, client, paths);
  let files = found;
  let known: Known | undefined;
  const decide: Decide = (session) => {
    const context = findContext(session, workspace.key.context);
    if (known === undefined && own?.isDue(targets, session, context) === true) return LOOK_CLOSER;
    const told: ToldFile[] = [];
    for (const file of files) {
      const isNewVersion = !isTold(context, file.path, file.version);
      // Until the files have been compared, assume that each may have been seen.
      const isSeen = known === undefined || known.seen.has(file.path);
      const isOnlyNamed = howSeen(file) === "named";
      if (isSeen && (isNewVersion || (isNamedOnly(context, file.path) && !isOnlyNamed)))
        told.push(asTold(file, facts, isOnlyNamed, howSeen(file)));
      // The model wrote part of a file that it knows, so it knows the new version as well.
      else if (isNewVersion && known?.written.has(file.path) === true && isKnown(context, file.path)) {
        told.push(asTold(file, facts, true, "written"));
      }
    }
    return told.length === 0 ? undefined : { text: "", change: { kind: "cover", told, gone: [], covered: [] } };
  };
  await tellOnce(world, workspace, decide, async (session) => {
    const context = findContext(session, workspace.key.context);
    if (own?.isDue(targets, session, context) === true) {
      files = [...found, ...(await own.look(found, session, context)).files];
    }
    known = await look(files);
  });
  return known === undefined ? files : [];

  function howSeen({ path }: InstructionFile): Knowing {
    return accessTo(path) === "write" ? "written" : (known?.seen.get(path) ?? "read");
  }

  function accessTo(path: string): TouchedPath["access"] | undefined {
    return touched.find((each) => each.path === path)?.access;
  }
}
