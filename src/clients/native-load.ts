import type { InstructionFile } from "../instructions/chain.ts";
import { isKnown, isTold } from "../instructions/pending.ts";
import { findContext } from "../ledger/contexts.ts";
import { viewSession } from "../ledger/read.ts";
import type { ReachedFile } from "../report/schema.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Client, ClientEvent, Touch, TreeFacts } from "./client.ts";
import { loadNative } from "./registry.ts";
import { carefulFacts } from "./tree-facts.ts";

type CandidateFile = Pick<InstructionFile, "path" | "version" | "identity">;

/** The files that the client has given the model itself: some whole, others cut, to nothing if they were too long. */
export interface NativeStart {
  readonly whole: ReadonlySet<string>;
  /** Path → bytes given. */
  readonly cut: ReadonlyMap<string, number>;
}

const NOTHING: NativeStart = { whole: new Set(), cut: new Map() };

/**
 * The instruction files that the client itself gives a context at its beginning. Only what is certain counts: to tell
 * such a file again would repeat it, to leave out another would lose it.
 *
 * @effect reads what the client reads, and its settings
 */
export async function nativeStart(
  world: World,
  { cwd, root }: Workspace,
  client: Client,
  event: ClientEvent,
  files: readonly CandidateFile[],
): Promise<NativeStart> {
  if (files.length === 0 || event.isBare === true) return NOTHING;
  const loads = await loadNative(client);
  const { facts, isCertain } = carefulFacts(world, root.directory);
  const given = givenOf(loads.reach(cwd, world, facts).files, facts);
  if (!isCertain()) return NOTHING;
  const whole = new Set<string>();
  const cut = new Map<string, number>();
  for (const { path, identity } of files) {
    const bytes = given.get(identity);
    if (bytes === "whole") whole.add(path);
    else if (bytes !== undefined) cut.set(path, bytes);
  }
  return { whole, cut };
}

/**
 * The instruction files that the client itself adds, whole, to a tool's result. A file that the context knows in another
 * version was added before, and a client adds none twice.
 *
 * @effect reads what the client reads, its settings, and the ledger
 */
export async function nativelyLoaded(
  world: World,
  { cwd, root, places, key }: Workspace,
  client: Client,
  files: readonly CandidateFile[],
  touch: Touch | undefined,
): Promise<ReadonlySet<string>> {
  const loaded = new Set<string>();
  if (files.length === 0 || touch === undefined) return loaded;
  const loads = await loadNative(client);
  const { facts, isCertain } = carefulFacts(world, root.directory);
  const given = givenOf(loads.onTouch(cwd, touch, world, facts), facts);
  if (given.size === 0 || !isCertain()) return loaded;
  const { session } = viewSession(root.directory, key.session, places, world.home);
  const context = findContext(session, key.context);
  for (const { path, identity, version } of files) {
    const isOld = isKnown(context, path) && !isTold(context, path, version);
    if (given.get(identity) === "whole" && !isOld) loaded.add(path);
  }
  return loaded;
}

/** By identity, because a file may have several names: a CLAUDE.md may be a link to AGENTS.md, or import it. */
function givenOf(files: readonly ReachedFile[], facts: TreeFacts): ReadonlyMap<string, "whole" | number> {
  const given = new Map<string, "whole" | number>();
  for (const { path, status, bytesShown } of files) {
    const what = facts.at(path);
    if (what?.kind !== "file") continue;
    if (status === "loaded") given.set(what.identity, "whole");
    else if ((status === "cut" || status === "left-out") && !given.has(what.identity)) {
      given.set(what.identity, bytesShown);
    }
  }
  return given;
}
