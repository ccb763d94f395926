import { join } from "node:path";
import { shortHash } from "../lib/hash.ts";
import { lstatOf, namesIn } from "../lib/path-facts.ts";
import { readText } from "../lib/read-file.ts";
import { isTable } from "../lib/table.ts";
import { removeQuietly, writeWhole } from "../lib/write-file.ts";
import type { Skill } from "../skills/skill.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { DEFAULT_SESSION, findContext } from "./contexts.ts";
import { viewSession } from "./read.ts";

/**
 * The messages with which contexts began, kept so that each can be printed again byte for byte. They are in the user's
 * state directory, where no clone can put one.
 */

const MAX_KEPT = 100;
/** As long as an idle session is remembered. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_BYTES = 32 * 1024 * 1024;

/** What `init-context` answered; the text is the message. */
export interface Beginning {
  readonly context: string;
  readonly skills: readonly Skill[];
  readonly [field: string]: unknown;
}

export type Recalled =
  | { readonly kind: "kept"; readonly answer: Beginning }
  /** The context has begun, but its first message was not kept. */
  | { readonly kind: "lost" }
  | { readonly kind: "not-begun" };

/** @input parts: what the message was made of */
export function recallBeginning(world: World, workspace: Workspace, parts: readonly string[]): Recalled {
  const { key, root, userDirectories } = workspace;
  const { session } = viewSession(root.directory, key.session, userDirectories, world.home);
  const { epoch } = findContext(session, key.context);
  if (session === undefined || !Object.hasOwn(session.contexts, key.context) || epoch === 0)
    return { kind: "not-begun" };
  const owner = ownerOf(workspace, parts);
  const read = readText(fileOf(workspace, owner), MAX_BYTES);
  const kept = read.kind === "text" ? parse(read.text) : undefined;
  const isOfThis =
    kept?.owner === owner &&
    // Another session of this name began later, or the context was reset since.
    session.startedAt <= kept.begunAt &&
    (session.forgotten?.[key.context] ?? 0) <= kept.epoch &&
    world.now() - kept.begunAt < KEPT_MS;
  return isOfThis ? { kind: "kept", answer: kept.answer } : { kind: "lost" };
}

/** @effect a file in the user's state directory; the oldest ones are removed */
export function keepBeginning(
  world: World,
  workspace: Workspace,
  parts: readonly string[],
  kept: { readonly epoch: number; readonly answer: Beginning },
): void {
  const owner = ownerOf(workspace, parts);
  const path = fileOf(workspace, owner);
  const text = JSON.stringify({ owner, begunAt: world.now(), ...kept });
  // As with the tree: a file that replaces another may be written to the disk at once.
  removeQuietly(path);
  const written = writeWhole(world, path, text, { directoryMode: 0o700, fileMode: 0o600 });
  if (written.kind === "failed") world.trace("beginning-not-kept", { path, errno: written.errno });
  else removeOldest(directoryOf(workspace));
}

/** The default session is a different one in each root. */
function ownerOf({ key, root }: Workspace, parts: readonly string[]): string {
  const place = key.session === DEFAULT_SESSION ? root.directory : "";
  return JSON.stringify([place, key.session, key.context, ...parts.toSorted()]);
}

function directoryOf({ userDirectories }: Workspace): string {
  return join(userDirectories.state, "beginnings");
}

function fileOf(workspace: Workspace, owner: string): string {
  return join(directoryOf(workspace), `${shortHash(owner)}.json`);
}

interface Kept {
  readonly owner: string;
  readonly begunAt: number;
  readonly epoch: number;
  readonly answer: Beginning;
}

function parse(text: string): Kept | undefined {
  try {
    const data: unknown = JSON.parse(text);
    const isKept = isTable(data) && isTable(data["answer"]) && typeof data["answer"]["context"] === "string";
    return isKept ? (data as unknown as Kept) : undefined;
  } catch {
    return undefined;
  }
}

function removeOldest(directory: string): void {
  const names = namesIn(directory);
  if (names.length <= MAX_KEPT) return;
  const files = names.map((name) => ({
    path: join(directory, name),
    mtimeMs: lstatOf(join(directory, name))?.mtimeMs,
  }));
  const oldestFirst = files.toSorted((left, right) => (left.mtimeMs ?? 0) - (right.mtimeMs ?? 0));
  for (const { path } of oldestFirst.slice(0, names.length - MAX_KEPT)) removeQuietly(path);
}
