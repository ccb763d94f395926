import type { Located, LocatedList, LocatedTable } from "../../lib/edit/located.ts";

/** A settings file's data, and where its parts stand; neither where it can't be read. */
export type ReadText = (text: string) => { readonly data: unknown; readonly located: Located | undefined };

/** Reads the same text once, however often it is asked for in a row. */
export function remembering(read: ReadText): ReadText {
  let known: { readonly text: string; readonly result: ReturnType<ReadText> } | undefined;
  return (text) => {
    if (known?.text !== text) known = { text, result: read(text) };
    return known.result;
  };
}

export function tableAt(root: Located | undefined, key: string): LocatedTable | undefined {
  const value = root?.kind === "table" ? root.entries.find((entry) => entry.key === key)?.value : undefined;
  return value?.kind === "table" ? value : undefined;
}

/** The list of an event's groups. */
export function listAt(root: Located | undefined, event: string): LocatedList | undefined {
  const value = tableAt(root, "hooks")?.entries.find((entry) => entry.key === event)?.value;
  return value?.kind === "list" ? value : undefined;
}

/** The list of a group's handlers. */
export function handlersAt(list: LocatedList | undefined, group: number): LocatedList | undefined {
  const item = list?.items[group];
  const value = item?.kind === "table" ? item.entries.find((entry) => entry.key === "hooks")?.value : undefined;
  return value?.kind === "list" ? value : undefined;
}
