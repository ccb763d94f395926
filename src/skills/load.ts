import { dirname } from "node:path";
import type { Problem } from "../command.ts";
import { findContext } from "../ledger/contexts.ts";
import type { Context } from "../ledger/schema.ts";
import { tellOnce } from "../ledger/tell.ts";
import { readAnswer, type Answer } from "../lib/answer.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { isDirectory, realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { nameInShell } from "../lib/programs.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { discoverSkills } from "./discover.ts";
import { decidePermission, disabledBy, permissionRules } from "./permissions.ts";
import { renderPermissionReminder, renderSkillContext, renderSkillReminder, type LoadedSkill } from "./render.ts";
import type { SkillMetadata } from "./schema.ts";
import { pathOf, selectSkill, type Selection } from "./select.ts";
import { asLoadError, type Skill } from "./skill.ts";
import { fold } from "./tokens.ts";

/*
 * What `skills load` does once a skill is selected: asks for permission, prints the skill's text once per context and
 * records it in the ledger. What prevents that is a `Problem`.
 */

export interface LoadOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Print the text even if the context has it. */
  readonly again: boolean;
}

/**
 * The skill that a text means: one of the working directory, or by its path one of another directory of the project,
 * such as a hook announces when a tool gets there.
 */
export async function findSkill(world: World, workspace: Workspace, typed: string): Promise<Selection> {
  const path = pathOf(workspace.cwd, typed);
  const query = { text: typed, path: realPathOf(path), typedPath: path };
  const selection = await selectFrom(workspace.cwd);
  if (selection.kind !== "not-found" || query.path === undefined || !isInside(workspace.root.directory, path)) {
    return selection;
  }
  const there = await selectFrom(isDirectory(path) ? path : dirname(path));
  return there.kind === "not-found" ? selection : there;

  async function selectFrom(cwd: string): Promise<Selection> {
    const { book, errors } = await discoverSkills(world, { ...workspace, cwd });
    return selectSkill({ skills: book.all(), errors }, query);
  }
}

/**
 * Whether the rules allow loading a skill, by whatever name or path it was requested. If a rule asks for confirmation
 * and there is a terminal, the user is asked.
 *
 * @returns why it may not be loaded; undefined if it may
 * @effect a reminder on standard output if it may not; the user's config if the answer is "always"
 */
export async function permitSkill(
  world: World,
  workspace: Workspace,
  skill: Skill,
  options: LoadOptions,
): Promise<Problem | undefined> {
  const { name, path, scope } = skill;
  const source = disabledBy(workspace.layers, name);
  if (source !== undefined) {
    const why = `is disabled; take its name out of 'skills.disabled' in '${visible(source)}' to load it`;
    return denied(skill, why, { disabledBy: source });
  }
  const { decision, rule } = decidePermission(permissionRules(workspace.layers), { name, scope });
  if (decision === "allow" || rule === undefined) return undefined;
  world.trace("permission", { skill: path, decision, rule });
  if (decision === "confirm" && !options.json && world.isTerminal("stdin") && world.isTerminal("stderr")) {
    const answer = ask(world, skill);
    if (answer === "always") await remember(world, workspace, name, options);
    return answer === "no" ? denied(skill, "is not loaded: the answer was no", { decision, rule }) : undefined;
  }
  if (!options.json) world.write(renderPermissionReminder("system-reminder", { name, path, decision, rule }));
  const why =
    decision === "deny"
      ? `is not loaded: denied by ${visible(rule)}`
      : `is not loaded: ${visible(rule)} has the user asked, and that needs a terminal`;
  return denied(skill, why, { decision, rule });
}

function ask(world: World, { name, path }: Skill): Answer {
  world.complain(`Load skill '${visible(name)}' from ${visible(path)}? [y]es once, [a]lways, [N]o `);
  const line = world.readLine();
  if (line === undefined) world.complain("\n");
  return readAnswer(line);
}

/** If the answer can't be saved, the skill is still loaded this time. */
async function remember(
  world: World,
  { userDirectories }: Workspace,
  name: string,
  { quiet }: LoadOptions,
): Promise<void> {
  const { editConfigList } = await import("../config/edit.ts");
  const rule = { tool: "skill_load", skill_name: fold(name) };
  const edited = await editConfigList(world, userDirectories.config, { path: ["permissions", "allow"], add: rule });
  if (edited.kind === "failed") {
    world.warn(`the answer can't be remembered: config '${edited.path}' can't be changed: ${edited.reason}`);
  } else if (!quiet) {
    world.complain(`codelia: added skill '${visible(name)}' to 'permissions.allow' in '${visible(edited.path)}'\n`);
  }
}

function denied({ name, path }: Skill, why: string, details: Readonly<Record<string, string>>): Problem {
  return { code: "denied", message: `skill '${visible(name)}' ${why}`, details: { skill: name, path, ...details } };
}

/** Prints a skill, in full or, if this context has it already, by name; records it as loaded. */
export async function printSkill(
  world: World,
  workspace: Workspace,
  skill: SkillMetadata & LoadedSkill & { readonly digest: number | undefined },
  options: LoadOptions,
): Promise<void> {
  const { key } = workspace;
  const { path, mtimeMs, digest } = skill;
  const print = (context: string): string => {
    const { id, name, dir } = skill;
    return options.json ? jsonLine({ skill_id: id, name, path, dir, mtime_ms: mtimeMs, context }) : context;
  };
  const inFull = print(renderSkillContext(skill));
  const inShort = print(renderSkillReminder(skill, nameInShell(world, "codelia")));
  await tellOnce(world, workspace, (session) => {
    if (!options.again && isLoaded(findContext(session, key.context), skill)) return { text: inShort };
    return {
      text: inFull,
      change: { kind: "load-skill", skill: { path, mtimeMs, ...(digest !== undefined && { digest }) } },
    };
  });
}

/** Whether the context has this version of the skill: loaded since its last compaction, and unchanged. */
export function isLoaded(
  context: Context,
  skill: { readonly path: string; readonly mtimeMs: number; readonly digest?: number | undefined },
): boolean {
  if (!Object.hasOwn(context.loadedSkills, skill.path)) return false;
  const loaded = context.loadedSkills[skill.path];
  return loaded !== undefined && loaded.n > 0 && loaded.mtimeMs === skill.mtimeMs && loaded.digest === skill.digest;
}

/** A sentence for people; the details name all candidates. */
const MAX_SHOWN = 10;

/** Why the request does not select one skill. */
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
