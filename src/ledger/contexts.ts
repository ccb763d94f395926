import type { FileVersion } from "../instructions/chain.ts";
import type { Workspace } from "../workspace.ts";
import type { Context, Ledger, LoadedSkill, Session } from "./schema.ts";

/** Which model context of which session. */
export interface ContextKey {
  readonly session: string;
  readonly context: string;
}

/** The surroundings a session is told about again when they change. */
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
  /** Of its text. Without it any change of the file counts as a change of its text. */
  readonly digest?: number | undefined;
  /** Only its path was told. */
  readonly isNamed?: boolean;
}

/** `updatedAt` alone is no reason to write more often than this. */
export const REFRESH_MS = 60 * 60 * 1000;

const EMPTY_CONTEXT: Context = { epoch: 0, coveredDirs: [], loadedVersions: {}, loadedSkills: {} };

export function emptyLedger(tree: string): Ledger {
  return { version: 1, tree, n: 0, sessions: {} };
}

export function findSession(ledger: Ledger, session: string): Session | undefined {
  return Object.hasOwn(ledger.sessions, session) ? ledger.sessions[session] : undefined;
}

export function findContext(session: Session | undefined, context: string): Context {
  if (session === undefined) return EMPTY_CONTEXT;
  const known = Object.hasOwn(session.contexts, context) ? session.contexts[context] : undefined;
  if (known !== undefined) return known;
  const { forgotten } = session;
  if (forgotten === undefined || !Object.hasOwn(forgotten, context)) return EMPTY_CONTEXT;
  return { ...EMPTY_CONTEXT, epoch: forgotten[context] ?? 0 };
}

/**
 * Begins a context anew: a new epoch that knows nothing but what it is told now. The main context's surroundings
 * become the session's.
 */
export function startContext(
  ledger: Ledger,
  key: ContextKey,
  surroundings: Surroundings,
  told: readonly ToldFile[],
  now: number,
): Ledger {
  const begun = startEpoch(ledger, key, surroundings, now);
  const based = key.context === MAIN_CONTEXT ? rebase(begun, key.session, surroundings) : begun;
  return cover(based, key, surroundings, { told, gone: [] }, now);
}

/**
 * The context has forgotten what was injected: everything is new to it again. Loaded skills are kept as
 * references in `loadedSkills` with `n` 0, so that they can be named, and are loaded in full when asked for.
 */
export function startEpoch(ledger: Ledger, key: ContextKey, surroundings: Surroundings, now: number): Ledger {
  return change(ledger, key, surroundings, now, (context) => ({
    epoch: context.epoch + 1,
    coveredDirs: [],
    loadedVersions: {},
    loadedSkills: mapValues(context.loadedSkills, (skill) => ({ ...skill, n: 0 })),
  }));
}

/** Records files as told, and forgets those that have gone. */
export function cover(
  ledger: Ledger,
  key: ContextKey,
  surroundings: Surroundings,
  files: { readonly told: readonly ToldFile[]; readonly gone: readonly string[] },
  now: number,
): Ledger {
  return change(ledger, key, surroundings, now, (context, n) => {
    const coveredDirs = [...context.coveredDirs];
    const loadedVersions = { ...context.loadedVersions };
    for (const path of files.gone) delete loadedVersions[path];
    for (const { path, directory, version, digest, isNamed = false } of files.told) {
      if (!coveredDirs.includes(directory)) coveredDirs.push(directory);
      // A path begins with a separator or a drive: it is never the name of an object's own business.
      const before = Object.hasOwn(loadedVersions, path) ? loadedVersions[path] : undefined;
      // Whose text the context once had, in whatever version, keeps nothing back again.
      const isOnlyNamed = isNamed && (before === undefined || before.named === true);
      const { mtimeMs, sizeBytes, ctimeMs } = version;
      loadedVersions[path] = {
        mtimeMs,
        sizeBytes,
        n,
        ...(ctimeMs !== undefined && { ctimeMs }),
        ...(digest !== undefined && { digest }),
        ...(isOnlyNamed && { named: true }),
      };
    }
    return { ...context, coveredDirs: coveredDirs.toSorted(), loadedVersions };
  });
}

/** Records a skill's text as given to the context. */
export function load(
  ledger: Ledger,
  key: ContextKey,
  surroundings: Surroundings,
  skill: { readonly path: string; readonly mtimeMs: number },
  now: number,
): Ledger {
  return change(ledger, key, surroundings, now, (context, n) => ({
    ...context,
    loadedSkills: { ...context.loadedSkills, [skill.path]: { mtimeMs: skill.mtimeMs, n } },
  }));
}

/** What a resumed session was told about its skills. */
export interface SkillNews {
  readonly changed: readonly { readonly path: string; readonly mtimeMs: number }[];
  readonly gone: readonly string[];
}

/**
 * For the main context the present becomes the baseline of the next comparison. A skill that changed stays known by name, and is
 * given in full when it is asked for again; the main context is told of its shell's skills too.
 */
export function adopt(
  ledger: Ledger,
  key: ContextKey,
  surroundings: Surroundings,
  skills: SkillNews,
  now: number,
): Ledger {
  const learn = (to: Ledger, context: string) =>
    change(to, { session: key.session, context }, surroundings, now, (before) => withNews(before, skills));
  const next = learn(ledger, key.context);
  if (key.context !== MAIN_CONTEXT) return next;
  const isShellKnown = Object.hasOwn(findSession(next, key.session)?.contexts ?? {}, SHELL_CONTEXT);
  return rebase(isShellKnown ? learn(next, SHELL_CONTEXT) : next, key.session, surroundings);
}

function withNews(context: Context, { changed, gone }: SkillNews): Context {
  const isGone = new Set(gone);
  const kept = Object.entries(context.loadedSkills).filter(([path]) => !isGone.has(path));
  const news = changed.map(({ path, mtimeMs }): [string, LoadedSkill] => [path, { mtimeMs, n: 0 }]);
  return { ...context, loadedSkills: Object.fromEntries([...kept, ...news]) };
}

function rebase(ledger: Ledger, id: string, surroundings: Surroundings): Ledger {
  const session = findSession(ledger, id) as Session;
  const based = { ...session, ...surroundings, markers: [...surroundings.markers] };
  return { ...ledger, sessions: { ...ledger.sessions, [id]: based } };
}

function change(
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
  const changed: Session = { ...session, updatedAt: now, contexts };
  return { ...ledger, n, sessions: { ...ledger.sessions, [key.session]: changed } };
}

function mapValues<From, To>(table: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, map(value)]));
}

/** A session that a client names in the environment of the commands it runs. */
export interface ClientSession {
  readonly session: string;
  /** The context such a command can speak for. */
  readonly context: string;
}

/** The context of a command whose client can't say which of its agents runs it. */
export const SHELL_CONTEXT = "shell";

export const MAIN_CONTEXT = "main";

export const DEFAULT_SESSION = "default";

/**
 * Whom an answer is for: `--session`, else CODELIA_SESSION_ID, else the one client that names its session in the
 * environment; two clients there contradict each other, so neither counts.
 */
export function nameContext(given: {
  readonly session: string | undefined;
  readonly agent: string | undefined;
  readonly environment: string | undefined;
  readonly clients: readonly ClientSession[];
}): ContextKey {
  const client = given.clients.length === 1 ? given.clients[0] : undefined;
  const session = given.session || given.environment || client?.session || DEFAULT_SESSION;
  // Whichever way the session was named: a shell that can't name its agent never speaks for the main context.
  let spoken = MAIN_CONTEXT;
  for (const candidate of given.clients) if (candidate.session === session) spoken = candidate.context;
  return { session, context: given.agent || spoken };
}

/** What the ledger keeps of a workspace. */
export function surroundingsOf(workspace: Workspace): Surroundings {
  const { cwd, root, settings } = workspace;
  return { cwd, root: root.directory, markers: settings.agents.root.markers };
}
