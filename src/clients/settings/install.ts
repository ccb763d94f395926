import {
  insertPart,
  renderFile,
  renderInPlace,
  removePart,
  takeBack,
  type Part,
  type Find,
} from "../../lib/edit/json.ts";
import { splice, type LocatedList } from "../../lib/edit/located.ts";
import { isTable, type Table } from "../../lib/table.ts";
import { listAt, remembering, tableAt, handlersAt, type ReadText } from "./file.ts";
import {
  handlersOf,
  hooksOf,
  surveyHooks,
  whyTooMany,
  entryOf,
  frameOf,
  findOwn,
  ownByGroup,
  type EventSurvey,
  type Wanted,
} from "./survey.ts";

export type EditedText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "problem"; readonly problem: string };

/**
 * A settings file with all that is wanted, whatever it held before. What was edited by hand stays, unless `force`.
 *
 * @param text undefined where there is no file; without a byte order mark
 */
export function installText(text: string | undefined, readText: ReadText, wanted: Wanted, force: boolean): EditedText {
  if (text === undefined) {
    return { kind: "text", text: renderFile({ ...frameOf(wanted.layout), hooks: allHooks(wanted) }) };
  }
  const read = remembering(readText);
  const { data } = read(text);
  const problem = shapeProblem(data, wanted) ?? whyTooMany(data, wanted.client);
  if (problem !== undefined) return { kind: "problem", problem };
  let current = text;
  for (const { event, state, found } of surveyHooks(data, wanted).events) {
    if (state === "current" || (state === "edited" && !force)) continue;
    if (!tableAt(read(current).located, "hooks")) return addAll(current, read, wanted);
    current = installEvent(current, read, wanted, event, found);
  }
  return { kind: "text", text: current };
}

function addAll(text: string, read: ReadText, wanted: Wanted): EditedText {
  const root = read(text).located;
  if (root?.kind !== "table") return { kind: "problem", problem: "it holds no JSON object" };
  return { kind: "text", text: insertPart(text, root, { key: "hooks", value: allHooks(wanted) }) };
}

function allHooks(wanted: Wanted): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...wanted.groups].map(([event, group]) => [event, [entryOf(wanted, group)]]));
}

function installEvent(
  text: string,
  read: ReadText,
  wanted: Wanted,
  event: string,
  found: EventSurvey["found"],
): string {
  const wantedGroup = wanted.groups.get(event);
  const group = wantedGroup && entryOf(wanted, wantedGroup);
  const [first] = found;
  if (first === undefined) return group === undefined ? text : addEvent(text, read, event, group);
  if (group === undefined) return removeOwn(text, read, wanted.client, event);
  const { data, located } = read(text);
  const replaced = replaceGroup(text, hooksOf(data)[event], listAt(located, event), found, group);
  // After one group is as it should be, any further one of ours is one too many.
  if (replaced !== undefined) return removeOwn(replaced, read, wanted.client, event, first.group);
  return addEvent(removeOwn(text, read, wanted.client, event), read, event, group);
}

function addEvent(text: string, read: ReadText, event: string, group: object): string {
  const { located } = read(text);
  const hooks = tableAt(located, "hooks");
  const list = listAt(located, event);
  if (hooks === undefined) return text;
  const part: Part = list === undefined ? { key: event, value: [group] } : { value: group };
  return insertPart(text, list ?? hooks, part);
}

/** Ours in the place of ours: a client may know the others by their number. Undefined where the group has others too. */
function replaceGroup(
  text: string,
  groups: unknown,
  list: LocatedList | undefined,
  found: EventSurvey["found"],
  wanted: unknown,
): string | undefined {
  const at = found[0]?.group ?? 0;
  const isOurs = handlersOf((groups as unknown[])[at]).length === found.filter(({ group }) => group === at).length;
  const span = list?.items[at];
  if (!isOurs || span === undefined) return undefined;
  return splice(text, [{ start: span.start, end: span.end, text: renderInPlace(text, span, wanted) }]);
}

/** Why nothing can be added to it. */
function shapeProblem(data: unknown, wanted: Wanted): string | undefined {
  if (!isTable(data)) return "it holds no JSON object";
  if (data["hooks"] !== undefined && !isTable(data["hooks"])) return "its 'hooks' is no object";
  const odd = [...wanted.groups.keys()].find((event) => {
    const list = hooksOf(data)[event];
    return list !== undefined && !Array.isArray(list);
  });
  return odd === undefined ? undefined : `its 'hooks.${odd}' is no list`;
}

/**
 * A settings file without anything of ours. Where nobody has written in it since `installText` added to it, these are
 * the bytes that there were; undefined where there was no file.
 *
 * @param events those that `installText` adds, in its order
 * @param frame what it puts beside them into a file of its own
 */
export function uninstallText(
  text: string,
  readText: ReadText,
  client: string,
  events: readonly string[],
  frame: Table,
): string | undefined {
  const read = remembering(readText);
  const { data, located } = read(text);
  const hooks = hooksOf(data);
  const names = Object.keys(hooks).filter((event) => findOwn(hooks[event], client).length > 0);
  if (names.length === 0) return text;
  if (names.every((event) => isAllOurs(hooks[event], client)) && names.length === Object.keys(hooks).length) {
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
    const before = takeBackEvent(current, read, client, event);
    isExact &&= before !== undefined;
    current = before ?? removeOwn(current, read, client, event);
  }
  return isExact ? current : dropEmptyHooks(current, read);
}

/** An event without our handlers; without the groups, and the list of them, that were left empty by that. */
export function removeOwn(text: string, read: ReadText, client: string, event: string, except?: number): string {
  const { data, located } = read(text);
  const groups = hooksOf(data)[event];
  const own = ownByGroup(findOwn(groups, client).filter(({ group }) => group !== except));
  const list = listAt(located, event);
  if (own.size === 0 || list === undefined || !Array.isArray(groups)) return text;
  const isWhole = (group: number) => own.get(group)?.size === handlersOf(groups[group]).length;
  if (own.size === groups.length && [...own.keys()].every(isWhole)) {
    const hooks = tableAt(located, "hooks");
    const at = hooks?.entries.findIndex(({ key }) => key === event) ?? -1;
    return (hooks && removePart(text, hooks, at)) ?? text;
  }
  // From the last to the first: what is before one stands where it stood. What is written in a way that can't be taken
  // out stays; the caller sees it in the result.
  let current = text;
  for (const [group, handlers] of [...own].toReversed()) {
    if (isWhole(group)) current = removePart(current, list, group) ?? current;
    else current = removeHandlers(current, handlersAt(list, group), handlers);
  }
  return current;
}

function removeHandlers(text: string, list: LocatedList | undefined, handlers: ReadonlySet<number>): string {
  let current = text;
  for (const index of [...handlers].toReversed()) current = (list && removePart(current, list, index)) ?? current;
  return current;
}

function takeBackEvent(text: string, read: ReadText, client: string, event: string): string | undefined {
  const { data, located } = read(text);
  const groups = hooksOf(data)[event] as readonly unknown[];
  const group = groups.at(-1);
  const hooks = tableAt(located, "hooks");
  const list = listAt(located, event);
  const found = findOwn(groups, client);
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

function isAllOurs(list: unknown, client: string): boolean {
  if (!Array.isArray(list) || list.length === 0) return false;
  const own = ownByGroup(findOwn(list, client));
  return list.every((group: unknown, at) => own.has(at) && own.get(at)?.size === handlersOf(group).length);
}
