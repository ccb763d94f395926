import type { Part } from "../client.ts";
import { dirname, join } from "node:path";
import { HOOK_EVENTS } from "../settings/model.ts";
import type { ClientEvidence, ClientPlaces, InstalledAt, Remark, Scope, ClientSettings } from "../settings/model.ts";
import { namedDirectory } from "../../lib/paths.ts";
import { valueAt } from "../../lib/table.ts";

const NATIVE_LOADER = "cc-plugin-agents-md@builtin";
const INSTRUCTION_GLOB = /(?:^|\/)AGENTS\.md$/;

export const settings: Part<ClientSettings> = {
  rootVariable: "CLAUDE_PROJECT_DIR",
  scopes: ["local", "project", "user"],
  events: HOOK_EVENTS,
  sampled: "PreToolUse",
  layout: { kind: "groups" },
  settingsFile,
  afterInstall(scope, path) {
    return scope === "local" ? `'${path}' names a program of this machine: keep it out of git` : undefined;
  },
  evidence: (places) => ({ data: settingsFiles(places), texts: memoryFiles(places.cwd) }),
  remarks(places, found, installed) {
    return [...switchedOff(places, found), loaderRemark(places, found), ...reachRemarks(places, installed)];
  },
  sampleEvent: (directory, file) => ({
    session_id: "codelia-doctor",
    transcript_path: join(directory, "transcript.jsonl"),
    cwd: directory,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Read",
    tool_input: { file_path: file },
    tool_use_id: "toolu_codelia_doctor",
  }),
};

function settingsFile(scope: Scope, { root, home, env }: ClientPlaces): string {
  switch (scope) {
    case "local":
      return join(root, ".claude", "settings.local.json");
    case "project":
      return join(root, ".claude", "settings.json");
    case "user":
      return join(namedDirectory(env["CLAUDE_CONFIG_DIR"], join(home, ".claude")), "settings.json");
  }
}

/** The one that wins first. */
function settingsFiles(places: ClientPlaces): string[] {
  return (["local", "project", "user"] as const).map((scope) => settingsFile(scope, places));
}

/** The files whose text turns the built-in loader off, in the directory and above. */
function memoryFiles(cwd: string): string[] {
  const found: string[] = [];
  for (let directory = cwd; ; directory = dirname(directory)) {
    found.push(
      join(directory, "CLAUDE.md"),
      join(directory, ".claude", "CLAUDE.md"),
      join(directory, "CLAUDE.local.md"),
    );
    if (dirname(directory) === directory) return found;
  }
}

function switchedOff(places: ClientPlaces, { data }: ClientEvidence): Remark[] {
  const path = settingsFiles(places).find((file) => valueAt(data.get(file), "disableAllHooks") === true);
  return path === undefined
    ? []
    : [{ kind: "attention", text: `'disableAllHooks' in '${path}' switches every hook off` }];
}

function loaderRemark(places: ClientPlaces, { data, texts }: ClientEvidence): Remark {
  const files = settingsFiles(places);
  const deciding = files.find((file) => typeof valueAt(data.get(file), "enabledPlugins", NATIVE_LOADER) === "boolean");
  if (deciding !== undefined && valueAt(data.get(deciding), "enabledPlugins", NATIVE_LOADER) === false) {
    return loaderIsOff(`'${deciding}' switches its plugin off`);
  }
  const excluding = files.find((file) => {
    const globs = valueAt(data.get(file), "claudeMdExcludes");
    return Array.isArray(globs) && globs.some((glob) => typeof glob === "string" && INSTRUCTION_GLOB.test(glob));
  });
  if (excluding !== undefined) return loaderIsOff(`'claudeMdExcludes' in '${excluding}' names AGENTS.md`);
  const memory = memoryFiles(places.cwd).find((file) => texts.has(file));
  if (memory !== undefined) return loaderIsOff(`'${memory}' is there`);
  return { kind: "note", text: "its own loader of AGENTS.md is on: no CLAUDE.md and no setting switches it off here" };
}

function loaderIsOff(why: string): Remark {
  return { kind: "fine", text: `its own loader of AGENTS.md is off: ${why}` };
}

/** Which sessions read what is installed. */
function reachRemarks({ cwd, root }: ClientPlaces, installed: readonly InstalledAt[]): Remark[] {
  const scopes = installed.filter(({ handlers }) => handlers.length > 0);
  const project = scopes.find(({ scope }) => scope === "project");
  if (project === undefined || scopes.length > 1) return [];
  return [
    {
      kind: cwd === root ? "note" : "attention",
      text: `a session that is started in a sub-directory does not read '${project.path}'; '--scope local' is read there too`,
    },
  ];
}
