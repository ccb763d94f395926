import type { Located, LocatedList, LocatedTable } from "../../lib/edit/located.ts";
import { locateJsonc, parseJsonc } from "../../lib/jsonc.ts";

/** A settings file's data and the positions of its parts; both undefined if it can't be parsed. */
export interface SettingsText {
  readonly data: unknown;
  readonly located: Located | undefined;
}

let last: { readonly text: string; readonly read: SettingsText } | undefined;

/**
 * Reads JSON as clients do, with comments and trailing commas. The last text is cached: an edit asks for it several
 * times. A project's text must have passed `readSettings`, which limits the time.
 */
export function readSettingsText(text: string): SettingsText {
  if (last?.text === text) return last.read;
  const parsed = parseJsonc(text);
  const isRead = parsed.kind !== "error";
  const read = { data: isRead ? parsed.data : undefined, located: isRead ? locateJsonc(text) : undefined };
  last = { text, read };
  return read;
}

/** The table of all hooks. */
export function hooksTable(text: string): LocatedTable | undefined {
  const value = valueOf(readSettingsText(text).located, "hooks");
  return value?.kind === "table" ? value : undefined;
}

/** The list of an event's groups. */
export function groupList(text: string, event: string): LocatedList | undefined {
  const value = valueOf(hooksTable(text), event);
  return value?.kind === "list" ? value : undefined;
}

/** The list of a group's handlers. */
export function handlerList(groups: LocatedList | undefined, index: number): LocatedList | undefined {
  const value = valueOf(groups?.items[index], "hooks");
  return value?.kind === "list" ? value : undefined;
}

function valueOf(table: Located | undefined, key: string): Located | undefined {
  return table?.kind === "table" ? table.entries.find((entry) => entry.key === key)?.value : undefined;
}
