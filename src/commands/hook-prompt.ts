import { pathsOfPrompt } from "../core/paths/prompt-paths.ts";
import { judgeSkill, permissionRules } from "../core/permissions.ts";
import { mentionsIn } from "../core/skills/mention.ts";
import { selectSkill } from "../core/skills/select-skill.ts";
import type { Host, HostEvent } from "../core/hooks/host.ts";
import { discoverSkills } from "../io/skills/discover.ts";
import type { Workspace } from "../io/workspace.ts";
import { renderSkillPointers, type SkillPointer } from "../render/skill-pointers.ts";
import type { World } from "../world.ts";
import { sayPaths, tellPaths } from "./tell-paths.ts";

/** What applies to the files that a prompt mentions, and where the skills are that it names. */
export async function tellPrompt(
  world: World,
  workspace: Workspace,
  host: Host,
  event: HostEvent,
  prompt: string,
): Promise<void> {
  const pointers = renderSkillPointers(await pointersOf(world, workspace, prompt));
  const { agents } = workspace.settings;
  const paths = agents.enabled && agents.resolver.enabled ? pathsOfPrompt(prompt, workspace.cwd, world.home) : [];
  const isTold =
    paths.length > 0 &&
    (await tellPaths(
      world,
      workspace,
      paths.map(({ path }) => path),
      (pending) =>
        sayPaths(host.element, pending, (text) => {
          const answer = host.tell(event, text + pointers);
          return host.fits(answer) ? answer : undefined;
        }),
    ));
  if (isTold || pointers === "") return;
  const answer = host.tell(event, pointers);
  if (host.fits(answer)) world.write(answer);
}

async function pointersOf(world: World, workspace: Workspace, prompt: string): Promise<SkillPointer[]> {
  const names = mentionsIn(prompt);
  if (names.length === 0 || !workspace.settings.skills.enabled || workspace.userConfigLost) return [];
  const { book, errors } = await discoverSkills(world, workspace);
  const rules = permissionRules(workspace.layers);
  const pointers: SkillPointer[] = [];
  for (const name of names) {
    const selection = selectSkill({ skills: book.all(), errors }, { text: name, path: undefined, typedPath: name });
    const candidates =
      selection.kind === "found" ? [selection.skill] : selection.kind === "ambiguous" ? selection.candidates : [];
    const allowed = candidates.filter((skill) => judgeSkill(rules, skill).decision !== "deny");
    if (allowed.length > 0) pointers.push({ name, paths: allowed.map(({ path }) => path) });
  }
  return pointers;
}
