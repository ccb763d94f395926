import { resolve } from "node:path";
import { CONTEXT_ARGS, OUTPUT_ARGS, PLACE_ARGS, textFlag, usage, wantsJson, XML_ARGS } from "../cli/args.ts";
import type { Command, Invocation, Outcome } from "../command.ts";
import { hasPlugin } from "../config/settings.ts";
import { DEFAULT_SESSION } from "../ledger/contexts.ts";
import { jsonLine } from "../lib/escape.ts";
import { disabledNames } from "../skills/permissions.ts";
import { discoverSkills } from "../skills/discover.ts";
import { MAX_QUERY, rankSkills, type Ranking, type SkillHit } from "../skills/rank.ts";
import { renderSkillsSearch } from "../skills/render.ts";
import type { SkillSearchResult } from "../skills/schema.ts";
import { realPathOf } from "../lib/path-facts.ts";
import { withId, type Skill } from "../skills/skill.ts";
import { inWorkspace, isForPeople, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * @input  query: words, a name, `$name`, or the path of a skill; no match is a valid answer
 * @error  usage without a query or with a limit that is not a number
 */
export const command: Command = {
  meta: { name: "search", description: "Find skills that match a query, best first." },
  args: {
    query: { type: "positional", valueHint: "…", description: "words, a name, $name, or a path" },
    limit: { type: "string", valueHint: "N", description: "print at most N results" },
    scope: { type: "enum", options: ["repo", "user"], description: "only the project's skills, or only the user's" },
    ...XML_ARGS,
    ...PLACE_ARGS,
    ...CONTEXT_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: Number.POSITIVE_INFINITY,
  run(world, invocation) {
    const query = invocation.operands.join(" ").trim();
    if (query === "") return usage("'codelia skills search' needs a query; see 'codelia skills search --help'");
    const asked = textFlag(invocation.flags["limit"]);
    if (asked !== undefined && !/^[1-9]\d{0,8}$/.test(asked)) {
      return usage(`'--limit' can't be '${asked}'; it must be a positive whole number`);
    }
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const isJson = wantsJson(invocation.flags);
      const { enabled } = workspace.settings.skills;
      const ranking = enabled ? await search(world, workspace, query, invocation) : { results: [], truncated: false };
      const { results, truncated } = ranking;
      if (isJson) {
        world.write(jsonLine({ results: results.map(asPublic), count: results.length, truncated }));
      } else if (isForPeople(world, invocation)) {
        const { displayOf } = await import("../cli/display.ts");
        const { foundTable } = await import("../skills/skills-table.ts");
        world.write(foundTable(displayOf(world), { query, results, truncated }));
      } else if (enabled) world.write(renderSkillsSearch({ query, results, truncated }));
      // A person trying a search is not a context.
      if (results.length > 0 && workspace.key.session !== DEFAULT_SESSION) {
        const { noteSkills } = await import("../ledger/evidence.ts");
        const paths = results.map(({ skill }) => skill.path);
        noteSkills(world, workspace, "found", paths);
      }
      return "ok";
    });
  },
};

function asPublic({ skill, score, reason }: SkillHit): SkillSearchResult {
  return { skill: withId(skill), score, reason };
}

async function search(world: World, workspace: Workspace, query: string, { flags }: Invocation): Promise<Ranking> {
  if (query.length > MAX_QUERY) world.warn(`only the first ${MAX_QUERY} characters of the query are used`);
  const { defaultLimit, maxLimit } = workspace.settings.skills.search;
  const asked = Number(textFlag(flags["limit"]) ?? Math.min(defaultLimit, maxLimit));
  if (asked > maxLimit) world.warn(`'--limit ${asked}' is more than 'skills.search.maxLimit' (${maxLimit})`);
  const { book, truncated } = await discoverSkills(world, workspace);
  const path = realPathOf(resolve(workspace.cwd, query));
  const scope = textFlag(flags["scope"]);
  const { disabled } = workspace.settings.skills;
  const isDisabled = disabledNames(disabled);
  const isAll = scope === undefined && disabled.length === 0;
  const isWanted = (skill: Skill) => (scope === undefined || skill.scope === scope) && !isDisabled(skill.name);
  const limit = Math.min(asked, maxLimit);
  const isExtended = hasPlugin(workspace.layers, world.env, "skills:ranked");
  // A plugin may raise a result that would otherwise not be shown.
  const most = isExtended ? maxLimit : limit;
  const ranking = rankSkills(book, { text: query, path }, most, isAll ? undefined : isWanted);
  const results = isExtended
    ? await rankByPlugins(world, workspace, { query, limit }, ranking.results)
    : ranking.results;
  return {
    results: results.slice(0, limit),
    truncated: results.length > limit || ranking.truncated || truncated,
  };
}

async function rankByPlugins(
  world: World,
  workspace: Workspace,
  asked: { readonly query: string; readonly limit: number },
  results: readonly SkillHit[],
): Promise<readonly SkillHit[]> {
  const { extendRanking } = await world.extensions();
  return extendRanking(world, workspace, asked, results);
}
