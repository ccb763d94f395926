import { join } from "node:path";
import { shortHash } from "../../core/hash.ts";
import { acceptSkill } from "../../core/skills/accept-skill.ts";
import { compareText } from "../../core/skills/order.ts";
import { factsOfYaml } from "../../core/skills/read-facts.ts";
import type { Skill, SkillProblem } from "../../core/skills/skill.ts";
import { placeOfRoot } from "../../core/user-places.ts";
import type { World } from "../../world.ts";
import { wholeMs } from "../disk.ts";
import type { Workspace } from "../workspace.ts";
import { openHeaderMemory, type HeaderMemory } from "./header-memory.ts";
import { walkScopes } from "./scopes.ts";
import { SKILL_FILE, type FoundSkillFile } from "./walk.ts";

export interface Discovery {
  /** In no order. */
  readonly skills: readonly Skill[];
  /** What is broken, leads out of bounds or lies beyond a limit, by path. */
  readonly errors: readonly SkillProblem[];
  /** What is wrong with skills that are in `skills` all the same: there are none in strict validation. */
  readonly warnings: readonly SkillProblem[];
  /** A limit bit: there may be more. */
  readonly truncated: boolean;
}

/**
 * Every skill of the working directory: in `.agents/skills` of each directory from the root down to it, and of the
 * user's home.
 *
 * @input  isReread: what was remembered of earlier calls is not believed
 * @effect reads directories and the headers of skills; remembers the headers in the user's cache directory
 * @error  none
 */
export async function discoverSkills(world: World, workspace: Workspace, isReread = false): Promise<Discovery> {
  const found = new Map<string, FoundSkillFile>();
  const errors: SkillProblem[] = [];
  const memories: HeaderMemory[] = [];
  function remember(owner: string, start: string): HeaderMemory {
    const directory = placeOfRoot(workspace.places.cache, owner);
    const memory = openHeaderMemory(join(directory, `skills-${shortHash(start)}.json`), isReread);
    memories.push(memory);
    return memory;
  }
  const truncated = walkScopes(world, workspace, found, errors, remember);
  const skills: Skill[] = [];
  const warnings: SkillProblem[] = [];
  const parsed = await parseRest(found.values());
  for (const file of parsed) {
    const { path, scope, distance, header } = file;
    if (header.kind === "unusable") {
      errors.push({ path, message: header.reason, rule: "skill-unreadable" });
      continue;
    }
    const accepted = acceptSkill(path, header.facts, file.directoryNames, workspace.settings.skills.validation);
    if (accepted.kind === "refused") {
      errors.push(...accepted.errors);
      continue;
    }
    if (accepted.warnings.length > 0) warnings.push(...accepted.warnings);
    const { name, description } = accepted;
    const dir = path.slice(0, -1 - SKILL_FILE.length);
    skills.push({ name, description, path, dir, scope, mtimeMs: header.mtimeMs, distance });
  }
  for (const memory of memories) await memory.save(world);
  world.trace("skills", { skills: skills.length, errors: errors.length });
  return { skills, errors: byPlace(errors), warnings: byPlace(warnings), truncated };
}

type ParsedFile = FoundSkillFile & { readonly header: Exclude<FoundSkillFile["header"], { kind: "yaml" }> };

/** Reads the headers that are not plain: the parser is loaded once, and only for them. */
async function parseRest(files: Iterable<FoundSkillFile>): Promise<ParsedFile[]> {
  const parsed: ParsedFile[] = [];
  for (const file of files) {
    const { header } = file;
    if (header.kind !== "yaml") {
      parsed.push(file as ParsedFile);
      continue;
    }
    const { parseYaml } = await import("../yaml.ts");
    const facts = factsOfYaml(header.header, parseYaml(header.header));
    file.memory.note(file.path, header.stats, facts);
    parsed.push({ ...file, header: { kind: "facts", facts, mtimeMs: wholeMs(header.stats) } });
  }
  return parsed;
}

function byPlace(problems: readonly SkillProblem[]): SkillProblem[] {
  return problems.toSorted((left, right) => compareText(left.path, right.path) || (left.line ?? 0) - (right.line ?? 0));
}
