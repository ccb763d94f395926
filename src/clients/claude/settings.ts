import { join } from "node:path";
import { wholeLadder } from "../../lib/paths.ts";
import { valueAt } from "../../lib/table.ts";
import type { Part, TreeFacts } from "../client.ts";
import {
  HOOK_EVENTS,
  type ClientPlaces,
  type ClientSettings,
  type InstalledAt,
  type Remark,
  type Scope,
} from "../settings/model.ts";
import { saysSomething } from "./memory.ts";
import { configDirectory, LOADER_PLUGIN, LOCAL_MEMORY, MEMORIES } from "./places.ts";

const INSTRUCTION_GLOB = /(?:^|\/)AGENTS\.md$/;

export const settings: Part<ClientSettings> = {
  rootVariable: "CLAUDE_PROJECT_DIR",
  scopes: ["local", "project", "user"],
  // Where a sub-agent is compacted it sends `SessionStart` too, and `PostCompact` after it.
  events: HOOK_EVENTS.filter(({ name }) => name !== "PostCompact"),
  sampled: "PreToolUse",
  layout: { kind: "groups" },
  settingsFile,
  afterInstall(scope, path) {
    return scope === "local" ? [`'${path}' names a program of this machine: keep it out of git`] : [];
  },
  remarks: (places, facts, installed) => [
    ...switchedOff(places, facts),
    loaderRemark(places, facts),
    ...reachRemarks(places, installed),
  ],
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

function settingsFile(scope: Scope, places: ClientPlaces): string {
  const { root } = places;
  switch (scope) {
    case "local":
      return join(root, ".claude", "settings.local.json");
    case "project":
      return join(root, ".claude", "settings.json");
    case "user":
      return join(configDirectory(places), "settings.json");
  }
}

/** The one with the highest precedence first. */
function settingsFiles(places: ClientPlaces): string[] {
  return (["local", "project", "user"] as const).map((scope) => settingsFile(scope, places));
}

function switchedOff(places: ClientPlaces, facts: TreeFacts): Remark[] {
  const path = settingsFiles(places).find((file) => valueAt(facts.data(file), "disableAllHooks") === true);
  return path === undefined
    ? []
    : [{ kind: "attention", text: `'disableAllHooks' in '${path}' switches every hook off` }];
}

function loaderRemark(places: ClientPlaces, facts: TreeFacts): Remark {
  const files = settingsFiles(places);
  const isEnabled = (file: string) => valueAt(facts.data(file), "enabledPlugins", LOADER_PLUGIN);
  const deciding = files.find((file) => typeof isEnabled(file) === "boolean");
  if (deciding !== undefined && isEnabled(deciding) === false) {
    return loaderIsOff(`'${deciding}' switches its plugin off`);
  }
  const excluding = files.find((file) => {
    const globs = valueAt(facts.data(file), "claudeMdExcludes");
    return Array.isArray(globs) && globs.some((glob) => typeof glob === "string" && INSTRUCTION_GLOB.test(glob));
  });
  if (excluding !== undefined) return loaderIsOff(`'claudeMdExcludes' in '${excluding}' names AGENTS.md`);
  const memory = wholeLadder(places.cwd)
    .toReversed()
    .flatMap((directory) => [...MEMORIES, LOCAL_MEMORY].map((name) => join(directory, name)))
    .find((path) => saysSomething(path, facts));
  if (memory !== undefined) return loaderIsOff(`'${memory}' is there`);
  return { kind: "note", text: "its own loader of AGENTS.md is on: no CLAUDE.md and no setting switches it off here" };
}

function loaderIsOff(why: string): Remark {
  return { kind: "fine", text: `its own loader of AGENTS.md is off: ${why}` };
}

/** Whether sessions in sub-directories read what is installed. */
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
