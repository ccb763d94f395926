import { dirname } from "node:path";
import type { Context, Knowing } from "../ledger/schema.ts";
import type { FileVersion } from "../lib/fs.ts";
import { isInside } from "../lib/paths.ts";
import type { InstructionFile, PassedOver } from "./chain.ts";
import type { ToldFile } from "../ledger/contexts.ts";

/**
 * What a context must be told about the files that apply to a path. A file is pending if it applies and has not been
 * told.
 */
export interface Pending {
  /** To be told now, in the order of the ladder. */
  readonly tell: readonly InstructionFile[];
  /** Those of them that were told in another version. */
  readonly changed: readonly string[];
  /** How many more files are new. They exceed the limit and stay pending for the next call. */
  readonly remaining: number;
  /** Known to the context, but gone or no longer applicable. */
  readonly gone: readonly string[];
  /** Other names of files that were told in their present version. Recorded, not told. */
  readonly aliases: readonly InstructionFile[];
  /** Only the ctime is new (mode changed, link added), or there is nothing in them to be told of. Recorded, not told. */
  readonly renewed: readonly InstructionFile[];
  /** They apply and can't be read; if it is to be told. */
  readonly unread?: readonly InstructionFile[] | undefined;
}

/** The files that apply, as found on disk. */
export interface Applying {
  /** Root first. */
  readonly files: readonly InstructionFile[];
  readonly passedOver: readonly PassedOver[];
  /** The directories that were looked at. */
  readonly directories: { has(directory: string): boolean };
  /** The directories that were asked about. */
  readonly targets?: readonly string[];
  /** The client's own files that the context knows and that are no more. */
  readonly vanished?: ReadonlySet<string>;
  /** The user's own files, in order of priority; the first that is not blank counts. */
  readonly home: readonly InstructionFile[];
  readonly homeDirectory: string;
}

/** Facts that cost a system call each. They are looked up only for what is new, and don't change within a call. */
export interface LazyFacts {
  /** A file that can't be read counts as blank. */
  isBlank(file: InstructionFile): boolean;
  isUnread(file: InstructionFile): boolean;
  /** A digest of its text; undefined if it can't be read or is too long. */
  digestOf(file: Pick<InstructionFile, "path" | "realPath">): number | undefined;
  /** The identity of a file, if the file is still in this version. */
  identityAt(path: string, version: FileVersion): string | undefined;
}

/** @input tellsUnread: whether the context is to be told of files that can't be read */
export function decidePending(
  applying: Applying,
  context: Context,
  facts: LazyFacts,
  maxFiles: number,
  tellsUnread = false,
): Pending {
  const present = new Set<string>();
  const fresh: InstructionFile[] = [];
  const renewed: InstructionFile[] = [];
  let unread: InstructionFile[] | undefined;
  const gone: string[] = [];
  for (const file of inForce(applying, context, facts)) {
    present.add(file.path);
    if (isTold(context, file.path, file.version)) continue;
    if (file.saysNothing === true || isRenewed(context, file, facts)) renewed.push(file);
    else if (!facts.isBlank(file)) fresh.push(file);
    else if (facts.isUnread(file)) {
      if (tellsUnread && !isToldUnread(context, file)) (unread ??= []).push(file);
    } else if (isKnown(context, file.path)) gone.push(file.path);
  }
  for (const file of applying.files) present.add(file.path);
  for (const passed of applying.passedOver) if (passed.reason === "duplicate") present.add(passed.path);
  for (const path of Object.keys(context.loadedVersions)) {
    const told = context.loadedVersions[path];
    const isLookedFor =
      told?.own === true
        ? applying.vanished?.has(path)
        : isLookedAt(applying, context, told?.directory ?? dirname(path));
    if (!present.has(path) && isLookedFor === true) gone.push(path);
  }
  if (fresh.length === 0) return { tell: [], changed: [], remaining: 0, gone, aliases: [], renewed, unread };
  return { ...splitByLimit(fresh, applying.targets, context, facts, maxFiles), gone, renewed, unread };
}

/** With the home-level file first, which may be on the ladder as well. */
function inForce(applying: Applying, context: Context, facts: LazyFacts): readonly InstructionFile[] {
  const home = applying.home.length === 0 ? undefined : homeFile(applying, context, facts);
  if (home === undefined) return applying.files;
  return [home, ...applying.files.filter((file) => file.identity !== home.identity)];
}

/** Files that are new only by name are not told again. */
function splitByLimit(
  fresh: readonly InstructionFile[],
  targets: Applying["targets"],
  context: Context,
  facts: LazyFacts,
  maxFiles: number,
) {
  const told = toldIdentities(context, facts, new Set(fresh.map((file) => file.path)));
  const aliases: InstructionFile[] = [];
  const news: InstructionFile[] = [];
  for (const file of fresh) (told.has(file.identity) ? aliases : news).push(file);
  // Files are read root first. If not all fit, the nearest are kept.
  const tell = nearest(news, targets, maxFiles);
  const isRead = (path: string) => isKnown(context, path) && context.loadedVersions[path]?.sizeBytes !== UNREAD_SIZE;
  const changed = tell.filter(({ path }) => isRead(path)).map(({ path }) => path);
  return { tell, changed, remaining: news.length - tell.length, aliases };
}

export function isNothing(pending: Pending): boolean {
  const { tell, gone, aliases, renewed, unread } = pending;
  const isOld = tell.length === 0 && gone.length === 0 && aliases.length === 0 && renewed.length === 0;
  return isOld && unread === undefined;
}

/**
 * What the ledger records.
 *
 * @input  named: files that are recorded as known by their path only; bare: files whose text is not told; without it, of
 *         all
 */
export function toldOf(
  pending: Pending,
  facts: LazyFacts,
  { named, bare }: { readonly named?: ReadonlySet<string>; readonly bare?: ReadonlySet<string> } = {},
): { told: readonly ToldFile[]; gone: readonly string[] } {
  const told = pending.tell.map((file) => asTold(file, facts, named?.has(file.path), knowingOf(file, bare)));
  for (const file of pending.aliases) told.push(asTold(file, facts, named?.has(file.path)));
  // A file known only by its path stays so.
  for (const file of pending.renewed) told.push(asTold(file, facts, true));
  for (const file of pending.unread ?? []) told.push(asUnread(file, facts));
  return { told, gone: pending.gone };
}

/** How a context knows a file that it was told of. */
export function knowingOf({ path }: { readonly path: string }, bare: ReadonlySet<string> | undefined): Knowing {
  return bare === undefined || bare.has(path) ? "named" : "given";
}

/** A file as the ledger records it. */
export function asTold(
  {
    path,
    directory,
    version,
    realPath,
    isOwn,
  }: Pick<InstructionFile, "path" | "directory" | "version" | "realPath" | "isOwn">,
  facts: LazyFacts,
  isNamed = false,
  how?: Knowing,
): ToldFile {
  const digest = facts.digestOf({ path, realPath });
  return { path, directory, version, digest, isNamed, how, ...(isOwn === true && { isOwn }) };
}

/** No file that can't be read has this size: an empty one is not read. */
const UNREAD_SIZE = 0;

/** A file that can't be read, as the ledger records it: it is told as a new one once it can be read. */
export function asUnread(file: InstructionFile, facts: LazyFacts): ToldFile {
  return asTold({ ...file, version: unreadVersion(file) }, facts, false, "named");
}

/** Whether the context was told that it can't be read, or has its text. */
function isToldUnread(context: Context, file: InstructionFile): boolean {
  const { mtimeMs, sizeBytes } = file.version;
  return isTold(context, file.path, unreadVersion(file)) || isTold(context, file.path, { mtimeMs, sizeBytes });
}

function unreadVersion({ version: { mtimeMs } }: InstructionFile): FileVersion {
  return { mtimeMs, sizeBytes: UNREAD_SIZE };
}

/** Whether the context was told only its path. */
export function isNamedOnly(context: Context, path: string): boolean {
  return isKnown(context, path) && context.loadedVersions[path]?.named === true;
}

export function isKnown(context: Context, path: string): boolean {
  return Object.hasOwn(context.loadedVersions, path);
}

/** Whether the context knows this very version. All numbers are compared, so restoring an mtime hides nothing. */
export function isTold(context: Context, path: string, version: FileVersion): boolean {
  if (!isKnown(context, path)) return false;
  const told = context.loadedVersions[path];
  if (told === undefined || told.mtimeMs !== version.mtimeMs || told.sizeBytes !== version.sizeBytes) return false;
  return told.ctimeMs === version.ctimeMs || told.ctimeMs === undefined || version.ctimeMs === undefined;
}

/** Whether only `ctimeMs` differs from what was told, and the text is the same. */
function isRenewed(context: Context, file: InstructionFile, facts: LazyFacts): boolean {
  const { mtimeMs, sizeBytes } = file.version;
  if (!isTold(context, file.path, { mtimeMs, sizeBytes })) return false;
  const digest = context.loadedVersions[file.path]?.digest;
  return digest !== undefined && digest === facts.digestOf(file);
}

function isLookedAt({ directories, homeDirectory }: Applying, context: Context, directory: string): boolean {
  return directories.has(directory) || (directory === homeDirectory && hadBundle(context));
}

/** A context has its initial bundle, including any home-level file, from its first epoch on. */
function hadBundle(context: Context): boolean {
  return context.epoch > 0;
}

/**
 * The home-level file belongs to the initial bundle. A context that got a bundle is told when the file changes or
 * appears.
 */
function homeFile({ home }: Applying, context: Context, facts: LazyFacts): InstructionFile | undefined {
  if (!hadBundle(context)) return undefined;
  return home.find((file) => isTold(context, file.path, file.version) || !facts.isBlank(file));
}

/** Leaves out files whose own paths are pending: equal time and size don't prove equal text. */
function toldIdentities(context: Context, facts: LazyFacts, fresh: ReadonlySet<string>): Set<string> {
  const identities = new Set<string>();
  for (const path of Object.keys(context.loadedVersions)) {
    const version = context.loadedVersions[path];
    const identity = version && !fresh.has(path) ? facts.identityAt(path, version) : undefined;
    if (identity !== undefined) identities.add(identity);
  }
  return identities;
}

/**
 * At most this many files, in their original order: the nearest to each target, then the next nearest, then the
 * deepest.
 */
function nearest(files: readonly InstructionFile[], targets: readonly string[] = [], count: number): InstructionFile[] {
  if (files.length <= count) return [...files];
  const depths = files.map((file) => file.directory.split(/[/\\]/).length);
  const deepestFirst = [...files.keys()]
    .toSorted((a, b) => (depths[b] ?? 0) - (depths[a] ?? 0) || b - a)
    .flatMap((index) => files[index] ?? []);
  const kept = new Set<InstructionFile>();
  const ladders = targets.map((target) => deepestFirst.filter(({ directory }) => isInside(directory, target)));
  const longest = Math.max(0, ...ladders.map(({ length }) => length));
  for (let step = 0; step < longest; step++) {
    for (const each of ladders) {
      const file = each[step];
      if (file !== undefined && kept.size < count) kept.add(file);
    }
  }
  for (const file of deepestFirst) if (kept.size < count) kept.add(file);
  return files.filter((file) => kept.has(file));
}

/** Adds the client's own files, root first as well. */
export function withOwn(
  applying: Applying,
  { files, vanished }: { readonly files: readonly InstructionFile[]; readonly vanished: ReadonlySet<string> },
): Applying {
  const all = [...applying.files, ...files].toSorted((left, right) =>
    left.directory === right.directory ? 0 : left.directory < right.directory ? -1 : 1,
  );
  return { ...applying, files: all, vanished };
}

/** Leaves out some files. They still exist and must not be reported as gone. */
export function without(applying: Applying, unseen: ReadonlySet<string>): Applying {
  const files: InstructionFile[] = [];
  const passedOver: PassedOver[] = [...applying.passedOver];
  for (const file of applying.files) {
    if (unseen.has(file.path)) passedOver.push({ path: file.path, reason: "duplicate" });
    else files.push(file);
  }
  return { ...applying, files, passedOver };
}
