import { isTable, type Table } from "../../lib/table.ts";
import type { ExpectedGroup, ExpectedHooks } from "./expected.ts";
import { isSameCommand, readOwnCommand, type OwnCommand } from "./own-command.ts";

/** `edited`: someone changed by hand what we wrote, and it is theirs now. */
export type HookState = "absent" | "current" | "stale" | "edited";

/** A handler of ours, and where it stands. */
export interface FoundHandler {
  readonly group: number;
  readonly index: number;
  readonly command: string;
  readonly own: OwnCommand;
}

export interface EventSurvey {
  readonly event: string;
  readonly state: HookState;
  /** What differs from what we would write. */
  readonly why: string | undefined;
  readonly found: readonly FoundHandler[];
}

export interface Survey {
  readonly state: HookState;
  /** The events that we want, in their order, then others that hold something of ours. */
  readonly events: readonly EventSurvey[];
}

/** What a settings file holds of ours, compared with what it should. */
export function surveyHooks(data: unknown, expected: ExpectedHooks): Survey {
  const lists = hooksOf(data);
  const names = new Set([...expected.groups.keys(), ...Object.keys(lists)]);
  const events: EventSurvey[] = [];
  for (const event of names) {
    const found = findOwn(lists[event], expected.client);
    const group = expected.groups.get(event);
    if (group === undefined && found.length === 0) continue;
    events.push({ event, found, ...judge(lists[event], found, group) });
  }
  return { state: summarise(events), events };
}

/** Far more than any install writes: for each the file is read again. */
const MAX_OWN = 50;

/** Why a file's hooks of ours can't be changed, whatever is expected; undefined where they can. */
export function whyTooMany(data: unknown, client: string): string | undefined {
  const count = Object.values(hooksOf(data)).reduce<number>((sum, list) => sum + findOwn(list, client).length, 0);
  return count > MAX_OWN
    ? `it holds ${count} hooks of ours, and at most ${MAX_OWN} are changed; remove them`
    : undefined;
}

/** The data without anything of ours: what was left empty by that is gone too. */
export function withoutOwn(data: unknown, client: string): unknown {
  if (!isTable(data) || !isTable(data["hooks"])) return data;
  const events = Object.entries(data["hooks"]).flatMap(([event, list]): [string, unknown][] => {
    if (!Array.isArray(list)) return [[event, list]];
    const own = ownByGroup(findOwn(list, client));
    const groups = list.flatMap((group: unknown, at): unknown[] => {
      const mine = own.get(at);
      if (mine === undefined) return [group];
      const hooks = handlersOf(group).filter((_, index) => !mine.has(index));
      return hooks.length === 0 ? [] : [{ ...(group as Table), hooks }];
    });
    return groups.length === 0 ? [] : [[event, groups]];
  });
  const { hooks: _, ...rest } = data;
  return events.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(events) };
}

/** The handlers of a group, ours and others; some clients have them without one. */
export function handlersOf(group: unknown): readonly unknown[] {
  if (!isTable(group)) return [];
  const { hooks } = group;
  if (hooks === undefined && typeof group["command"] === "string") return [group];
  return Array.isArray(hooks) ? hooks : [];
}

/** The lists of groups by event; nothing where they are no table. */
export function hooksOf(data: unknown): Table {
  const hooks = isTable(data) ? data["hooks"] : undefined;
  return isTable(hooks) ? hooks : {};
}

export function findOwn(list: unknown, client: string): FoundHandler[] {
  const groups = Array.isArray(list) ? list : [];
  return groups.flatMap((group: unknown, at) =>
    handlersOf(group).flatMap((handler, index) => {
      const command = commandOf(handler);
      const own = command === undefined ? undefined : readOwnCommand(command, client);
      return command === undefined || own === undefined ? [] : [{ group: at, index, command, own }];
    }),
  );
}

/** Of each group that holds some of ours, which handlers they are. */
export function ownByGroup(found: readonly FoundHandler[]): ReadonlyMap<number, ReadonlySet<number>> {
  const groups = new Map<number, Set<number>>();
  for (const { group, index } of found) {
    const indexes = groups.get(group);
    if (indexes === undefined) groups.set(group, new Set([index]));
    else indexes.add(index);
  }
  return groups;
}

function commandOf(handler: unknown): string | undefined {
  if (!isTable(handler) || typeof handler["command"] !== "string") return undefined;
  const args = handler["args"];
  // A client that has `args` runs the two without a shell.
  return Array.isArray(args) ? [handler["command"], ...args].join(" ") : handler["command"];
}

function judge(
  list: unknown,
  found: readonly FoundHandler[],
  expected: ExpectedGroup | undefined,
): Pick<EventSurvey, "state" | "why"> {
  if (found.length === 0) return { state: "absent", why: "not registered" };
  const edit = expected && found.map((handler) => editOf(list as readonly unknown[], handler, expected)).find(Boolean);
  if (edit) return { state: "edited", why: edit };
  if (expected === undefined) return { state: "stale", why: "not needed" };
  const commands = expected.hooks.map(({ command }) => command);
  const isCurrent =
    found.length === commands.length &&
    found.every(({ command }, index) => isSameCommand(command, commands[index] ?? ""));
  return isCurrent ? { state: "current", why: undefined } : { state: "stale", why: difference(found, commands) };
}

/** What was changed by hand in a handler or its group. */
function editOf(
  list: readonly unknown[],
  { group, index, own }: FoundHandler,
  expected: ExpectedGroup,
): string | undefined {
  const table = list[group] as Table;
  const handler = handlersOf(table)[index] as Table;
  const isFlat = table === handler;
  const added = [
    ...(isFlat ? [] : Object.keys(table).filter((key) => key !== "matcher" && key !== "hooks")),
    ...Object.keys(handler).filter(
      (key) => !["type", "command", "timeout", ...(isFlat ? ["matcher"] : [])].includes(key),
    ),
  ];
  if (added.length > 0) return `has '${added.join("', '")}'`;
  const timeout = expected.hooks[0]?.timeout;
  if (handler["timeout"] !== timeout) return `timeout ${String(handler["timeout"] ?? "none")} instead of ${timeout}`;
  const [is, should] = [matcherOf(table["matcher"]), matcherOf(expected.matcher)];
  if (is !== should) return `matcher '${is}' instead of '${should}'`;
  return own.isPlain ? undefined : "its command was changed";
}

/** An empty one and none mean all, as `*` does. */
function matcherOf(matcher: unknown): string {
  return matcher === undefined || matcher === "" ? "*" : String(matcher);
}

function difference(found: readonly FoundHandler[], commands: readonly string[]): string {
  if (found.length !== commands.length) return `${found.length} of ${commands.length} entries`;
  const other = found.find(({ command }, index) => !isSameCommand(command, commands[index] ?? ""));
  return `runs '${other?.own.program ?? ""}'`;
}

/** The state of all from the state of each. */
export function summarise(events: readonly EventSurvey[]): HookState {
  const has = (state: HookState) => events.some((event) => event.state === state);
  if (has("edited")) return "edited";
  if (has("stale")) return "stale";
  if (!has("current")) return "absent";
  return has("absent") ? "stale" : "current";
}
