import { renderFile } from "./json-insert.ts";
import { removePart, takeBack, type Find } from "./json-remove.ts";
import { handlersAt, listAt, tableAt, type ReadText } from "./settings-text.ts";
import { findOwn, handlersOf, hooksOf, type FoundHandler } from "./survey.ts";
import { isTable, type Table } from "../table.ts";

/**
 * A settings file without anything of ours. Where nobody has written in it since `installText` added to it, these are
 * the bytes that there were; undefined where there was no file.
 *
 * @param events those that `installText` adds, in its order
 * @param frame what it puts beside them into a file of its own
 */
export function uninstallText(
  text: string,
  read: ReadText,
  host: string,
  events: readonly string[],
  frame: Table,
): string | undefined {
  const { data, located } = read(text);
  const hooks = hooksOf(data);
  const names = Object.keys(hooks).filter((event) => findOwn(hooks[event], host).length > 0);
  if (names.length === 0) return text;
  if (names.every((event) => isAllOurs(hooks[event], host)) && names.length === Object.keys(hooks).length) {
    if (text === renderFile({ ...frame, hooks })) return undefined;
    const before =
      located?.kind === "table" &&
      takeBack(text, located, { key: "hooks", value: hooks }, (candidate) => read(candidate).located);
    if (typeof before === "string") return before;
  }
  // The last that was added first.
  const order = [
    ...names.filter((event) => !events.includes(event)),
    ...events.filter((event) => names.includes(event)),
  ];
  let current = text;
  let isExact = true;
  for (const event of order.toReversed()) {
    const before = takeBackEvent(current, read, host, event);
    isExact &&= before !== undefined;
    current = before ?? removeOwn(current, read, host, event);
  }
  return isExact ? current : dropEmptyHooks(current, read);
}

/** An event without our handlers; without the groups, and the list of them, that were left empty by that. */
export function removeOwn(text: string, read: ReadText, host: string, event: string, except?: number): string {
  let current = text;
  for (;;) {
    const { data, located } = read(current);
    const list = hooksOf(data)[event];
    const found = findOwn(list, host).findLast(({ group }) => group !== except);
    if (found === undefined) return current;
    const next = removeOne(current, located, list as readonly unknown[], event, found);
    // What stands there in a way that can't be taken out stays; the caller sees it in the result.
    if (next === undefined) return current;
    current = next;
  }
}

function removeOne(
  text: string,
  located: ReturnType<ReadText>["located"],
  groups: readonly unknown[],
  event: string,
  { group, index }: FoundHandler,
): string | undefined {
  const list = listAt(located, event);
  if (list === undefined) return undefined;
  if (handlersOf(groups[group]).length > 1) {
    const handlers = handlersAt(list, group);
    return handlers && removePart(text, handlers, index);
  }
  if (groups.length > 1) return removePart(text, list, group);
  const hooks = tableAt(located, "hooks");
  const at = hooks?.entries.findIndex(({ key }) => key === event) ?? -1;
  return hooks && removePart(text, hooks, at);
}

function takeBackEvent(text: string, read: ReadText, host: string, event: string): string | undefined {
  const { data, located } = read(text);
  const groups = hooksOf(data)[event] as readonly unknown[];
  const group = groups.at(-1);
  const hooks = tableAt(located, "hooks");
  const list = listAt(located, event);
  const found = findOwn(groups, host);
  const isLast = found.every((handler) => handler.group === groups.length - 1);
  if (!isLast || found.length !== handlersOf(group).length || hooks === undefined || list === undefined)
    return undefined;
  const findHooks: Find = (candidate) => tableAt(read(candidate).located, "hooks");
  const findList: Find = (candidate) => listAt(read(candidate).located, event);
  const isMember = groups.length === 1 && hooks.entries.at(-1)?.key === event;
  const member = isMember ? takeBack(text, hooks, { key: event, value: groups }, findHooks) : undefined;
  return member ?? takeBack(text, list, { value: group }, findList);
}

function dropEmptyHooks(text: string, read: ReadText): string {
  const { data, located } = read(text);
  if (!isTable(data) || !isTable(data["hooks"]) || Object.keys(data["hooks"]).length > 0) return text;
  if (located?.kind !== "table") return text;
  const at = located.entries.findIndex(({ key }) => key === "hooks");
  return removePart(text, located, at) ?? text;
}

function isAllOurs(list: unknown, host: string): boolean {
  if (!Array.isArray(list) || list.length === 0) return false;
  const found = findOwn(list, host);
  return list.every(
    (group: unknown, at) =>
      handlersOf(group).length > 0 &&
      handlersOf(group).length === found.filter((handler) => handler.group === at).length,
  );
}
