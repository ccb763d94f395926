import type { Stats } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Problem } from "../command.ts";
import { characterBoundary } from "../instructions/bundle.ts";
import { findContext } from "../ledger/contexts.ts";
import type { Context } from "../ledger/schema.ts";
import { tellOnce } from "../ledger/tell.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { disk, identityOf } from "../lib/fs.ts";
import { readStart, whyUnread } from "../lib/read-file.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { renderSkillContext, renderSkillReminder, type LoadedSkill } from "./render.ts";
import type { SkillMetadata } from "./schema.ts";
import type { Selection } from "./select.ts";
import { asLoadError, type Skill } from "./skill.ts";

const MAX_SKILL_BYTES = 1024 * 1024;

/** The longest character. */
const CHARACTER_BYTES = 4;

export type SkillRead =
  | { readonly kind: "read"; readonly text: SkillText }
  /** `reason` completes "skill … can't be loaded: ". */
  | { readonly kind: "unusable"; readonly reason: string };

export interface SkillText {
  /** The whole SKILL.md, or its first MAX_SKILL_BYTES. */
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly baseUrl: string;
  readonly files: readonly string[];
  readonly moreFiles: boolean;
}

export type SkillPlace = Pick<Skill, "path" | "dir" | "changedMs">;

/**
 * Reads a skill's text and lists its files.
 *
 * @input  skill: its path as discovered, canonical; ignored: directories whose files are not listed
 * @output what loading it tells; nothing of it from outside the skill's directory
 * @effect reads; loads the package that lists files
 * @error  none
 */
export async function readSkill(skill: SkillPlace, ignored: ReadonlySet<string>): Promise<SkillRead> {
  const read = readStart(skill.path, MAX_SKILL_BYTES + CHARACTER_BYTES);
  if (read.kind !== "read") return { kind: "unusable", reason: whyUnread(read) };
  const { listSkillFiles } = await import("./files.ts");
  const { files, moreFiles } = listSkillFiles(skill.dir, ignored);
  const stats = statsAt(skill.path);
  if (stats === undefined || identityOf(stats) !== read.identity) {
    return { kind: "unusable", reason: "it was replaced while it was read" };
  }
  // What was judged, and the user was asked about, is the file as it was then.
  if (skill.changedMs !== undefined && skill.changedMs !== stats.ctimeMs) {
    return { kind: "unusable", reason: "it has just changed; load it again" };
  }
  const text: SkillText = {
    bytes: read.bytes.subarray(0, characterBoundary(read.bytes, MAX_SKILL_BYTES)),
    sizeBytes: read.version.sizeBytes,
    mtimeMs: read.version.mtimeMs,
    baseUrl: pathToFileURL(`${skill.dir}/`).href,
    files,
    moreFiles,
  };
  return { kind: "read", text };
}

/** The path was judged, then opened: no directory on the way may have become a link in between. */
function statsAt(path: string): Stats | undefined {
  try {
    return disk.realPath(path) === path ? disk.look(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the context has this very text of the skill before it: loaded since its last compaction, and unchanged. */
export function isLoaded(context: Context, skill: { readonly path: string; readonly mtimeMs: number }): boolean {
  if (!Object.hasOwn(context.loadedSkills, skill.path)) return false;
  const loaded = context.loadedSkills[skill.path];
  return loaded !== undefined && loaded.n > 0 && loaded.mtimeMs === skill.mtimeMs;
}

export interface Manner {
  readonly json: boolean;
  readonly again: boolean;
}

/** Prints a skill, in full or, when this context has it already, by name; records it as loaded. */
export async function tellSkill(
  world: World,
  workspace: Workspace,
  skill: SkillMetadata & LoadedSkill,
  manner: Manner,
): Promise<void> {
  const { key } = workspace;
  const inFull = print(skill, renderSkillContext(skill), manner);
  const inShort = print(skill, renderSkillReminder(skill), manner);
  await tellOnce(world, workspace, (session) => {
    if (!manner.again && isLoaded(findContext(session, key.context), skill)) return { text: inShort };
    return {
      text: inFull,
      change: { kind: "load-skill", skill },
    };
  });
}

function print({ id, name, path, dir, mtimeMs }: SkillMetadata, context: string, { json }: Manner): string {
  if (!json) return context;
  return jsonLine({ skill_id: id, name, path, dir, mtime_ms: mtimeMs, context });
}

/** A sentence for a person; the details name all candidates. */
const MAX_SHOWN = 10;

/** Why what was asked for is not one skill. */
export function skillProblem(typed: string, selection: Exclude<Selection, { kind: "found" }>): Problem {
  switch (selection.kind) {
    case "ambiguous": {
      const candidates = selection.candidates.map(({ path }) => path);
      const shown = candidates.slice(0, MAX_SHOWN).map((path) => `'${visible(path)}'`);
      const more = candidates.length > MAX_SHOWN ? ` and ${candidates.length - MAX_SHOWN} more` : "";
      const message = `skill '${visible(typed)}' is ambiguous: ${candidates.length} skills have that name; load one by its path: ${shown.join(", ")}${more}`;
      return { code: "ambiguous", message, details: { candidates } };
    }
    case "unusable":
      return unusableSkill(selection.error.path, asLoadError(selection.error).message);
    case "part": {
      const { name, path } = selection.skill;
      const message = `no skill '${visible(typed)}': it is part of skill '${visible(name)}'; load that one: '${visible(path)}'`;
      return { code: "not_found", message, details: { nearest: name } };
    }
    case "not-found": {
      const hint = selection.nearest === undefined ? "" : `, did you mean '${visible(selection.nearest)}'?`;
      const message = `no skill '${visible(typed)}'${hint || "; 'codelia skills list' names them all"}`;
      return { code: "not_found", message, details: { nearest: selection.nearest ?? null } };
    }
  }
}

export function unusableSkill(path: string, reason: string): Problem {
  const message = `skill '${visible(path)}' can't be loaded: ${visible(reason)}`;
  return { code: "skill_unusable", message, details: { path } };
}
