import { dirname } from "node:path";
import type { InstructionFile } from "../core/chain.ts";
import { isTold } from "../core/pending.ts";
import { cover, findContext } from "../core/ledger.ts";
import { pathsOfToolUse } from "../core/paths/payload-paths.ts";
import type { TouchedPath } from "../core/paths/touched.ts";
import type { Host, HostEvent } from "../core/hooks/host.ts";
import { gatherInstructions, targetsOf } from "../io/gather-instructions.ts";
import { tellOnce } from "../io/tell-once.ts";
import { surroundingsOf, type Workspace } from "../io/workspace.ts";
import type { Ledger, Session } from "../schema/ledger.ts";
import type { World } from "../world.ts";
import { nativelyLoaded } from "./native-load.ts";
import { reminderText, tellPaths } from "./tell-paths.ts";

/** What a host's tool is about to do, or has done. */
export interface ToolUse {
  readonly tool: string;
  readonly input: unknown;
}

/**
 * Tells what applies to the paths that a tool is about to touch; not what the tool itself, or the client with it, shows.
 *
 * @effect prints; the ledger
 * @error  none
 */
export async function tellTool(
  world: World,
  workspace: Workspace,
  host: Host,
  event: HostEvent,
  use: ToolUse,
): Promise<void> {
  const { agents } = workspace.settings;
  if (!agents.enabled || !agents.resolver.enabled) return;
  const touched = touchedPaths(world, workspace, use);
  if (touched.length === 0) return;
  const paths = touched.map(({ path }) => path);
  await tellPaths(
    world,
    workspace,
    paths,
    (pending) => {
      const answer = host.tell(event, reminderText(host.element, pending));
      return host.fits(answer) ? { text: answer } : undefined;
    },
    {
      // What is read is known by what it says; what is written by whoever writes it.
      known: shownPaths(use, touched),
      find: (files) => nativelyLoaded(world, workspace, host, files, touchOf(workspace, use, touched)),
    },
  );
}

/**
 * Records which instruction files a tool has shown to the model, or the model has written with it.
 *
 * @effect the ledger
 * @error  none
 */
export async function noteTool(world: World, workspace: Workspace, host: Host, use: ToolUse): Promise<void> {
  const touched = touchedPaths(world, workspace, use);
  if (touched.length === 0) return;
  const shown = shownPaths(use, touched);
  const { files } = gatherInstructions(
    world,
    workspace,
    targetsOf(
      workspace,
      touched.map(({ path }) => path),
    ),
  );
  let native: ReadonlySet<string> | undefined;
  const decide = (session: Session | undefined) => {
    const context = findContext(session, workspace.key.context);
    const told: InstructionFile[] = [];
    for (const file of files) {
      // Until the client was asked about, any of them may be.
      const isSeen = native === undefined || native.has(file.path) || shown.has(file.path);
      if (isSeen && !isTold(context, file.path, file.version)) told.push(file);
    }
    if (told.length === 0) return undefined;
    return {
      text: "",
      record: (ledger: Ledger) =>
        cover(ledger, workspace.key, surroundingsOf(workspace), { told, gone: [] }, world.now()),
    };
  };
  await tellOnce(world, workspace, decide, async () => {
    native = await nativelyLoaded(world, workspace, host, files, touchOf(workspace, use, touched));
  });
}

/** The paths that the tool shows whole. */
function shownPaths({ input }: ToolUse, touched: readonly TouchedPath[]): ReadonlySet<string> {
  const isPart = typeof input === "object" && input !== null && ("limit" in input || "offset" in input);
  const paths = new Set<string>();
  if (!isPart) for (const { path } of touched) paths.add(path);
  return paths;
}

function touchOf({ cwd }: Workspace, { tool }: ToolUse, [first]: readonly TouchedPath[]) {
  return { tool, directory: first === undefined ? cwd : dirname(first.path) };
}

function touchedPaths(world: World, { cwd }: Workspace, { tool, input }: ToolUse): readonly TouchedPath[] {
  return pathsOfToolUse({ tool, input, cwd, home: world.home });
}
