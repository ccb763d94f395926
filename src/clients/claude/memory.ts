import { dirname, join, resolve } from "node:path";
import { isInside } from "../../lib/paths.ts";
import { lossyText } from "../../lib/text.ts";
import type { ReachedFile, ReachReason } from "../../report/schema.ts";
import type { TreeFacts } from "../client.ts";
import { isUnread, loaded, shadowed, sizeOf, skipped, whyUnusable } from "../reached.ts";
import { readMemory, type MemoryText } from "../../instructions/memory-text.ts";
import { matchesRule } from "./rule-paths.ts";

/** A file that Claude Code would read. */
export interface MemoryStep {
  readonly path: string;
  readonly origin: ReachedFile["origin"];
  /** Why it is not read after all. */
  readonly refused?: { readonly reason: ReachReason; readonly by?: string | undefined } | undefined;
  /** Links in its path, and its imports, may lead anywhere. */
  readonly isFree: boolean;
  /** Its front matter may limit it to certain files, by patterns that are relative to this directory. */
  readonly ruleFor?: string;
  readonly importedBy?: string;
}

export type Exclusion = Extract<ReachReason, "excluded" | "maybe-excluded">;

export interface MemoryRules {
  readonly home: string;
  /** Why the user's settings exclude a file; undefined if they don't. */
  readonly exclusionOf: (path: string) => Exclusion | undefined;
  /** Whether a file may be imported. */
  readonly isWithin: (realPath: string) => boolean;
  /** How deep imports may be nested. */
  readonly maxDepth: number;
  /** The file with which rules are loaded that are for certain files. */
  readonly touched?: string;
}

/** What becomes of the files, in the order in which they are read, each followed by its imports; none is read twice. */
export function readMemoryFiles(steps: readonly MemoryStep[], rules: MemoryRules, facts: TreeFacts): ReachedFile[] {
  const files: ReachedFile[] = [];
  const pathByRealPath = new Map<string, string>();

  function read(step: MemoryStep, depth: number): void {
    const { path, importedBy } = step;
    const origin = importedBy === undefined ? step.origin : "import";
    const what = facts.at(path);
    if (what === undefined) return;
    const size = sizeOf(what);
    const pass = (reason: ReachReason, by?: string) => void files.push(skipped(path, origin, size, reason, by));
    if (what.kind !== "file") return importedBy === undefined ? pass(whyUnusable(what)) : undefined;
    const twin = pathByRealPath.get(what.realPath);
    if (twin === path) return;
    if (twin !== undefined) return void files.push(shadowed(path, origin, size, "duplicate", twin));
    const exclusion = step.origin === "managed" ? undefined : rules.exclusionOf(path);
    if (exclusion !== undefined) return pass(exclusion);
    if (step.refused !== undefined) {
      const { reason, by } = step.refused;
      return void files.push(
        reason === "silenced"
          ? shadowed(path, origin, size, reason, by ?? "")
          : skipped(path, origin, size, reason, by),
      );
    }
    if (!step.isFree && importedBy !== undefined && !rules.isWithin(what.realPath))
      return pass("outside-root", importedBy);
    if (depth > rules.maxDepth) return pass("import-depth", importedBy);
    pathByRealPath.set(what.realPath, path);
    if (isUnread(facts.start(path, size), size)) return pass("no-permission", importedBy);
    const memory = memoryAt(path, size, facts);
    files.push(fileOf(step, origin, size, memory, rules.touched));
    // Its imports are loaded even if the file itself is not.
    for (const name of memory.imports) {
      const target = name.startsWith("~/") ? resolve(rules.home, name.slice(2)) : resolve(dirname(what.realPath), name);
      read({ path: target, origin: step.origin, isFree: step.isFree, importedBy: path }, depth + 1);
    }
  }

  for (const step of steps) read(step, 0);
  return files;
}

/** Kept as long as the facts: sessions in many directories read the same files above them. */
const memories = new WeakMap<TreeFacts, Map<string, MemoryText>>();

/** What a file gives the model. */
export function memoryAt(path: string, sizeBytes: number, facts: TreeFacts): MemoryText {
  const known = memories.get(facts) ?? new Map<string, MemoryText>();
  memories.set(facts, known);
  const memory = known.get(path) ?? readMemory(lossyText(facts.start(path, sizeBytes)));
  known.set(path, memory);
  return memory;
}

/** Whether a file gives the model any text. */
export function saysSomething(path: string, facts: TreeFacts): boolean {
  const what = facts.at(path);
  return what?.kind === "file" && memoryAt(path, what.version.sizeBytes, facts).text !== "";
}

function fileOf(
  { path, importedBy, ruleFor }: MemoryStep,
  origin: ReachedFile["origin"],
  size: number,
  { text, paths }: MemoryText,
  touched: string | undefined,
): ReachedFile {
  if (text === "") return skipped(path, origin, size, "blank");
  const isFor = () => touched !== undefined && ruleFor !== undefined && matchesRule(paths, ruleFor, touched);
  if (paths.length > 0 && ruleFor !== undefined && !isFor()) return skipped(path, origin, size, "conditional");
  // An invalid byte takes more room in the text than in the file.
  const file = loaded(path, origin, size, Math.min(size, new TextEncoder().encode(text).length));
  return importedBy === undefined ? file : { ...file, by: importedBy };
}

const MAX_DEPTH = 16;

const MAX_FILES = 1000;

/**
 * The Markdown files below a directory of rules, in the order in which the file system lists them. A link is identified
 * by its target.
 *
 * @param ruleFor the directory that their patterns are relative to
 */
export function rulesIn(
  directory: string,
  ruleFor: string,
  isWithin: (realPath: string) => boolean,
  origin: ReachedFile["origin"],
  facts: TreeFacts,
): MemoryStep[] {
  const steps: MemoryStep[] = [];
  const visited = new Set<string>();

  function walk(place: string, depth: number): void {
    const real = facts.realPath(place);
    if (real === undefined || visited.has(real) || depth > MAX_DEPTH) return;
    visited.add(real);
    for (const name of facts.list(place)) {
      const path = join(real, name);
      const what = facts.at(path);
      if (what?.kind === "directory") walk(path, depth + 1);
      else if (what?.kind === "file" && name.endsWith(".md") && steps.length < MAX_FILES) {
        // It may be outside because of a link.
        const isOut = !isInside(directory, what.realPath) && !isWithin(what.realPath);
        const refused = isOut && origin !== "home" ? { reason: "outside-root" as const } : undefined;
        steps.push({ path: what.realPath, origin, isFree: origin === "home", ruleFor, refused });
      }
    }
  }

  walk(directory, 0);
  return steps;
}
