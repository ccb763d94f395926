import type { Problem } from "../command.ts";
import type { PermissionRule, SkillScope } from "../config/schema.ts";
import type { Layer } from "../config/settings.ts";
import { renderReminder, type ReminderElement } from "../instructions/tell.ts";
import { readAnswer, type Answer } from "../lib/answer.ts";
import { escapeText, visible } from "../lib/escape.ts";
import { quoteForShell } from "../lib/shell-quote.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { disabledBy } from "./disabled.ts";
import type { Skill } from "./skill.ts";
import { fold } from "./tokens.ts";

/** The kinds of rules, the stronger first. */
const KINDS = ["deny", "allow", "confirm"] as const;

export type Decision = (typeof KINDS)[number];

export interface PlacedRule {
  readonly decision: Decision;
  readonly rule: PermissionRule;
  /** The skill's name that it is about, folded: each skill is held against each rule. */
  readonly name: string | undefined;
  /** `permissions.deny[0]` */
  readonly key: string;
  /** The layer it stands in. */
  readonly source: string;
}

export interface Permission {
  readonly decision: Decision;
  /** `permissions.deny[0] in /home/u/.codelia/config.yaml`; where no rule matches there is none, and all is allowed. */
  readonly rule: string | undefined;
}

/** The rules of every layer, the stronger kind first. */
export function permissionRules(layers: readonly Layer[]): PlacedRule[] {
  return KINDS.flatMap((decision) =>
    layers.flatMap(({ source, config }) =>
      (config.permissions?.[decision] ?? []).map((rule, index) => ({
        decision,
        rule,
        name: rule.skill_name === undefined ? undefined : fold(rule.skill_name),
        key: `permissions.${decision}[${index}]`,
        source,
      })),
    ),
  );
}

/** What the rules say about loading a skill: what forbids wins over what allows, which wins over what asks. */
export function judgeSkill(
  rules: readonly PlacedRule[],
  skill: { readonly name: string; readonly scope: SkillScope },
): Permission {
  // Another letter case or width of a name is the same name: a lenient skill could slip through by it otherwise.
  const name = fold(skill.name);
  for (const decision of KINDS) {
    const found = rules.find((placed) => placed.decision === decision && matches(placed, name, skill.scope));
    if (found !== undefined) return { decision, rule: `${found.key} in ${found.source}` };
  }
  return { decision: "allow", rule: undefined };
}

function matches({ rule: { tool, scope }, name }: PlacedRule, skill: string, skillScope: SkillScope): boolean {
  return tool === "skill_load" && (name === undefined || name === skill) && (scope ?? skillScope) === skillScope;
}

export interface PermissionNews {
  readonly name: string;
  readonly path: string;
  readonly decision: "deny" | "confirm";
  /** The rule that decided, and where it stands. */
  readonly rule: string;
}

/** Said in place of a skill's text, when a rule keeps it back. */
export function renderPermissionReminder(element: ReminderElement, news: PermissionNews): string {
  const { name, path, decision, rule } = news;
  const lines = [
    "Permission decision for skill_load:",
    `- skill: ${escapeText(name)}`,
    `- decision: ${decision} (${escapeText(rule)})`,
  ];
  if (decision === "confirm") {
    const command = escapeText(quoteForShell(path));
    lines.push(
      "Nothing was loaded: the user is asked first. To let it through, the user runs this at a terminal and answers 'a':",
      `codelia skills load ${command}`,
    );
  }
  return renderReminder(element, "permission.decision", lines);
}

export interface Asking {
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * Whether the rules let a skill be loaded; judged on the skill itself, whatever it was called by. At a terminal the
 * user is asked where a rule says so.
 *
 * @output undefined when it may be loaded, else why not
 * @effect a reminder on standard output when it may not; a question; the user's config, when it is answered with "always"
 * @error  denied
 */
export async function permitSkill(
  world: World,
  workspace: Workspace,
  skill: Skill,
  asking: Asking,
): Promise<Problem | undefined> {
  const { name, path, scope } = skill;
  const source = disabledBy(workspace.layers, name);
  if (source !== undefined) {
    const why = `is disabled; take its name out of 'skills.disabled' in '${visible(source)}' to load it`;
    return denied(skill, why, { disabledBy: source });
  }
  const { decision, rule } = judgeSkill(permissionRules(workspace.layers), { name, scope });
  if (decision === "allow" || rule === undefined) return undefined;
  world.trace("permission", { skill: path, decision, rule });
  if (decision === "confirm" && !asking.json && world.isTerminal("stdin") && world.isTerminal("stderr")) {
    const answer = ask(world, skill);
    if (answer === "always") await remember(world, workspace, name, asking);
    return answer === "no" ? denied(skill, "is not loaded: the answer was no", { decision, rule }) : undefined;
  }
  if (!asking.json) world.write(renderPermissionReminder("system-reminder", { name, path, decision, rule }));
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

/** What can't be remembered is allowed once all the same: the answer was given. */
async function remember(world: World, { places }: Workspace, name: string, { quiet }: Asking): Promise<void> {
  const { editConfigList } = await import("../config/edit.ts");
  const rule = { tool: "skill_load", skill_name: fold(name) };
  const place = { directories: places.config };
  const edited = await editConfigList(world, place, { path: ["permissions", "allow"], add: rule });
  if (edited.kind === "failed") {
    world.warn(`the answer can't be remembered: config '${edited.path}' can't be changed: ${edited.reason}`);
  } else if (!quiet) {
    world.complain(`codelia: 'permissions.allow' in '${visible(edited.path)}' has skill '${visible(name)}' now\n`);
  }
}

function denied({ name, path }: Skill, why: string, details: Readonly<Record<string, string>>): Problem {
  return { code: "denied", message: `skill '${visible(name)}' ${why}`, details: { skill: name, path, ...details } };
}
