import { dirname } from "node:path";
import {
  findContext,
  findSession,
  MAIN_CONTEXT,
  mergeLedgers,
  mergeSessions,
  SHELL_CONTEXT,
  type ContextKey,
  type Surroundings,
  type ToldFile,
} from "./contexts.ts";
import { isInside } from "../lib/paths.ts";
import { owedTo, settle, withGiven } from "./delivery.ts";
import type { Context, Delivery, Ledger, LoadedSkill, Ranges, Session } from "./schema.ts";

/** What the ledger records when a context is told something, or when something happens to the context. */
export type Change =
  /** `covered`: the directories of which the context knows all now; those of the files, if that is left out. */
  | {
      readonly kind: "cover";
      readonly told: readonly ToldFile[];
      readonly gone: readonly string[];
      readonly covered?: readonly string[];
    }
  /**
   * The context begins anew and knows only what it is told now. `withShell`: its shell's context is reset too.
   * `keepsBeyond`: the context began before, and still knows what was told of other places than those where it
   * began and begins.
   */
  | {
      readonly kind: "begin";
      readonly told: readonly ToldFile[];
      readonly withShell?: boolean;
      readonly keepsBeyond?: string | undefined;
      readonly delivery?: Delivery;
    }
  /**
   * The context gets more of what it is owed since it began. `files`: recorded as told once nothing of them is owed.
   */
  | {
      readonly kind: "deliver";
      readonly given: Readonly<Record<string, Ranges>>;
      readonly files: readonly ToldFile[];
    }
  /** The present becomes the baseline of the next comparison. */
  | {
      readonly kind: "resume";
      readonly told: readonly ToldFile[];
      readonly gone: readonly string[];
      readonly skills: SkillChanges;
    }
  | {
      readonly kind: "load-skill";
      readonly skill: { readonly path: string; readonly mtimeMs: number; readonly digest?: number };
    }
  /** Contexts that have ended. */
  | { readonly kind: "end"; readonly contexts: readonly string[] }
  /** Merges another copy of the session into it. */
  | { readonly kind: "merge"; readonly session: Session };

/** What a resumed session is told about its skills. */
export interface SkillChanges {
  readonly changed: readonly { readonly path: string; readonly mtimeMs: number }[];
  readonly gone: readonly string[];
}

/** The ledger after a change to one context, or to its session. */
export function applyChange(
  ledger: Ledger,
  key: ContextKey,
  surroundings: Surroundings,
  change: Change,
  now: number,
): Ledger {
  const edit = (to: Ledger, context: string, how: (context: Context, n: number) => Context) =>
    editContext(to, { session: key.session, context }, surroundings, now, how);
  const isShellKnown = Object.hasOwn(findSession(ledger, key.session)?.contexts ?? {}, SHELL_CONTEXT);
  const isWithShell = key.context === MAIN_CONTEXT && isShellKnown;
  switch (change.kind) {
    case "cover":
      return edit(ledger, key.context, covering(change));
    case "begin": {
      const { told, delivery, keepsBeyond } = change;
      const again = keepsBeyond === undefined ? nextEpoch : nextEpochBeyond(keepsBeyond);
      const begun = rebase(edit(ledger, key.context, again), key, surroundings);
      const owing = delivery ? edit(begun, key.context, (context) => ({ ...context, delivery })) : begun;
      const covered = edit(owing, key.context, covering({ told, gone: [] }));
      return change.withShell && isWithShell && keepsBeyond === undefined
        ? edit(covered, SHELL_CONTEXT, nextEpoch)
        : covered;
    }
    case "deliver":
      return edit(ledger, key.context, delivering(change));
    case "resume": {
      const learn = learning(change.skills);
      const learnt = edit(ledger, key.context, learn);
      const rebased = rebase(isWithShell ? edit(learnt, SHELL_CONTEXT, learn) : learnt, key, surroundings);
      return edit(rebased, key.context, covering(change));
    }
    case "load-skill": {
      const { path, mtimeMs, digest } = change.skill;
      return edit(ledger, key.context, (context, n) => ({
        ...context,
        loadedSkills: { ...context.loadedSkills, [path]: { mtimeMs, n, ...(digest !== undefined && { digest }) } },
      }));
    }
    case "end": {
      const session = findSession(ledger, key.session);
      if (session === undefined) return ledger;
      return withSession(ledger, key.session, { ...session, contexts: without(session.contexts, change.contexts) });
    }
    case "merge":
      return restore(ledger, key.session, change.session);
  }
}

/** A new beginning must be recorded, or what the context was told before would still count. */
export function isBeginning(change: Change | undefined): boolean {
  return change?.kind === "begin";
}

function editContext(
  ledger: Ledger,
  key: ContextKey,
  surroundings: Surroundings,
  now: number,
  edit: (context: Context, n: number) => Context,
): Ledger {
  const n = ledger.n + 1;
  const session: Session = findSession(ledger, key.session) ?? {
    ...surroundings,
    markers: [...surroundings.markers],
    startedAt: now,
    updatedAt: now,
    contexts: {},
  };
  const contexts = { ...session.contexts, [key.context]: edit(findContext(session, key.context), n) };
  return withSession({ ...ledger, n }, key.session, { ...session, updatedAt: now, contexts });
}

function covering(files: Omit<Extract<Change, { kind: "cover" }>, "kind">) {
  return (context: Context, n: number): Context => {
    const loadedVersions = without(context.loadedVersions, files.gone);
    for (const { path, directory, version, digest, isNamed = false, isOwn = false, held } of files.told) {
      // A path begins with a separator or a drive letter, so it never collides with a property of Object.prototype.
      const before = Object.hasOwn(loadedVersions, path) ? loadedVersions[path] : undefined;
      // A file whose text the context has had, in any version, doesn't block an edit again.
      const isOnlyNamed = isNamed && (before === undefined || before.named === true);
      const { mtimeMs, sizeBytes, ctimeMs } = version;
      loadedVersions[path] = {
        mtimeMs,
        sizeBytes,
        n,
        ...(ctimeMs !== undefined && { ctimeMs }),
        ...(digest !== undefined && { digest }),
        ...(isOnlyNamed && { named: true }),
        ...(isOwn && { own: true }),
        ...(held && { held }),
        ...(directory !== dirname(path) && { directory }),
      };
    }
    // If the context got a file's text in another way, the text is no longer owed.
    const known = [...files.gone, ...files.told.filter(({ isNamed = false }) => !isNamed).map(({ path }) => path)];
    const settled = settle(context, known);
    const directories = files.covered ?? files.told.map(({ directory }) => directory);
    const coveredDirs = new Set([...context.coveredDirs, ...directories]);
    return { ...settled, coveredDirs: [...coveredDirs].toSorted(), loadedVersions };
  };
}

function delivering({ given, files }: Extract<Change, { kind: "deliver" }>) {
  return (context: Context, n: number): Context => {
    const { delivery } = context;
    if (delivery === undefined) return context;
    const next = { ...context, delivery: withGiven(delivery, given) };
    const owed = owedTo(next) ?? {};
    const told = files.filter(({ path }) => Object.hasOwn(given, path) && !Object.hasOwn(owed, path));
    return covering({ told, gone: [] })(next, n);
  };
}

/**
 * Everything is new to the context again. Loaded skills stay by name, with `n` 0, and are loaded in full when asked
 * for.
 */
function nextEpoch(context: Context): Context {
  const loadedSkills = Object.entries(context.loadedSkills).map(([path, skill]) => [path, { ...skill, n: 0 }]);
  return {
    epoch: context.epoch + 1,
    coveredDirs: [],
    loadedVersions: {},
    loadedSkills: Object.fromEntries(loadedSkills),
  };
}

/** What was told at the start before is forgotten, like what is told at this one. What was told of other places stays. */
function nextEpochBeyond(directory: string): (context: Context) => Context {
  return (context) => {
    const { coveredDirs, loadedVersions, loadedSkills, delivery } = context;
    const isBeyond = (place: string) => [directory, delivery?.cwd ?? directory].every((cwd) => !isInside(place, cwd));
    const beyond = Object.entries(loadedVersions).filter(([path, { directory: place = dirname(path) }]) =>
      isBeyond(place),
    );
    return {
      ...nextEpoch(context),
      coveredDirs: coveredDirs.filter(isBeyond),
      loadedVersions: Object.fromEntries(beyond),
      loadedSkills,
    };
  };
}

/** A skill that changed stays known by name, and is loaded in full the next time. */
function learning({ changed, gone }: SkillChanges) {
  const news = changed.map(({ path, mtimeMs }): [string, LoadedSkill] => [path, { mtimeMs, n: 0 }]);
  return (context: Context): Context => ({
    ...context,
    loadedSkills: { ...without(context.loadedSkills, gone), ...Object.fromEntries(news) },
  });
}

/** The surroundings of the main context become the session's. */
function rebase(ledger: Ledger, key: ContextKey, surroundings: Surroundings): Ledger {
  const session = findSession(ledger, key.session);
  if (key.context !== MAIN_CONTEXT || session === undefined) return ledger;
  return withSession(ledger, key.session, { ...session, ...surroundings, markers: [...surroundings.markers] });
}

/** Merges a session back into a ledger, for example from its archive, without losing anything there. */
export function restore(ledger: Ledger, id: string, session: Session): Ledger {
  return mergeLedgers(ledger, { ...ledger, sessions: { [id]: session } });
}

/**
 * Resets contexts of a session. `forgotten` says from which epoch on records count, so that a record from before the
 * reset, written later by another process, restores nothing.
 */
export function forgetContexts(ledger: Ledger, id: string, names: readonly string[]): Ledger {
  const session = findSession(ledger, id);
  if (session === undefined) return ledger;
  const epochs = names.map((name): [string, number] => [name, findContext(session, name).epoch + 1]);
  const forgotten = { ...session.forgotten, ...Object.fromEntries(epochs) };
  return withSession(ledger, id, { ...session, contexts: without(session.contexts, names), forgotten });
}

/** A session idle for this long moves to the archive. */
const ARCHIVE_AFTER_MS = 24 * 60 * 60 * 1000;

export interface Pruned {
  readonly ledger: Ledger;
  readonly idle: readonly (readonly [id: string, session: Session])[];
}

/** Removes the idle sessions, but never `kept`. If the clock went backwards, nothing is archived. */
export function prune(ledger: Ledger, kept: string, now: number): Pruned {
  const isIdle = ([id, session]: [string, Session]) => id !== kept && now - session.updatedAt > ARCHIVE_AFTER_MS;
  const idle = Object.entries(ledger.sessions).filter(isIdle);
  const names = idle.map(([id]) => id);
  return { ledger: { ...ledger, sessions: without(ledger.sessions, names) }, idle };
}

/**
 * The smallest session that, merged with the one before, gives the contexts of the one after and undoes no concurrent
 * change. Undefined if no merge can do that, because something was removed or counts for less than before.
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
  return {
    epoch: after.epoch,
    coveredDirs: after.coveredDirs.filter((directory) => !before.coveredDirs.includes(directory)),
    loadedVersions: changedIn(before.loadedVersions, after.loadedVersions),
    loadedSkills: changedIn(before.loadedSkills, after.loadedSkills),
    ...(after.delivery && !isSame(before.delivery, after.delivery) && { delivery: after.delivery }),
  };
}

function changedIn<Value>(before: Readonly<Record<string, Value>>, after: Readonly<Record<string, Value>>) {
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => !isSame(before[key], value)));
}

/** In the order that merging produces. */
function contextsOf(session: Session): Session["contexts"] {
  return mergeSessions(session, session).contexts;
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function withSession(ledger: Ledger, id: string, session: Session): Ledger {
  return { ...ledger, sessions: { ...ledger.sessions, [id]: session } };
}

function without<Value>(table: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> {
  const gone = new Set(names);
  return Object.fromEntries(Object.entries(table).filter(([name]) => !gone.has(name)));
}
