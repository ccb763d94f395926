import type { LocatedList } from "../../lib/edit/located.ts";
import { splice } from "../../lib/edit/splice.ts";
import { insertPart, renderFile, renderInPlace, type Part } from "../../lib/edit/json-insert.ts";
import { removeOwn } from "./uninstall-text.ts";
import { handlersOf, hooksOf, surveyHooks, whyTooMany, type EventSurvey } from "./survey.ts";
import { isTable } from "../../lib/table.ts";
import { listAt, remembering, tableAt, type ReadText } from "./settings-text.ts";
import { entryOf, frameOf, type Wanted } from "./wanted.ts";

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
  const problem = shapeProblem(data, wanted) ?? whyTooMany(data, wanted.host);
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
  if (group === undefined) return removeOwn(text, read, wanted.host, event);
  const { data, located } = read(text);
  const replaced = replaceGroup(text, hooksOf(data)[event], listAt(located, event), found, group);
  // After one group is as it should be, any further one of ours is one too many.
  if (replaced !== undefined) return removeOwn(replaced, read, wanted.host, event, first.group);
  return addEvent(removeOwn(text, read, wanted.host, event), read, event, group);
}

function addEvent(text: string, read: ReadText, event: string, group: object): string {
  const { located } = read(text);
  const hooks = tableAt(located, "hooks");
  const list = listAt(located, event);
  if (hooks === undefined) return text;
  const part: Part = list === undefined ? { key: event, value: [group] } : { value: group };
  return insertPart(text, list ?? hooks, part);
}

/** Ours in the place of ours: a host may know the others by their number. Undefined where the group has others too. */
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
