import { loadSettings } from "../clients/registry.ts";
import type { ClientSettings } from "../clients/settings/model.ts";
import { readSettings } from "../clients/settings/file.ts";
import { isUsersOwn, placesOf } from "../clients/settings/target.ts";
import { lineOfTomlKey, parseToml } from "../lib/toml.ts";
import type { World } from "../world.ts";
import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";

/** The rule `client-config`: mistakes in a project's config of a client, with which the client does not start. */
export async function checkClientConfigs(world: World, { workspace, root }: CheckScene): Promise<FamilyCheck> {
  const findings: Finding[] = [];
  const checked: string[] = [];
  if (isUsersOwn(world, workspace)) return { findings, checked };
  for (const client of await loadSettings()) {
    const path = client.projectConfig?.path({ ...placesOf(world, workspace), root });
    const file = path === undefined ? undefined : readSettings(world, path, root, "any");
    if (file?.kind !== "file") continue;
    checked.push(file.path);
    findings.push(...mistakesOf(client, file.path, file.text));
  }
  return { findings, checked };
}

function mistakesOf({ title, projectConfig }: ClientSettings, path: string, text: string): Finding[] {
  const parsed = parseToml(text);
  if (parsed.kind === "error") {
    if (OF_OUR_PARSER.test(parsed.message)) return [];
    const why = parsed.message.replace(/^Invalid TOML document: /, "");
    const message = `${title} does not start with it, because it is not TOML: ${why}`;
    return [finding("client-config", { path, line: parsed.line, message, remedy: "correct it", about: "TOML" })];
  }
  return (projectConfig?.mistakesIn(parsed.data) ?? []).map(({ keys, why }) =>
    finding("client-config", {
      path,
      line: lineOfTomlKey(text, keys),
      message: `${title} does not start with it, because '${keys.join(".")}' ${why}`,
      remedy: "correct or remove it",
    }),
  );
}

/** What others accept: large numbers, names that are dangerous in JavaScript, and deep nesting. */
const OF_OUR_PARSER = /represented losslessly|'__proto__' and 'constructor'|nested too deeply/;
