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
