import { isTable, type Table } from "../../lib/table.ts";
import { hooksOf } from "../settings/survey.ts";

/** What the settings that people write by hand must be. */
const KINDS: Readonly<Record<string, "table" | "text">> = {
  permissions: "table",
  env: "table",
  hooks: "table",
  enabledPlugins: "table",
  statusLine: "table",
  model: "text",
  outputStyle: "text",
};

/**
 * What makes Claude Code ignore a settings file as a whole, without a word, as of 2.1.326: only what was seen with the
 * client.
 */
export function ignoredFor(data: unknown): string | undefined {
  if (!isTable(data)) return undefined;
  for (const [key, kind] of Object.entries(KINDS)) {
    const value = data[key];
    if (value === undefined || value === null) continue;
    if (kind === "table" ? !isTable(value) : typeof value !== "string") {
      return `'${key}' that ${key.endsWith("s") ? "are" : "is"} not ${kind === "table" ? "a table" : "text"}`;
    }
  }
  const allowed = isTable(data["permissions"]) ? data["permissions"]["allow"] : undefined;
  if (allowed !== undefined && allowed !== null && !Array.isArray(allowed))
    return "'permissions.allow' that is not a list";
  for (const [event, groups] of Object.entries(hooksOf(data))) {
    for (const group of Array.isArray(groups) ? groups : []) {
      const why = isTable(group) ? inGroup(group, event) : `an entry for '${event}' that is not a table`;
      if (why !== undefined) return why;
    }
  }
  return undefined;
}

function inGroup(group: Table, event: string): string | undefined {
  if (group["matcher"] !== undefined && typeof group["matcher"] !== "string") return "a 'matcher' that is not text";
  const hasOnlyMatcher = Object.keys(group).every((key) => key === "matcher");
  return group["hooks"] === null || hasOnlyMatcher ? `an entry for '${event}' without 'hooks'` : undefined;
}
