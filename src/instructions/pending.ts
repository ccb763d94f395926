import { dirname } from "node:path";
import type { Context } from "../ledger/schema.ts";
import type { FileVersion, InstructionFile, PassedOver } from "./chain.ts";
import type { ToldFile } from "../ledger/contexts.ts";

/** What a context must be told about the files that apply somewhere. */
export interface Pending {
  /** To be told now, in the order of the ladder. */
  readonly tell: readonly InstructionFile[];
  /** New too, but over the limit: they stay pending for the next call. */
  readonly remaining: number;
  /** Known to the context, and no longer there or no longer in force. */
  readonly gone: readonly string[];
  /** The same file as one already told in its present version, under another name: recorded, not told. */
  readonly aliases: readonly InstructionFile[];
  /** The text is the one told, only its ctime is new (a changed mode, another link). Recorded, not told. */
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

/** Facts that cost a system call each: asked for only about what is new, and answered the same every time. */
export interface LazyFacts {
  isBlank(file: InstructionFile): boolean;
  /** Of its text; undefined if that can't be read or is too long. */
  digestOf(file: Pick<InstructionFile, "path" | "realPath">): number | undefined;
  /** Identity of a file if it is still in this version. */
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

/** The home-level file first; it may stand on the ladder too. */
function inForce(applying: Applying, context: Context, facts: LazyFacts): readonly InstructionFile[] {
  const home = applying.home.length === 0 ? undefined : homeFile(applying, context, facts);
  if (home === undefined) return applying.files;
  return [home, ...applying.files.filter((file) => file.identity !== home.identity)];
}

/** What is new under a new name only is not told again. */
function splitNews(fresh: readonly InstructionFile[], context: Context, facts: LazyFacts, maxFiles: number) {
  const told = toldIdentities(context, facts, new Set(fresh.map((file) => file.path)));
  const aliases: InstructionFile[] = [];
  const news: InstructionFile[] = [];
  for (const file of fresh) (told.has(file.identity) ? aliases : news).push(file);
  // Root first is the order of reading; when not all fit, the nearest are the ones that matter most.
  const tell = nearest(news, maxFiles);
  return { tell, remaining: news.length - tell.length, aliases };
}

export function isNothing(pending: Pending): boolean {
  const { tell, gone, aliases, renewed } = pending;
  return tell.length === 0 && gone.length === 0 && aliases.length === 0 && renewed.length === 0;
}

/** What the ledger records of it; `named`: the files of which only the path is told. */
export function toldOf(
  pending: Pending,
  facts: LazyFacts,
  named?: ReadonlySet<string>,
): { told: readonly ToldFile[]; gone: readonly string[] } {
  const told = [...pending.tell, ...pending.aliases].map((file) => asTold(file, facts, named?.has(file.path)));
  // What was known by its path only still is.
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

/** Whether the context was told no more of it than its path. */
export function isNamedOnly(context: Context, path: string): boolean {
  return isKnown(context, path) && context.loadedVersions[path]?.named === true;
}

export function isKnown(context: Context, path: string): boolean {
  return Object.hasOwn(context.loadedVersions, path);
}

/** Whether the context knows this very version. Each number may differ: a restored mtime hides nothing. */
export function isTold(context: Context, path: string, version: FileVersion): boolean {
  if (!isKnown(context, path)) return false;
  const told = context.loadedVersions[path];
  if (told === undefined || told.mtimeMs !== version.mtimeMs || told.sizeBytes !== version.sizeBytes) return false;
  return told.ctimeMs === version.ctimeMs || told.ctimeMs === undefined || version.ctimeMs === undefined;
}

/** Whether only its `ctimeMs` differs from what was told, and not its text. */
function isRenewed(context: Context, file: InstructionFile, facts: LazyFacts): boolean {
  const { mtimeMs, sizeBytes } = file.version;
  if (!isTold(context, file.path, { mtimeMs, sizeBytes })) return false;
  const digest = context.loadedVersions[file.path]?.digest;
  return digest !== undefined && digest === facts.digestOf(file);
}

function isLookedAt({ directories, homeDirectory }: Applying, context: Context, directory: string): boolean {
  return directories.has(directory) || (directory === homeDirectory && hadBundle(context));
}

/** From its first epoch on a context had an initial bundle, with the home-level file if there was one. */
function hadBundle(context: Context): boolean {
  return context.epoch > 0;
}

/** The home-level file belongs to the initial bundle: a context that had one is told when it changes or appears. */
function homeFile({ home }: Applying, context: Context, facts: LazyFacts): InstructionFile | undefined {
  if (!hadBundle(context)) return undefined;
  for (const file of home) if (isTold(context, file.path, file.version) || !facts.isBlank(file)) return file;
  return undefined;
}

/** Without those whose own paths are news: the same time and size don't prove the same text. */
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

/** What applies, some files left out of the news: they are there, so it must not look as if they had gone. */
export function without(applying: Applying, unseen: ReadonlySet<string>): Applying {
  const files: InstructionFile[] = [];
  const passedOver: PassedOver[] = [];
  for (const file of applying.files) {
    if (unseen.has(file.path)) passedOver.push({ path: file.path, reason: "duplicate" });
    else files.push(file);
  }
  if (passedOver.length === 0) return applying;
  return { ...applying, files, passedOver: [...applying.passedOver, ...passedOver] };
}
