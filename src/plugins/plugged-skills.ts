import type { SkillHit } from "../skills/rank.ts";
import { withId, type Skill } from "../skills/skill.ts";
import type { World } from "../world.ts";
import { runHook, type HookSetting } from "./run-hook.ts";

/**
 * `skills:catalog`: the skills that are shown, as plugins have them.
 *
 * @output some of them, in another order
 * @effect, @error as `runHook`
 */
export function pluggedCatalog(world: World, setting: HookSetting, skills: readonly Skill[]): readonly Skill[] {
  const known = new Map(skills.map((skill) => [skill.path, skill]));
  return runHook<"skills:catalog", readonly Skill[]>(
    world,
    setting,
    "skills:catalog",
    skills,
    (current) => ({ skills: current.map(withId) }),
    (data) => {
      const chosen = new Set<Skill>();
      for (const { path } of data.skills) {
        const skill = known.get(path);
        if (skill === undefined) return { reason: `'${path}' was not among the skills` };
        chosen.add(skill);
      }
      return { state: [...chosen] };
    },
  );
}

/**
 * `skills:ranked`: what a search found, as plugins have it.
 *
 * @input  limit: how many of them are shown
 * @output some of them, in another order, with other scores
 * @effect, @error as `runHook`
 */
export function pluggedRanking(
  world: World,
  setting: HookSetting,
  { query, limit }: { readonly query: string; readonly limit: number },
  results: readonly SkillHit[],
): readonly SkillHit[] {
  const known = new Map(results.map((hit) => [hit.skill.path, hit]));
  return runHook<"skills:ranked", readonly SkillHit[]>(
    world,
    setting,
    "skills:ranked",
    results,
    (current) => ({
      query,
      limit,
      results: current.map(({ skill, score, reason }) => ({ skill: withId(skill), score, reason })),
    }),
    (data) => {
      const chosen = new Map<string, SkillHit>();
      for (const { skill, score } of data.results) {
        const hit = known.get(skill.path);
        if (hit === undefined) return { reason: `'${skill.path}' was not among the results` };
        chosen.set(skill.path, { ...hit, score });
      }
      return { state: [...chosen.values()] };
    },
  );
}
