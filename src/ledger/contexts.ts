import type { FileVersion } from "../lib/fs.ts";
import type { Workspace } from "../workspace.ts";
import { mergeDeliveries } from "./delivery.ts";
import type { Context, Delivery, Knowing, Ledger, LoadedSkill, LoadedVersion, Session } from "./schema.ts";

/**
 * The content of a ledger: the contexts of sessions. How a call's context is named, found, and merged with another copy
 * of itself. Changes to a context are in `changes.ts`.
 */

/** One model context of one session. */
export interface ContextKey {
  readonly session: string;
  readonly context: string;
}

/** The surroundings of a session; it is told when they change. */
export interface Surroundings {
  readonly cwd: string;
  readonly root: string;
  readonly markers: readonly string[];
}

/** A file that was told, with the directory it covers. */
export interface ToldFile {
  readonly path: string;
  readonly directory: string;
  readonly version: FileVersion;
  /** Of its text. Without it, any change to the file counts as a change to its text. */
  readonly digest?: number | undefined;
  /** Only its path was told. */
  readonly isNamed?: boolean;
  /** Only its client looks for it. */
  readonly isOwn?: boolean;
  /** How the context came to know it, for the evidence; undefined if it did not now. */
  readonly how?: Knowing | undefined;
  /** The calls that were blocked because of it. */
  readonly held?: LoadedVersion["held"];
}

/** A session that a client names in the environment of the commands it runs. */
export interface ClientSession {
  readonly session: string;
  /** The context that such a command may answer for. */
  readonly context: string;
}

export const DEFAULT_SESSION = "default";

export const MAIN_CONTEXT = "main";

/** The context of a command whose client doesn't say which of its agents runs it. */
export const SHELL_CONTEXT = "shell";

const EMPTY_CONTEXT: Context = { epoch: 0, coveredDirs: [], loadedVersions: {}, loadedSkills: {} };

/**
 * The context that an answer is for: `--session`, else CODELIA_SESSION_ID, else the session that a client names in the
 * environment. If two clients name sessions there, neither counts.
 */
export function nameContext(given: {
  readonly session: string | undefined;
  readonly agent: string | undefined;
  readonly environment: string | undefined;
  readonly clients: readonly ClientSession[];
}): ContextKey {
  const only = given.clients.length === 1 ? given.clients[0] : undefined;
  const session = given.session || given.environment || only?.session || DEFAULT_SESSION;
  // However the session was named, a shell that can't identify its agent never answers for the main context.
  let shell: ClientSession | undefined;
  for (const client of given.clients) if (client.session === session) shell = client;
  return { session, context: given.agent || (shell?.context ?? MAIN_CONTEXT) };
}

/** What the ledger keeps of a workspace. */
export function surroundingsOf({ cwd, root, settings }: Workspace): Surroundings {
  return { cwd, root: root.directory, markers: settings.agents.root.markers };
}

export function emptyLedger(tree: string): Ledger {
  return { version: 1, tree, n: 0, sessions: {} };
}

export function findSession(ledger: Ledger, session: string): Session | undefined {
  return own(ledger.sessions, session);
}

export function findContext(session: Session | undefined, context: string): Context {
  const known = session && own(session.contexts, context);
  if (known !== undefined) return known;
  const epoch = own(session?.forgotten ?? {}, context);
  return epoch === undefined ? EMPTY_CONTEXT : { ...EMPTY_CONTEXT, epoch };
}

/**
 * The skills that a context has loaded. The main context's include those of its shell, which can't say which agent ran
 * it. This holds for skills only: a shell's instruction files never count as told.
 */
export function knownSkills(session: Session | undefined, context: string): Readonly<Record<string, LoadedSkill>> {
  const { loadedSkills } = findContext(session, context);
  if (context !== MAIN_CONTEXT) return loadedSkills;
  return mergeTables(loadedSkills, findContext(session, SHELL_CONTEXT).loadedSkills, newerSkill);
}

/**
 * Merges two copies of one ledger without losing anything. Commutative, associative and idempotent, so the order of
 * merging does not matter. The higher epoch of a context wins as a whole, and contexts from before they were forgotten
 * are dropped. Within one epoch, covered directories are united, and for each path the entry with the higher counter
 * wins (an mtime can go backwards).
 */
export function mergeLedgers(left: Ledger, right: Ledger): Ledger {
  return {
    version: 1,
    tree: larger(left.tree, right.tree, (tree) => [tree]),
    n: Math.max(left.n, right.n),
    sessions: mergeTables(left.sessions, right.sessions, mergeSessions),
  };
}

export function mergeSessions(left: Session, right: Session): Session {
  const { cwd, root, markers, updatedAt } = larger(left, right, recencyOf);
  const forgotten = mergeTables(left.forgotten ?? {}, right.forgotten ?? {}, Math.max);
  const contexts = mergeTables(left.contexts, right.contexts, mergeContexts);
  const remaining = Object.entries(contexts).filter(([name, { epoch }]) => epoch >= (own(forgotten, name) ?? 0));
  return {
    cwd,
    root,
    markers,
    startedAt: Math.min(left.startedAt, right.startedAt),
    updatedAt,
    contexts: Object.fromEntries(remaining),
    ...(Object.keys(forgotten).length > 0 && { forgotten }),
  };
}

function mergeContexts(left: Context, right: Context): Context {
  if (left.epoch !== right.epoch) return left.epoch > right.epoch ? left : right;
  return {
    epoch: left.epoch,
    coveredDirs: [...new Set([...left.coveredDirs, ...right.coveredDirs])].toSorted(),
    loadedVersions: mergeTables(left.loadedVersions, right.loadedVersions, newerVersion),
    loadedSkills: mergeTables(left.loadedSkills, right.loadedSkills, newerSkill),
    ...optional(mergeDeliveries(left.delivery, right.delivery)),
  };
}

function optional(delivery: Delivery | undefined): Pick<Context, "delivery"> {
  return delivery === undefined ? {} : { delivery };
}

function newerVersion(left: LoadedVersion, right: LoadedVersion): LoadedVersion {
  return larger(
    left,
    right,
    ({ n, mtimeMs, sizeBytes, named, own: isOwn, ctimeMs = -1, digest = -1, directory = "" }) => {
      return [n, mtimeMs, sizeBytes, named ? 0 : 1, isOwn ? 0 : 1, ctimeMs, digest, directory];
    },
  );
}

function newerSkill(left: LoadedSkill, right: LoadedSkill): LoadedSkill {
  return larger(left, right, ({ n, mtimeMs, digest = -1 }) => [n, mtimeMs, digest]);
}

/** Sessions of equal age are ordered by content, so that merging chooses the same one in either order. */
function recencyOf(session: Session): readonly (number | string)[] {
  return [session.updatedAt, session.cwd, session.root, JSON.stringify(session.markers)];
}

function larger<Value>(left: Value, right: Value, rank: (value: Value) => readonly (number | string)[]): Value {
  const [leftRank, rightRank] = [rank(left), rank(right)];
  for (const [index, leftPart] of leftRank.entries()) {
    const rightPart = rightRank[index] as number | string;
    if (leftPart !== rightPart) return leftPart > rightPart ? left : right;
  }
  return left;
}

/** Sorts keys, so that equal ledgers are equal texts. */
function mergeTables<Value>(
  left: Readonly<Record<string, Value>>,
  right: Readonly<Record<string, Value>>,
  merge: (left: Value, right: Value) => Value,
): Record<string, Value> {
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted();
  return Object.fromEntries(
    keys.map((key) => {
      const [mine, theirs] = [own(left, key), own(right, key)];
      return [key, mine === undefined ? (theirs as Value) : theirs === undefined ? mine : merge(mine, theirs)];
    }),
  );
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
