import {
  insertPart,
  removePart,
  renderFile,
  renderInPlace,
  takeBack,
  type Find,
  type Part,
} from "../../lib/edit/json.ts";
import { splice, type LocatedList } from "../../lib/edit/located.ts";
import { isTable, type Table } from "../../lib/table.ts";
import { entryOf, frameOf, type ExpectedHooks } from "./expected.ts";
import { installScript, uninstallScript } from "./script.ts";
import { findOwn, handlersOf, hooksOf, ownByGroup, surveyHooks, whyTooMany, type EventSurvey } from "./survey.ts";
import { groupList, handlerList, hooksTable, readSettingsText } from "./text.ts";
import { installTables, uninstallTables } from "./toml-tables.ts";

/** What a settings file should become; `text` undefined: no file. */
export type Edited =
  | { readonly kind: "text"; readonly text: string | undefined }
  | { readonly kind: "problem"; readonly problem: string };

/**
 * Adds the expected hooks to a settings file, whatever it contained. Hooks edited by hand stay, unless `force`.
 *
 * @param text undefined if there is no file; without a byte order mark
 * @param event whose script it is; undefined for a file of all events
 */
export function install(
  text: string | undefined,
  expected: ExpectedHooks,
  event: string | undefined,
  force: boolean,
): Edited {
  if (event !== undefined) return installScript(text, expected, event, force);
  return expected.layout.kind === "tables" ? installTables(text, expected, force) : installHooks(text, expected, force);
}

/** Removes everything of ours from the file. */
export function uninstall(text: string | undefined, expected: ExpectedHooks, event: string | undefined): Edited {
  if (text === undefined) return { kind: "text", text };
  if (event !== undefined) return uninstallScript(text, expected, event);
  return expected.layout.kind === "tables" ? uninstallTables(text, expected) : uninstallHooks(text, expected);
}

function installHooks(text: string | undefined, expected: ExpectedHooks, force: boolean): Edited {
  if (text === undefined) {
    return { kind: "text", text: renderFile({ ...frameOf(expected.layout), hooks: allHooks(expected) }) };
  }
  const { data } = readSettingsText(text);
  const problem = shapeProblem(data, expected) ?? whyTooMany(data, expected.client);
  if (problem !== undefined) return { kind: "problem", problem };
  let current = text;
  for (const survey of surveyHooks(data, expected).events) {
    if (survey.state === "current" || (survey.state === "edited" && !force)) continue;
    if (!hooksTable(current)) return { kind: "text", text: addAll(current, expected) };
    current = installEvent(current, expected, survey);
  }
  return { kind: "text", text: current };
}

/** Why nothing can be added to it. */
function shapeProblem(data: unknown, expected: ExpectedHooks): string | undefined {
  if (!isTable(data)) return "it is not a JSON object";
  if (data["hooks"] !== undefined && !isTable(data["hooks"])) return "its 'hooks' is not an object";
  const odd = [...expected.groups.keys()].find((event) => {
    const list = hooksOf(data)[event];
    return list !== undefined && !Array.isArray(list);
  });
  return odd === undefined ? undefined : `its 'hooks.${odd}' is not a list`;
}

function addAll(text: string, expected: ExpectedHooks): string {
  const root = readSettingsText(text).located;
  return root?.kind === "table" ? insertPart(text, root, { key: "hooks", value: allHooks(expected) }) : text;
}

function allHooks(expected: ExpectedHooks): Table {
  return Object.fromEntries([...expected.groups].map(([event, group]) => [event, [entryOf(expected, group)]]));
}

function installEvent(text: string, expected: ExpectedHooks, { event, found }: EventSurvey): string {
  const expectedGroup = expected.groups.get(event);
  if (expectedGroup === undefined) return removeOwn(text, expected.client, event);
  const group = entryOf(expected, expectedGroup);
  const [first] = found;
  if (first === undefined) return addGroup(text, event, group);
  const replaced = replaceGroup(text, event, found, group);
  // Once one group is as it should be, any further one of ours is superfluous.
  if (replaced !== undefined) return removeOwn(replaced, expected.client, event, first.group);
  return addGroup(removeOwn(text, expected.client, event), event, group);
}

function addGroup(text: string, event: string, group: object): string {
  const hooks = hooksTable(text);
  const list = groupList(text, event);
  if (hooks === undefined) return text;
  const part: Part = list === undefined ? { key: event, value: [group] } : { value: group };
  return insertPart(text, list ?? hooks, part);
}

/**
 * Replaces our handlers in place: a client may identify the others by index. Undefined if the group contains others
 * too.
 */
function replaceGroup(text: string, event: string, found: EventSurvey["found"], group: object): string | undefined {
  const at = found[0]?.group ?? 0;
  const isOurs = handlersOf(groupsOf(text, event)[at]).length === found.filter((each) => each.group === at).length;
  const span = groupList(text, event)?.items[at];
  if (!isOurs || span === undefined) return undefined;
  return splice(text, [{ start: span.start, end: span.end, text: renderInPlace(text, span, group) }]);
}

function groupsOf(text: string, event: string): readonly unknown[] {
  const groups = hooksOf(readSettingsText(text).data)[event];
  return Array.isArray(groups) ? groups : [];
}

function uninstallHooks(text: string, expected: ExpectedHooks): Edited {
  const problem = whyTooMany(readSettingsText(text).data, expected.client);
  if (problem !== undefined) return { kind: "problem", problem };
  const after = withoutHooks(text, expected);
  const rest = surveyHooks(readSettingsText(after ?? "{}").data, expected);
  return rest.state === "absent"
    ? { kind: "text", text: after }
    : { kind: "problem", problem: "our hooks are written in a way that only you can remove" };
}

/**
 * If nobody has changed the file since `install` added to it, these are its original bytes; undefined if there was no
 * file.
 */
function withoutHooks(text: string, { client, groups, layout }: ExpectedHooks): string | undefined {
  const { data, located } = readSettingsText(text);
  const hooks = hooksOf(data);
  const events = Object.keys(hooks).filter((event) => findOwn(hooks[event], client).length > 0);
  if (events.length === 0) return text;
  if (Object.values(hooks).every((list) => isAllOurs(list, client))) {
    if (text === renderFile({ ...frameOf(layout), hooks })) return undefined;
    const findRoot: Find = (candidate) => readSettingsText(candidate).located;
    const before =
      located?.kind === "table" ? takeBack(text, located, { key: "hooks", value: hooks }, findRoot) : undefined;
    if (before !== undefined) return before;
  }
  // The one added last is removed first.
  const added = [...groups.keys()];
  const inOrder = [
    ...events.filter((event) => !added.includes(event)),
    ...added.filter((event) => events.includes(event)),
  ];
  let current = text;
  let isExact = true;
  for (const event of inOrder.toReversed()) {
    const before = takeBackEvent(current, client, event);
    isExact &&= before !== undefined;
    current = before ?? removeOwn(current, client, event);
  }
  return isExact ? current : dropEmptyHooks(current);
}

function isAllOurs(list: unknown, client: string): boolean {
  if (!Array.isArray(list) || list.length === 0) return false;
  const own = ownByGroup(findOwn(list, client));
  return list.every((group: unknown, at) => own.get(at)?.size === handlersOf(group).length);
}

/** Undoes the addition of an event's group; undefined if something was written after it. */
function takeBackEvent(text: string, client: string, event: string): string | undefined {
  const groups = groupsOf(text, event);
  const group = groups.at(-1);
  const hooks = hooksTable(text);
  const list = groupList(text, event);
  const found = findOwn(groups, client);
  const isLast = found.every((handler) => handler.group === groups.length - 1);
  if (!isLast || found.length !== handlersOf(group).length || hooks === undefined || list === undefined) {
    return undefined;
  }
  const isMember = groups.length === 1 && hooks.entries.at(-1)?.key === event;
  const member = isMember ? takeBack(text, hooks, { key: event, value: groups }, hooksTable) : undefined;
  return member ?? takeBack(text, list, { value: group }, (candidate) => groupList(candidate, event));
}

/** Removes our handlers from an event, and the groups and the list that this leaves empty. */
function removeOwn(text: string, client: string, event: string, except?: number): string {
  const groups = groupsOf(text, event);
  const own = ownByGroup(findOwn(groups, client).filter(({ group }) => group !== except));
  const list = groupList(text, event);
  if (own.size === 0 || list === undefined) return text;
  const isWhole = (group: number) => own.get(group)?.size === handlersOf(groups[group]).length;
  if (own.size === groups.length && [...own.keys()].every(isWhole)) {
    const hooks = hooksTable(text);
    const at = hooks?.entries.findIndex(({ key }) => key === event) ?? -1;
    return (hooks && removePart(text, hooks, at)) ?? text;
  }
  // From last to first, so that positions before one stay valid. What is written in a way that can't be
  // removed stays; the caller sees it in the result.
  let current = text;
  for (const [group, handlers] of [...own].toReversed()) {
    if (isWhole(group)) current = removePart(current, list, group) ?? current;
    else current = removeHandlers(current, handlerList(list, group), handlers);
  }
  return current;
}

function removeHandlers(text: string, list: LocatedList | undefined, handlers: ReadonlySet<number>): string {
  let current = text;
  for (const index of [...handlers].toReversed()) current = (list && removePart(current, list, index)) ?? current;
  return current;
}

function dropEmptyHooks(text: string): string {
  const { data, located } = readSettingsText(text);
  const isEmpty = isTable(data) && isTable(data["hooks"]) && Object.keys(data["hooks"]).length === 0;
  if (!isEmpty || located?.kind !== "table") return text;
  const at = located.entries.findIndex(({ key }) => key === "hooks");
  return removePart(text, located, at) ?? text;
}
