import { dirname } from "node:path";
import type { Context } from "../ledger/schema.ts";
import type { FileVersion } from "../lib/fs.ts";
import type { InstructionFile, PassedOver } from "./chain.ts";
import type { ToldFile } from "../ledger/contexts.ts";

/** What a context must be told about the files that apply somewhere. To be pending is to apply and not to be told yet. */
export interface Pending {
  /** To be told now, in the order of the ladder. */
  readonly tell: readonly InstructionFile[];
  /** How many more are new. They are over the limit, and stay pending for the next call. */
  readonly remaining: number;
  /** Known to the context, but no longer there or no longer in force. */
  readonly gone: readonly string[];
  /** Other names of files that were told in their present version. Recorded, not told. */
  readonly aliases: readonly InstructionFile[];
  /** Only the ctime is new (a changed mode, another link), the text is the one told. Recorded, not told. */
  readonly renewed: readonly InstructionFile[];
}

/** The files that apply, as found on the disk. */
export interface Applying {
  /** Root first. */
  readonly files: readonly InstructionFile[];
  readonly passedOver: readonly PassedOver[];
  /** The directories that were looked at. */
  readonly directories: { has(directory: string): boolean };
  /** The user's own files, in order of priority: the first that is not blank counts. */
  readonly home: readonly InstructionFile[];
  readonly homeDirectory: string;
}

/** Facts that cost a system call each. They are asked for only about what is new, and never change within a call. */
export interface LazyFacts {
  isBlank(file: InstructionFile): boolean;
  /** A digest of its text; undefined if that can't be read or is too long. */
  digestOf(file: Pick<InstructionFile, "path" | "realPath">): number | undefined;
  /** The identity of a file, if it is still in this version. */
  identityAt(path: string, version: FileVersion): string | undefined;
}

export function decidePending(applying: Applying, context: Context, facts: LazyFacts, maxFiles: number): Pending {
  const present = new Set<string>();
  const fresh: InstructionFile[] = [];
  const renewed: InstructionFile[] = [];
  const gone: string[] = [];
  for (const file of inForce(applying, context, facts)) {
    present.add(file.path);
    if (isTold(context, file.path, file.version)) continue;
    if (isRenewed(context, file, facts)) renewed.push(file);
    else if (!facts.isBlank(file)) fresh.push(file);
    else if (isKnown(context, file.path)) gone.push(file.path);
  }
  for (const file of applying.files) present.add(file.path);
  for (const passed of applying.passedOver) if (passed.reason === "duplicate") present.add(passed.path);
  for (const path of Object.keys(context.loadedVersions)) {
    if (!present.has(path) && isLookedAt(applying, context, dirname(path))) gone.push(path);
  }
  if (fresh.length === 0) return { tell: [], remaining: 0, gone, aliases: [], renewed };
  return { ...splitNews(fresh, context, facts, maxFiles), gone, renewed };
}

/** With the home-level file first. It may be on the ladder as well. */
function inForce(applying: Applying, context: Context, facts: LazyFacts): readonly InstructionFile[] {
  const home = applying.home.length === 0 ? undefined : homeFile(applying, context, facts);
  if (home === undefined) return applying.files;
  return [home, ...applying.files.filter((file) => file.identity !== home.identity)];
}

/** What is new only by its name is not told again. */
function splitNews(fresh: readonly InstructionFile[], context: Context, facts: LazyFacts, maxFiles: number) {
  const told = toldIdentities(context, facts, new Set(fresh.map((file) => file.path)));
  const aliases: InstructionFile[] = [];
  const news: InstructionFile[] = [];
  for (const file of fresh) (told.has(file.identity) ? aliases : news).push(file);
  // Files are read root first. If not all fit, the nearest matter most.
  const tell = nearest(news, maxFiles);
  return { tell, remaining: news.length - tell.length, aliases };
}

export function isNothing(pending: Pending): boolean {
  const { tell, gone, aliases, renewed } = pending;
  return tell.length === 0 && gone.length === 0 && aliases.length === 0 && renewed.length === 0;
}

/** What the ledger records of it. `named`: the files of which only the path is told. */
export function toldOf(
  pending: Pending,
  facts: LazyFacts,
  named?: ReadonlySet<string>,
): { told: readonly ToldFile[]; gone: readonly string[] } {
  const told = [...pending.tell, ...pending.aliases].map((file) => asTold(file, facts, named?.has(file.path)));
  // What was known only by its path still is.
  for (const file of pending.renewed) told.push(asTold(file, facts, true));
  return { told, gone: pending.gone };
}

/** A file as the ledger records it. */
export function asTold(
  { path, directory, version, realPath }: Pick<InstructionFile, "path" | "directory" | "version" | "realPath">,
  facts: LazyFacts,
  isNamed = false,
): ToldFile {
  return { path, directory, version, digest: facts.digestOf({ path, realPath }), isNamed };
}

/** Whether the context was told nothing of it but its path. */
export function isNamedOnly(context: Context, path: string): boolean {
  return isKnown(context, path) && context.loadedVersions[path]?.named === true;
}

export function isKnown(context: Context, path: string): boolean {
  return Object.hasOwn(context.loadedVersions, path);
}

/** Whether the context knows this very version. Every number counts, so a restored mtime hides nothing. */
export function isTold(context: Context, path: string, version: FileVersion): boolean {
  if (!isKnown(context, path)) return false;
  const told = context.loadedVersions[path];
  if (told === undefined || told.mtimeMs !== version.mtimeMs || told.sizeBytes !== version.sizeBytes) return false;
  return told.ctimeMs === version.ctimeMs || told.ctimeMs === undefined || version.ctimeMs === undefined;
}

/** Whether only its `ctimeMs` differs from what was told, but not its text. */
function isRenewed(context: Context, file: InstructionFile, facts: LazyFacts): boolean {
  const { mtimeMs, sizeBytes } = file.version;
  if (!isTold(context, file.path, { mtimeMs, sizeBytes })) return false;
  const digest = context.loadedVersions[file.path]?.digest;
  return digest !== undefined && digest === facts.digestOf(file);
}

function isLookedAt({ directories, homeDirectory }: Applying, context: Context, directory: string): boolean {
  return directories.has(directory) || (directory === homeDirectory && hadBundle(context));
}

/** From its first epoch on, a context has had an initial bundle, with the home-level file if there was one. */
function hadBundle(context: Context): boolean {
  return context.epoch > 0;
}

/** The home-level file belongs to the initial bundle. A context that had one is told when the file changes or appears. */
function homeFile({ home }: Applying, context: Context, facts: LazyFacts): InstructionFile | undefined {
  if (!hadBundle(context)) return undefined;
  return home.find((file) => isTold(context, file.path, file.version) || !facts.isBlank(file));
}

/** Without files whose own paths are pending: the same time and size don't prove the same text. */
function toldIdentities(context: Context, facts: LazyFacts, fresh: ReadonlySet<string>): Set<string> {
  const identities = new Set<string>();
  for (const path of Object.keys(context.loadedVersions)) {
    const version = context.loadedVersions[path];
    const identity = version && !fresh.has(path) ? facts.identityAt(path, version) : undefined;
    if (identity !== undefined) identities.add(identity);
  }
  return identities;
}

/** The `count` deepest, in the order they came in. */
function nearest(files: readonly InstructionFile[], count: number): InstructionFile[] {
  if (files.length <= count) return [...files];
  const depths = files.map((file) => file.directory.split(/[/\\]/).length);
  const deepestFirst = [...files.keys()].toSorted((a, b) => (depths[b] ?? 0) - (depths[a] ?? 0) || b - a);
  const kept = new Set(deepestFirst.slice(0, count));
  return files.filter((_, index) => kept.has(index));
}

/** The same without some files. They are still there, and must not look as if they had gone. */
export function without(applying: Applying, unseen: ReadonlySet<string>): Applying {
  const left = applying.files.filter(({ path }) => unseen.has(path));
  const passedOver = left.map(({ path }): PassedOver => ({ path, reason: "duplicate" }));
  return {
    ...applying,
    files: applying.files.filter(({ path }) => !unseen.has(path)),
    passedOver: [...applying.passedOver, ...passedOver],
  };
}
