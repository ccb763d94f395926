import { findContext, load } from "../ledger/ledger.ts";
import { isLoaded } from "./reload.ts";
import { tellOnce } from "../ledger/tell-once.ts";
import { type Workspace } from "../workspace.ts";
import { surroundingsOf } from "../ledger/surroundings.ts";
import { renderSkillContext, renderSkillReminder, type LoadedSkill } from "./skill-context.ts";
import type { SkillMetadata } from "./schema.ts";
import type { World } from "../world.ts";
import { jsonLine } from "../lib/escape.ts";

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
      record: (ledger) => load(ledger, key, surroundingsOf(workspace), skill, world.now()),
    };
  });
}

function print({ id, name, path, dir, mtimeMs }: SkillMetadata, context: string, { json }: Manner): string {
  if (!json) return context;
  return jsonLine({ skill_id: id, name, path, dir, mtime_ms: mtimeMs, context });
}
