import type { Stats } from "node:fs";
import type { HeaderDefect, HeaderFacts } from "../../core/skills/header-facts.ts";
import type { World } from "../../world.ts";
import { readText } from "../read-file.ts";

/** What is remembered of the SKILL.md files below one directory, each with what the file was when it was read. */
export interface HeaderMemory {
  /** What a file said when it was last read. */
  find(path: string): Row | undefined;
  /** The same, for a file that is as it was then; it is kept for the next time. */
  confirm(row: Row, stats: Stats): HeaderFacts | undefined;
  note(path: string, stats: Stats, facts: HeaderFacts): void;
  /** Writes down what was noted, if anything was. */
  save(world: World): Promise<void>;
}

/** [path, inode, size, mtime, ctime, name, line of the name, description, defects] */
export type Row = readonly [
  string,
  number,
  number,
  number,
  number,
  string | null,
  number,
  string | null,
  HeaderDefect[]?,
];

/** Changes with everything that decides what a header says; a test holds it equal to a hash of that. */
export const HEADER_RULES_MARK = "d6b846b45170ccaa";
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
/** A file this young may change again without its times showing it: it is not remembered yet. */
const RACY_MS = 2_000;

/**
 * @input  file: where it is remembered; isForgotten: as if nothing were
 * @effect reads the file; `save` replaces it
 * @error  none: what can't be read is read from the skills again, what can't be written is so the next time too
 */
export function openHeaderMemory(file: string, isForgotten: boolean): HeaderMemory {
  const remembered = new Map<string, Row>();
  if (!isForgotten) for (const row of readRows(file)) if (isRow(row)) remembered.set(row[0], row);
  const kept: Row[] = [];
  let isChanged = false;
  let youngest = 0;
  return {
    find: (path) => remembered.get(path),
    confirm(row, stats) {
      if (!isOf(row, stats)) return undefined;
      kept.push(row);
      return factsOf(row);
    },
    note(path, stats, facts) {
      isChanged = true;
      youngest = Math.max(youngest, stats.mtimeMs, stats.ctimeMs);
      kept.push(rowOf(path, stats, facts));
    },
    async save(world) {
      if (!isChanged) return;
      const before = world.now() - RACY_MS;
      const rows = youngest < before ? kept : kept.filter((row) => row[3] < before && row[4] < before);
      const { writeWhole } = await import("../write-file.ts");
      const text = JSON.stringify({ rules: HEADER_RULES_MARK, rows });
      const written = writeWhole(world, file, text, { directoryMode: 0o700, fileMode: 0o600 });
      world.trace("skills-remembered", { file, rows: rows.length, written: written.kind });
    },
  };
}

function readRows(file: string): readonly unknown[] {
  const read = readText(file, MAX_MEMORY_BYTES);
  if (read.kind !== "text") return [];
  try {
    const { rules, rows } = JSON.parse(read.text);
    return rules === HEADER_RULES_MARK && Array.isArray(rows) ? rows : [];
  } catch {
    return [];
  }
}

/** The numbers need no look: one that is none is no file's. */
function isRow(row: unknown): row is Row {
  if (!Array.isArray(row) || typeof row[0] !== "string") return false;
  const [, , , , , name, , description, defects] = row;
  return isTextOrNull(name) && isTextOrNull(description) && (defects === undefined || Array.isArray(defects));
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function isOf(row: Row, stats: Stats): boolean {
  return row[1] === stats.ino && row[2] === stats.size && row[3] === stats.mtimeMs && row[4] === stats.ctimeMs;
}

function rowOf(path: string, stats: Stats, { name, nameLine, description, defects }: HeaderFacts): Row {
  const { ino, size, mtimeMs, ctimeMs } = stats;
  const start = [path, ino, size, mtimeMs, ctimeMs, name ?? null, nameLine, description ?? null] as const;
  return defects.length === 0 ? start : [...start, [...defects]];
}

const NONE: readonly HeaderDefect[] = [];

function factsOf(row: Row): HeaderFacts {
  return { name: row[5] ?? undefined, nameLine: row[6], description: row[7] ?? undefined, defects: row[8] ?? NONE };
}
