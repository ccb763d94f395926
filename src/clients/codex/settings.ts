import { dirname, join } from "node:path";
import { ladder } from "../../lib/paths.ts";
import { inSingleQuotes } from "../../lib/shell-quote.ts";
import { valueAt } from "../../lib/table.ts";
import type { Part } from "../client.ts";
import {
  HOOK_EVENTS,
  type ClientPlaces,
  type ClientSettings,
  type HookEvent,
  type InstalledAt,
  type Remark,
  type Scope,
} from "../settings/model.ts";
import { codexHome } from "./profile.ts";

const APPROVE = "run codex and approve once ('/hooks')";

/** It takes a text of any length where an entry asks for that. */
const events = HOOK_EVENTS.map((event): HookEvent => {
  return event.parts === 1 ? event : Object.assign({}, event, { parts: 1, isWhole: true });
});

export const settings: Part<ClientSettings> = {
  scopes: ["project", "user"],
  events,
  sampled: "PreToolUse",
  layout: { kind: "groups" },
  settingsFile,
  afterInstall: () => [`codex skips hooks that are not approved: ${APPROVE}`],
  remarks(places, facts, installed) {
    const found = installed.filter(({ handlers }) => handlers.length > 0);
    if (found.length === 0) return [];
    const config = facts.data(configFile(places));
    return [
      ...switchedOff(places, config),
      ...found.filter(({ scope }) => scope === "project").map((at) => trustRemark(places, at, config)),
      ...found.map((at) => approvalRemark(at, config)),
    ];
  },
  sampleEvent: (directory, file) => ({
    session_id: "codelia-doctor",
    turn_id: "1",
    transcript_path: null,
    cwd: directory,
    hook_event_name: "PreToolUse",
    model: "codelia-doctor",
    permission_mode: "default",
    tool_name: "Bash",
    tool_input: { command: `cat ${inSingleQuotes(file)}` },
    tool_use_id: "call_codelia_doctor",
  }),
};

function settingsFile(scope: Scope, places: ClientPlaces): string {
  return join(scope === "user" ? codexHome(places) : join(places.root, ".codex"), "hooks.json");
}

function configFile(places: ClientPlaces): string {
  return join(codexHome(places), "config.toml");
}

function switchedOff(places: ClientPlaces, config: unknown): Remark[] {
  const isOff = ["hooks", "codex_hooks"].some((name) => valueAt(config, "features", name) === false);
  return isOff
    ? [{ kind: "attention", text: `'features.hooks' in '${configFile(places)}' switches every hook off` }]
    : [];
}

/** The nearest entry counts, from the working directory up to the root. */
function trustRemark(places: ClientPlaces, { realPath }: InstalledAt, config: unknown): Remark {
  for (const directory of [...ladder(places.root, places.cwd).toReversed(), dirname(dirname(realPath))]) {
    const level = valueAt(config, "projects", directory, "trust_level");
    if (level === "trusted") return { kind: "fine", text: `codex trusts '${directory}'` };
    if (level === undefined) continue;
    const text = `codex does not trust '${directory}' ('trust_level' in '${configFile(places)}'), so it reads no '.codex' in it`;
    return { kind: "attention", text };
  }
  const text = `codex does not trust '${places.root}' yet, so it reads no '.codex' in it: run codex there and trust it`;
  return { kind: "attention", text };
}

/** Only Codex knows whether an approval is for the present text: it compares a hash of its own. */
function approvalRemark({ path, realPath, handlers }: InstalledAt, config: unknown): Remark {
  const states = handlers.map(({ event, group, index }) => {
    const place = `${snakeCase(event)}:${group}:${index}`;
    const stateOf = (file: string) => valueAt(config, "hooks", "state", `${file}:${place}`);
    return stateOf(path) ?? stateOf(realPath);
  });
  const off = states.filter((state) => valueAt(state, "enabled") === false).length;
  if (off > 0) {
    return {
      kind: "attention",
      text: `${off} of ${states.length} hooks in '${path}' are switched off in codex ('/hooks')`,
    };
  }
  const approved = states.filter((state) => typeof valueAt(state, "trusted_hash") === "string").length;
  if (approved === states.length) {
    return { kind: "fine", text: `an approval is recorded for each of the ${approved} hooks in '${path}'` };
  }
  const count = approved === 0 ? "" : ` for ${states.length - approved} of ${states.length} hooks in '${path}'`;
  return { kind: "attention", text: `approval not found${count}: ${APPROVE}` };
}

function snakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase();
}
