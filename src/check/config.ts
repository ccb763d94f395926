import { join } from "node:path";
import { loadLayer } from "../config/files.ts";
import { MAX_CONFIG_BYTES } from "../config/problem.ts";
import { offsetsIn } from "../lib/edit/located.ts";
import { limitParsing } from "../lib/parse-limit.ts";
import { readText } from "../lib/read-file.ts";
import { textPositions } from "../lib/text-positions.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import { ALLOWS_NOTHING, allowingNothing, permissionRules, type PlacedRule } from "../skills/permissions.ts";
import { fold } from "../skills/tokens.ts";
import type { World } from "../world.ts";
import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";

const ADD_CONFIRM = "add a rule to 'permissions.confirm', or remove this one";

const SKILLS = join(".agents", "skills");

/**
 * The rules about the project's own config, and about the permission rules and lists in it.
 *
 * @param skillNames of the project's skills
 */
export async function checkConfig(
  world: World,
  { workspace, root }: CheckScene,
  skillNames: readonly string[],
): Promise<FamilyCheck> {
  const { path, config, asked, problems } = await loadLayer(world, {
    directories: [join(root, ".codelia")],
    isProject: true,
    cache: workspace.userDirectories.cache,
    owner: root,
  });
  if (path === undefined) return { findings: [], checked: [] };
  const findings: Finding[] = [...problems];
  if (config === undefined) return { findings, checked: [path] };
  const rules = permissionRules([{ source: path, config }]);
  const asking = permissionRules(workspace.layers).filter(({ decision }) => decision === "confirm");
  const allow = asked?.config.permissions?.allow ?? [];
  const allowing = permissionRules([{ source: path, config: { permissions: { allow } } }]);
  const idle = idleEntries([...rules, ...allowing], config.skills?.disabled ?? [], skillNames, asking);
  if (idle.length === 0) return { findings, checked: [path] };
  const lineOf = await linesIn(world, path);
  for (const entry of idle) {
    const { kind, word, message } = entry;
    const place = { path, line: lineOf(entry), message };
    if (kind === "overruled") findings.push(finding("config-overruled", { ...place, remedy: "remove one of them" }));
    else if (kind === "alone") findings.push(finding("config-overruled", { ...place, remedy: ADD_CONFIRM }));
    else {
      // The skill may have been removed, wherever it was.
      const concerns = [join(word, SKILL_FILE), join(SKILLS, word)];
      findings.push(finding("config-unknown-skill", { ...place, remedy: "correct or remove it", concerns }));
    }
  }
  return { findings, checked: [path] };
}

/** The line of an entry. The TOML parser has no positions, so there it is the first line with the word. */
async function linesIn(world: World, path: string): Promise<(entry: IdleEntry) => number> {
  const file = readText(path, MAX_CONFIG_BYTES);
  const text = file.kind === "text" ? file.text : "";
  const positionOf = textPositions(text);
  const { locateByEnding } = await import("../config/parse.ts");
  const read = limitParsing(world)(() => locateByEnding(path, text));
  const located = read?.kind === "unparsed" ? undefined : read;
  const offsetOf = offsetsIn(located);
  return ({ key, word }) => {
    const keys = [...(key.match(/\w+/g) ?? []), "skill_name"];
    return positionOf(located === undefined ? Math.max(0, text.indexOf(word)) : offsetOf(keys)).line;
  };
}

/** Something in a config file that has no effect. */
interface IdleEntry {
  readonly kind: "unknown-skill" | "overruled" | "alone";
  /** For example `permissions.deny[0]`. */
  readonly key: string;
  /** The name or kind that it applies to, as in the file. */
  readonly word: string;
  readonly message: string;
}

/** Kinds of rules, strongest first. */
const STRENGTH = ["deny", "allow", "confirm"];

/**
 * The entries of one config file that have no effect in this project.
 *
 * @param names of the project's skills
 */
function idleEntries(
  rules: readonly PlacedRule[],
  disabled: readonly string[],
  names: readonly string[],
  asking: readonly PlacedRule[],
): IdleEntry[] {
  const known = new Set(names.map(fold));
  const isUnknown = (name: string) => !known.has(fold(name));
  const unknown = (key: string, word: string): IdleEntry => {
    return { kind: "unknown-skill", key, word, message: `no skill of this project is called '${word}' (${key})` };
  };
  const byRules = rules.flatMap(({ rule, key }) =>
    rule.skill_name === undefined || rule.scope === "user" || !isUnknown(rule.skill_name)
      ? []
      : [unknown(key, rule.skill_name)],
  );
  const byList = disabled.flatMap((name, index) =>
    isUnknown(name) ? [unknown(`skills.disabled[${index}]`, name)] : [],
  );
  const overruledOnes = rules.flatMap((rule) => overruled(rule, rules));
  const denied = new Set(overruledOnes.map(({ key }) => key));
  const alone = allowingNothing([...rules, ...asking]).flatMap(({ rule, key }): IdleEntry[] =>
    denied.has(key)
      ? []
      : [{ kind: "alone", key, word: rule.skill_name ?? "allow", message: `${key} ${ALLOWS_NOTHING}` }],
  );
  return [...byRules, ...byList, ...overruledOnes, ...alone];
}

function overruled(weaker: PlacedRule, rules: readonly PlacedRule[]): IdleEntry[] {
  const stronger = rules.find(
    (other) => STRENGTH.indexOf(other.decision) < STRENGTH.indexOf(weaker.decision) && covers(other, weaker),
  );
  if (stronger === undefined) return [];
  const message = `${weaker.key} never decides: ${stronger.key} is about the same skills, and wins`;
  return [{ kind: "overruled", key: weaker.key, word: weaker.rule.skill_name ?? weaker.decision, message }];
}

/** Whether a rule covers all the skills that another one covers. */
function covers(wide: PlacedRule, narrow: PlacedRule): boolean {
  const isSameName = wide.name === undefined || wide.name === (narrow.name ?? "");
  return isSameName && (wide.rule.scope === undefined || wide.rule.scope === narrow.rule.scope);
}
