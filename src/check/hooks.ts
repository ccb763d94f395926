import { basename, dirname, extname } from "node:path";
import { loadSettings } from "../clients/registry.ts";
import { isUsersOwn, placesOf } from "../clients/settings/target.ts";
import { readSettingsText } from "../clients/settings/text.ts";
import { readSettings, type SettingsFile } from "../clients/settings/file.ts";
import type { ClientSettings, Scope } from "../clients/settings/model.ts";
import { offsetsIn } from "../lib/edit/located.ts";
import { isDirectory, isFile } from "../lib/path-facts.ts";
import { findOnPath, isExecutable } from "../lib/programs.ts";
import { isInside } from "../lib/paths.ts";
import { textWithin } from "../lib/read-file.ts";
import { groupBy } from "../lib/sorting.ts";
import { textPositions } from "../lib/text-positions.ts";
import type { World } from "../world.ts";
import type { Finding } from "./findings.ts";
import { hookPrograms, type HookProgram } from "./hook-programs.ts";
import { MAX_TEXT_BYTES } from "./instruction-files.ts";
import { finding } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";
import { absentSubmodules, danglesOutside } from "./walk.ts";

type FileOfSettings = Extract<SettingsFile, { readonly kind: "file" }>;

/**
 * The rules about the hooks that a project's own settings files register with a client. `doctor` checks the user's
 * files. Files that git ignores are read too, as the client does.
 */
export async function checkHooks(world: World, scene: CheckScene): Promise<FamilyCheck> {
  const { workspace, root } = scene;
  if (isUsersOwn(world, workspace)) return { findings: [], checked: [] };
  const findings: Finding[] = [];
  const checked: string[] = [];
  for (const client of await loadSettings()) {
    for (const scope of client.scopes) {
      if (scope === "user") continue;
      const path = client.settingsFile(scope, { ...placesOf(world, workspace), root });
      const file = readSettings(world, path, root);
      if (file.kind === "absent" || isDirectoryOfPlugins(path) || isBelowFile(path)) continue;
      checked.push(path);
      if (file.kind === "file") {
        findings.push(...refusedFile(client, scope, file));
        for (const found of ignoredHooks(client, path, file.text)) findings.push(found);
        for (const found of checkFile(world, client, scene, path, file.text)) findings.push(found);
      } else if (!danglesOutside(path, root) && !isJson(root, path)) findings.push(file.problem);
    }
  }
  return { findings, checked };
}

/** A file that its client ignores or rejects, though we can read it. */
function refusedFile({ name, refuses }: ClientSettings, scope: Scope, file: FileOfSettings): Finding[] {
  const refusal = refuses?.(file);
  if (refusal === undefined) return [];
  const mend = `let 'codelia install ${name} --scope ${scope} --mend' take it out`;
  const remedy = refusal.mended === undefined ? "correct it" : `correct it, or ${mend}`;
  return [finding("hook-unusable", { path: file.path, message: refusal.why, remedy })];
}

/** The hooks of a file that its client reads, but never runs. */
function ignoredHooks(client: ClientSettings, path: string, text: string): Finding[] {
  const { data, located } = readSettingsText(text);
  const ignored = client.ignores?.(data) ?? [];
  const positionOf = textPositions(text);
  const offsetOf = offsetsIn(located);
  return ignored.map(({ keys, why, remedy }) => {
    const place = { path, ...positionOf(offsetOf(keys)) };
    const cause = { key: path, noun: "more hook", where: " in this file" };
    return finding("hook-ignored", { ...place, message: why, remedy, cause });
  });
}

/** Some clients keep a directory of hooks or plugins where others keep a file. */
function isDirectoryOfPlugins(path: string): boolean {
  return extname(path) === "" && isDirectory(path);
}

/** Whether a client can read what we don't: a table with one key twice, of which it takes the last. */
function isJson(root: string, path: string): boolean {
  try {
    JSON.parse(textWithin(root, path, MAX_TEXT_BYTES) ?? "");
    return true;
  } catch {
    return false;
  }
}

/** Where a client's directory would be, a project may have a file of its own. */
function isBelowFile(path: string): boolean {
  return isFile(dirname(path));
}

function checkFile(
  world: World,
  client: ClientSettings,
  { root, walked }: CheckScene,
  path: string,
  text: string,
): Finding[] {
  const { data, located } = readSettingsText(text);
  const positionOf = textPositions(text);
  const offsetOf = offsetsIn(located);
  const programs = hookPrograms(data, { client: client.name, root, variable: client.rootVariable });
  const known = new Map<string, boolean>();
  const submodules = absentSubmodules(root);
  const isMissing = (found: HookProgram): boolean => {
    // A package manager brings it, or it is in a submodule that is not checked out.
    if (INSTALLED.test(found.program)) return false;
    if (!found.isBare && submodules.some((place) => isInside(place, found.program))) return false;
    const key = `${found.isBare} ${found.isScript} ${found.program}`;
    const isGone = known.get(key) ?? !isThere(world, found);
    known.set(key, isGone);
    return isGone;
  };
  const missing = programs
    .filter(isMissing)
    .filter(({ isBare, program }) => isBare || isInside(root, program) || isOwn(program));
  return [...groupBy(missing, (each) => each.program).values()].flatMap(([first]) => {
    if (first === undefined) return [];
    const { program, isScript, isBare, keys } = first;
    const place = { path, ...positionOf(offsetOf(keys)) };
    const isLocked = !isBare && !isScript && isFile(program);
    const [why, remedy] = isBare
      ? ["is not on PATH", `install it, or let 'codelia install ${client.name}' rewrite the entry`]
      : isLocked
        ? ["is not executable", "run 'chmod +x' on it, or call it by its interpreter"]
        : [`does not exist${isScript ? "" : " or can't be run"}`, "add it, or remove the hook"];
    const cause = isLocked ? { cause: { key: path, noun: "more program" } } : {};
    const what = { ...place, message: `'${program}' ${why}`, remedy, ...cause, concerns: [program] };
    // A file that git ignores is built or local, and may exist where the hook runs.
    return [finding("hook-missing-program", walked.isIgnored(program) ? { ...what, severity: "note" } : what)];
  });
}

const INSTALLED = /[\\/]node_modules[\\/]/;

/** Whether a program outside the repository, where each machine has others, is the one that `install` writes. */
function isOwn(program: string): boolean {
  return /^codelia(?:\.exe)?$/.test(basename(program));
}

function isThere(world: World, { program, isScript, isBare }: HookProgram): boolean {
  if (isBare) return findOnPath(world, program) !== undefined;
  return isScript ? isFile(program) : isExecutable(program);
}
