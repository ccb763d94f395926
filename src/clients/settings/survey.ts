import { isTable, type Table } from "../../lib/table.ts";
import { type ExpectedGroup, type ExpectedHooks, LIMIT } from "./expected.ts";
import { isSameCommand, readOwnCommand, type OwnCommand } from "./own-command.ts";

/** `edited`: someone has changed by hand what we wrote, so we leave it alone. */
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
  /** How it differs from what we would write. */
  readonly why: string | undefined;
  readonly found: readonly FoundHandler[];
}

export interface Survey {
  readonly state: HookState;
  /** The events that we register, in their order, then others that have a hook of ours. */
  readonly events: readonly EventSurvey[];
}

/** Compares the hooks of ours in a settings file with the expected ones. */
export function surveyHooks(data: unknown, expected: ExpectedHooks): Survey {
  const lists = hooksOf(data);
  const names = new Set([...expected.groups.keys(), ...Object.keys(lists)]);
  const events: EventSurvey[] = [];
  for (const event of names) {
    const found = findOwn(lists[event], expected.client);
    const group = expected.groups.get(event);
    if (group === undefined && found.length === 0) continue;
    events.push({ event, found, ...compare(lists[event], found, group) });
  }
  return { state: summarise(events), events };
}

/** Far more than `install` writes. The file is read again for each. */
const MAX_OWN = 50;

/** Why the hooks of ours in a file can't be changed; undefined if they can. */
export function whyTooMany(data: unknown, client: string): string | undefined {
  const count = Object.values(hooksOf(data)).reduce<number>((sum, list) => sum + findOwn(list, client).length, 0);
  return count > MAX_OWN
    ? `it holds ${count} hooks of ours, and at most ${MAX_OWN} are changed; remove them`
    : undefined;
}

/** The data without anything of ours, nor the groups and lists that this leaves empty. */
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

/** The handlers of a group, ours and others. Some clients have handlers without groups. */
export function handlersOf(group: unknown): readonly unknown[] {
  if (!isTable(group)) return [];
  const { hooks } = group;
  if (hooks === undefined && typeof group["command"] === "string") return [group];
  return Array.isArray(hooks) ? hooks : [];
}

/** The lists of groups by event. */
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

/** The indexes of our handlers, by group. */
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
  // With `args` a client runs the command without a shell.
  return Array.isArray(args) ? [handler["command"], ...args].join(" ") : handler["command"];
}

function compare(
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

/** What someone changed by hand in a handler or its group. */
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
      (key) => !["type", "command", "timeout", LIMIT, ...(isFlat ? ["matcher"] : [])].includes(key),
    ),
  ];
  if (added.length > 0) return `has '${added.join("', '")}'`;
  const { timeout, [LIMIT]: limit } = expected.hooks[0] ?? {};
  if (handler[LIMIT] !== limit) return `${LIMIT} ${String(handler[LIMIT] ?? "none")} instead of ${limit ?? "none"}`;
  if (handler["timeout"] !== timeout) return `timeout ${String(handler["timeout"] ?? "none")} instead of ${timeout}`;
  const [is, should] = [matcherOf(table["matcher"]), matcherOf(expected.matcher)];
  if (is !== should) return `matcher '${is}' instead of '${should}'`;
  return own.isPlain ? undefined : "its command was changed";
}

/** No matcher and an empty one match everything, as `*` does. */
function matcherOf(matcher: unknown): string {
  return matcher === undefined || matcher === "" ? "*" : String(matcher);
}

function difference(found: readonly FoundHandler[], commands: readonly string[]): string {
  if (found.length !== commands.length) return `${found.length} of ${commands.length} entries`;
  const other = found.find(({ command }, index) => !isSameCommand(command, commands[index] ?? ""));
  return `runs '${other?.own.program ?? ""}'`;
}

/** The state of a file, from the state of each event. */
export function summarise(events: readonly EventSurvey[]): HookState {
  const has = (state: HookState) => events.some((event) => event.state === state);
  if (has("edited")) return "edited";
  if (has("stale")) return "stale";
  if (!has("current")) return "absent";
  return has("absent") ? "stale" : "current";
}
