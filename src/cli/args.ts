import type { ArgsDef } from "citty";

/* eslint-enable import/no-unassigned-import */

/** The flags that every command about a directory has. */
export const COMMON_ARGS = {
  cwd: { type: "string", valueHint: "DIR", description: "work as if started in DIR" },
  root: { type: "string", valueHint: "DIR", description: "root of the hierarchy, instead of what the markers say" },
  session: { type: "string", valueHint: "ID", description: "the session to speak for" },
  agent: { type: "string", valueHint: "ID", description: "the sub-agent in that session; default its main context" },
  json: { type: "boolean", description: "print JSON" },
  "no-state": { type: "boolean", description: "neither read nor write what was told" },
  quiet: { type: "boolean", description: "no warnings on standard error" },
  version: { type: "boolean", description: "show the version" },
  help: { type: "boolean", alias: "h", description: "show this help" },
} as const satisfies ArgsDef;

export function textFlag(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
