import type { Finding } from "./findings.ts";
import { hookPrograms, type HookProgram } from "./hook-programs.ts";
import { offsetsIn } from "../lib/edit/located.ts";
import type { SettingsHost } from "../clients/settings/settings-host.ts";
import { finding } from "./rules.ts";
import { textPositions } from "../lib/text-positions.ts";
import { findOnPath, isExecutable, isFile } from "../lib/own-program.ts";
import { readSettings, readSettingsText } from "../clients/settings/settings-file.ts";
import type { World } from "../world.ts";
import type { CheckScene, FamilyCheck } from "./check-scene.ts";
import { isUsersOwn, placesOf } from "../clients/settings/hook-settings.ts";
import { SETTINGS_HOSTS } from "../clients/settings-hosts.ts";

/**
 * What is wrong with the hooks that a project's own settings files register with a client; the user's files are for
 * `doctor`. They are read wherever git ignores them: so does the client.
 *
 * @effect reads
 * @error  none
 */
export function checkHooks(world: World, scene: CheckScene): FamilyCheck {
  const { workspace, root } = scene;
  if (isUsersOwn(world, workspace)) return { findings: [], checked: [] };
  const findings: Finding[] = [];
  const checked: string[] = [];
  for (const host of SETTINGS_HOSTS) {
    for (const scope of host.scopes) {
      if (scope === "user") continue;
      const path = host.settingsFile(scope, { ...placesOf(world, workspace), root });
      const file = readSettings(world, path, root);
      if (file.kind === "absent") continue;
      checked.push(path);
      if (file.kind === "file") {
        for (const found of checkFile(world, host, scene, path, file.text)) findings.push(found);
      } else findings.push(unusable(path, file.problem));
    }
  }
  return { findings, checked };
}

function unusable(path: string, problem: string): Finding {
  const [, line, message] = /^line (\d+): ([^]*)$/.exec(problem) ?? [];
  return finding("hook-unusable", { path, line: Number(line ?? 1), message: message ?? problem });
}

function checkFile(
  world: World,
  host: SettingsHost,
  { root, walked }: CheckScene,
  path: string,
  text: string,
): Finding[] {
  const { data, located } = readSettingsText(text);
  const positionOf = textPositions(text);
  const offsetOf = offsetsIn(located);
  const programs = hookPrograms(data, { host: host.name, root, variable: host.rootVariable });
  const known = new Map<string, boolean>();
  const isMissing = (found: HookProgram): boolean => {
    const key = `${found.isBare} ${found.isScript} ${found.program}`;
    const isGone = known.get(key) ?? !isThere(world, found);
    known.set(key, isGone);
    return isGone;
  };
  return programs.filter(isMissing).map(({ program, isScript, isBare, keys }) => {
    const place = { path, ...positionOf(offsetOf(keys)) };
    const why = isBare ? "is not on PATH" : `is not there${isScript ? "" : ", or can't be run"}`;
    const remedy = isBare
      ? `install it, or let 'codelia install ${host.name}' write the entry anew`
      : "put it there, or remove the hook";
    const what = { ...place, message: `'${program}' ${why}`, remedy, concerns: [program] };
    // What git ignores is built, or one's own: it may well be there where the hook runs.
    return finding("hook-missing-program", walked.isIgnored(program) ? { ...what, severity: "note" } : what);
  });
}

function isThere(world: World, { program, isScript, isBare }: HookProgram): boolean {
  if (isBare) return findOnPath(world, program) !== undefined;
  return isScript ? isFile(program) : isExecutable(program);
}
