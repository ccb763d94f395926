import { join } from "node:path";
import { idleEntries } from "../core/check/permission-findings.ts";
import type { Finding } from "../core/findings.ts";
import { permissionRules } from "../core/permissions.ts";
import { finding } from "../core/rules.ts";
import { textPositions } from "../core/text-positions.ts";
import { loadLayer } from "../io/config-layer.ts";
import { readText } from "../io/read-file.ts";
import type { World } from "../world.ts";
import type { CheckScene, FamilyCheck } from "./check-scene.ts";

const MAX_CONFIG_BYTES = 64 * 1024;

/**
 * What is wrong with the project's own config, the rules about skills in it among that.
 *
 * @input  skillNames: of the project's skills
 * @effect reads; a parsed config is remembered in the user's cache directory
 * @error  none
 */
export async function checkConfig(
  world: World,
  { workspace, root }: CheckScene,
  skillNames: readonly string[],
): Promise<FamilyCheck> {
  const { path, config, problems } = await loadLayer(world, {
    directories: [join(root, ".codelia")],
    isProject: true,
    cache: workspace.places.cache,
    owner: root,
  });
  if (path === undefined) return { findings: [], checked: [] };
  const rule = config === undefined ? "config-unusable" : "config-not-heeded";
  const findings: Finding[] = problems.map((problem) => {
    const [, line, message] = /^line (\d+): ([^]*)$/.exec(problem) ?? [];
    return finding(rule, { path, line: Number(line ?? 1), message: message ?? problem });
  });
  if (config === undefined) return { findings, checked: [path] };
  const rules = permissionRules([{ source: path, config }]);
  const read = readText(path, MAX_CONFIG_BYTES);
  const text = read.kind === "text" ? read.text : "";
  const positionOf = textPositions(text);
  for (const { kind, word, message } of idleEntries(rules, config.skills?.disabled ?? [], skillNames)) {
    const { line } = positionOf(Math.max(0, text.indexOf(word)));
    const id = kind === "unknown-skill" ? "config-unknown-skill" : "config-overruled";
    const remedy = kind === "unknown-skill" ? "correct or remove it" : "remove one of them";
    findings.push(finding(id, { path, line, message, remedy }));
  }
  return { findings, checked: [path] };
}
