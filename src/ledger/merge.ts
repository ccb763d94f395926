import { findContext, findSession, MAIN_CONTEXT, SHELL_CONTEXT } from "./contexts.ts";
import type { Context, Ledger, LoadedSkill, LoadedVersion, Session } from "./schema.ts";

/**
 * Two copies of one ledger as one that has lost nothing. Commutative, associative and idempotent, so the order
 * in which copies meet does not matter: the higher epoch of a context wins whole, and none from before it was forgotten
 * is left; within one epoch covered directories by union, and per path the entry with the higher counter (an mtime can go
 * backwards).
 */
export function mergeLedgers(left: Ledger, right: Ledger): Ledger {
  return {
    version: 1,
    tree: larger(left.tree, right.tree, identity),
    n: Math.max(left.n, right.n),
    sessions: mergeTables(left.sessions, right.sessions, mergeSessions),
  };
}

export function mergeSessions(left: Session, right: Session): Session {
  const { cwd, root, markers, updatedAt } = larger(left, right, recencyOf);
  const forgotten = mergeTables(left.forgotten ?? {}, right.forgotten ?? {}, Math.max);
  const contexts = mergeTables(left.contexts, right.contexts, mergeContexts);
  const isLeft = (name: string, { epoch }: Context) => epoch >= (own(forgotten, name) ?? 0);
  return {
    cwd,
    root,
    markers,
    startedAt: Math.min(left.startedAt, right.startedAt),
    updatedAt,
    contexts: Object.fromEntries(Object.entries(contexts).filter(([name, context]) => isLeft(name, context))),
    ...(Object.keys(forgotten).length > 0 && { forgotten }),
  };
}

function mergeContexts(left: Context, right: Context): Context {
  if (left.epoch !== right.epoch) return left.epoch > right.epoch ? left : right;
  return {
    epoch: left.epoch,
    coveredDirs: [...new Set([...left.coveredDirs, ...right.coveredDirs])].toSorted(),
    loadedVersions: mergeTables(left.loadedVersions, right.loadedVersions, newerVersion),
    loadedSkills: mergeSkills(left.loadedSkills, right.loadedSkills),
  };
}

type LoadedSkills = Readonly<Record<string, LoadedSkill>>;

/** Of each skill what was recorded last. */
export function mergeSkills(left: LoadedSkills, right: LoadedSkills): Record<string, LoadedSkill> {
  return mergeTables(left, right, newerSkill);
}

function newerVersion(left: LoadedVersion, right: LoadedVersion): LoadedVersion {
  return larger(left, right, ({ n, mtimeMs, sizeBytes, named, ctimeMs = -1, digest = -1 }) => {
    return [n, mtimeMs, sizeBytes, named ? 0 : 1, ctimeMs, digest];
  });
}

function newerSkill(left: LoadedSkill, right: LoadedSkill): LoadedSkill {
  return larger(left, right, (skill) => [skill.n, skill.mtimeMs]);
}

/** Sessions equally old are told apart by content, so that both orders choose the same one. */
function recencyOf(session: Session): readonly (number | string)[] {
  return [session.updatedAt, session.cwd, session.root, JSON.stringify(session.markers)];
}

function identity(text: string): readonly string[] {
  return [text];
}

function larger<Value>(left: Value, right: Value, rank: (value: Value) => readonly (number | string)[]): Value {
  const [leftRank, rightRank] = [rank(left), rank(right)];
  for (const [index, leftPart] of leftRank.entries()) {
    const rightPart = rightRank[index] as number | string;
    if (leftPart !== rightPart) return leftPart > rightPart ? left : right;
  }
  return left;
}

/** Keys in sorted order, so that equal ledgers are equal texts. */
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

/**
 * The least that, merged with a session, makes its contexts those of `after`: it undoes nothing that others change
 * meanwhile. Undefined where merging can't do that, because something is gone or counts for less than before.
 */
export function additionsTo(before: Session | undefined, after: Session): Session | undefined {
  if (before === undefined) return after;
  const contexts = Object.entries(after.contexts)
    .filter(([name, context]) => !isSame(findContext(before, name), context))
    .map(([name, context]) => [name, additionsIn(findContext(before, name), context)]);
  const added: Session = { ...after, contexts: Object.fromEntries(contexts) };
  return isSame(contextsOf(mergeSessions(before, added)), contextsOf(after)) ? added : undefined;
}

function additionsIn(before: Context, after: Context): Context {
  if (before.epoch !== after.epoch) return after;
  const covered = new Set(before.coveredDirs);
  return {
    epoch: after.epoch,
    coveredDirs: after.coveredDirs.filter((directory) => !covered.has(directory)),
    loadedVersions: changedIn(before.loadedVersions, after.loadedVersions),
    loadedSkills: changedIn(before.loadedSkills, after.loadedSkills),
  };
}

function changedIn<Value>(before: Readonly<Record<string, Value>>, after: Readonly<Record<string, Value>>) {
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => !isSame(before[key], value)));
}

/** In the order in which merging leaves them. */
function contextsOf(session: Session): Session["contexts"] {
  return mergeSessions(session, session).contexts;
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** A session idle this long leaves the ledger for its archive. */
const ARCHIVE_AFTER_MS = 24 * 60 * 60 * 1000;

/** An archived session this old is forgotten. */
export const FORGET_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

export interface Pruned {
  readonly ledger: Ledger;
  readonly idle: readonly (readonly [id: string, session: Session])[];
}

/** Takes the idle sessions out, `kept` never among them. A clock that went backwards archives nothing. */
export function prune(ledger: Ledger, kept: string, now: number): Pruned {
  const entries = Object.entries(ledger.sessions);
  const idle: typeof entries = [];
  for (const entry of entries) {
    if (entry[0] !== kept && now - entry[1].updatedAt > ARCHIVE_AFTER_MS) idle.push(entry);
  }
  if (idle.length === 0) return { ledger, idle };
  const gone = new Set(idle.map(([id]) => id));
  return { ledger: { ...ledger, sessions: Object.fromEntries(entries.filter(([id]) => !gone.has(id))) }, idle };
}

/** A session's record put into a ledger, from its archive for one, without losing what is there. */
export function restore(ledger: Ledger, id: string, session: Session): Ledger {
  return mergeLedgers(ledger, { ...ledger, sessions: { [id]: session } });
}

/** Drops contexts that are over. */
export function dropContext(ledger: Ledger, session: string, context: string): Ledger {
  const found = findSession(ledger, session);
  if (found === undefined) return ledger;
  return withSession(ledger, session, { ...found, contexts: without(found.contexts, [context]) });
}

/**
 * Makes contexts of a session know nothing. `forgotten` says from which epoch on their records count, so a record from
 * before that another process makes later brings nothing back.
 */
export function forgetContexts(ledger: Ledger, session: string, names: readonly string[]): Ledger {
  const found = findSession(ledger, session);
  if (found === undefined) return ledger;
  const epochs = names.map((name): [string, number] => [name, findContext(found, name).epoch + 1]);
  const forgotten = { ...found.forgotten, ...Object.fromEntries(epochs) };
  return withSession(ledger, session, { ...found, contexts: without(found.contexts, names), forgotten });
}

function withSession(ledger: Ledger, id: string, session: Session): Ledger {
  return { ...ledger, sessions: { ...ledger.sessions, [id]: session } };
}

function without<Value>(table: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> {
  const gone = new Set(names);
  return Object.fromEntries(Object.entries(table).filter(([name]) => !gone.has(name)));
}

/**
 * The skills that a context has loaded; of the main one also those that a shell has, which can't say whose it is. It is
 * skills alone: a shell's instruction files are never taken for told.
 */
export function knownSkills(session: Session | undefined, context: string): Readonly<Record<string, LoadedSkill>> {
  const { loadedSkills } = findContext(session, context);
  return context === MAIN_CONTEXT
    ? mergeSkills(loadedSkills, findContext(session, SHELL_CONTEXT).loadedSkills)
    : loadedSkills;
}
