import { isTable, type Table } from "../../lib/table.ts";
import { type ExpectedGroup, type ExpectedHooks, LIMIT } from "./expected.ts";
import { HOOK_TOOL } from "./model.ts";
import { commandText } from "./command-form.ts";
import { isSameCommand, readOwnCommand, type OwnCommand } from "./own-command.ts";

/** `edited`: someone has changed what we wrote, so it is left alone. */
export type HookState = "absent" | "current" | "stale" | "edited";

/** A handler of ours, and where it is. */
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
  /** The events that we register, in order, then others that have a hook of ours. */
  readonly events: readonly EventSurvey[];
}

/** Compares our hooks in a settings file with the expected ones. */
export function surveyHooks(data: unknown, expected: ExpectedHooks): Survey {
  const lists = hooksOf(data);
  const names = new Set([...expected.groups.keys(), ...Object.keys(lists)]);
  const events: EventSurvey[] = [];
  for (const event of names) {
    const found = findOwn(lists[event], expected.client);
    const group = expected.groups.get(event);
    if (group === undefined && found.length === 0) continue;
    events.push({ event, found, ...compare(lists[event], found, group, expected.client) });
  }
  return { state: summarise(events), events };
}

/** Whether one of our hooks calls a tool of the server. */
export function callsServer(data: unknown, client: string): boolean {
  return Object.values(hooksOf(data)).some((list) =>
    findOwn(list, client).some(({ own }) => own.program === HOOK_TOOL),
  );
}

/** Far more than `install` writes. The file is read again for each. */
const MAX_OWN = 50;

/** Why our hooks in a file can't be changed; undefined if they can. */
export function whyTooMany(data: unknown, client: string): string | undefined {
  const count = Object.values(hooksOf(data)).reduce<number>((sum, list) => sum + findOwn(list, client).length, 0);
  return count > MAX_OWN
    ? `it contains ${count} hooks of ours, more than the ${MAX_OWN} that can be changed; remove them`
    : undefined;
}

/** The data without anything of ours, and without groups and lists that this leaves empty. */
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

/** All handlers of a group. Some clients have handlers without groups. */
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
      const call = callOf(handler, client);
      if (call !== undefined) return [{ group: at, index, command: call, own: { ...TOOL_CALL, part: undefined } }];
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

const TOOL_CALL = { program: HOOK_TOOL, isPlain: true } as const;

/** A call of our server's tool, as a text that is equal for equal calls. */
export function callOf(handler: unknown, client: string): string | undefined {
  if (!isTable(handler) || handler["type"] !== "mcp_tool" || handler["tool"] !== HOOK_TOOL) return undefined;
  const { server, tool, input } = handler;
  if (!isTable(input) || input["client"] !== client) return undefined;
  return `${server} ${tool} ${JSON.stringify(Object.entries(input).toSorted())}`;
}

function commandOf(handler: unknown): string | undefined {
  if (!isTable(handler) || typeof handler["command"] !== "string") return undefined;
  const args = handler["args"];
  return commandText({ command: handler["command"], ...(Array.isArray(args) && { args: args.map(String) }) });
}

function compare(
  list: unknown,
  found: readonly FoundHandler[],
  expected: ExpectedGroup | undefined,
  client: string,
): Pick<EventSurvey, "state" | "why"> {
  if (found.length === 0) return { state: "absent", why: "not registered" };
  const edit = expected && found.map((handler) => editOf(list as readonly unknown[], handler, expected)).find(Boolean);
  if (edit) return { state: "edited", why: edit };
  if (expected === undefined) return { state: "stale", why: "not needed" };
  const commands = expected.hooks.map((handler) =>
    handler.type === "command" ? commandText(handler) : (callOf(handler, client) ?? ""),
  );
  const isCurrent =
    found.length === commands.length &&
    found.every(
      (handler, index) =>
        isSameCommand(handler.command, commands[index] ?? "") &&
        windowsCommandOf(tableOf(list as readonly unknown[], handler)) === windowsCommandOf(expected.hooks[index]),
    );
  if (!isCurrent) return { state: "stale", why: difference(found, commands) };
  const isNarrow = found.every(({ group }) => matcherIn(list, group) === matcherOf(expected.matcher));
  return isNarrow ? { state: "current", why: undefined } : { state: "stale", why: "matches tools that touch no file" };
}

function tableOf(list: readonly unknown[], { group, index }: Pick<FoundHandler, "group" | "index">): Table {
  return handlersOf(list[group])[index] as Table;
}

function windowsCommandOf(handler: object | undefined): unknown {
  return (handler as Table | undefined)?.["commandWindows"];
}

const OUR_KEYS: readonly string[] = ["type", "command", "timeout", LIMIT, "server", "tool", "input"];

/** What someone changed by hand in a handler or its group. */
function editOf(
  list: readonly unknown[],
  { group, index, own }: FoundHandler,
  expected: ExpectedGroup,
): string | undefined {
  const table = list[group] as Table;
  const handler = tableOf(list, { group, index });
  const isFlat = table === handler;
  const [first] = expected.hooks;
  const added = [
    ...(isFlat ? [] : Object.keys(table).filter((key) => key !== "matcher" && key !== "hooks")),
    ...Object.keys(handler).filter(
      (key) => ![...OUR_KEYS, ...Object.keys(first ?? {}), ...(isFlat ? ["matcher"] : [])].includes(key),
    ),
  ];
  if (added.length > 0) return `has '${added.join("', '")}'`;
  // Another channel has other limits, and its entries are replaced as a whole.
  if (first === undefined || (handler["type"] ?? "command") !== first.type) return undefined;
  const { timeout } = first;
  const limit = first.type === "command" ? first[LIMIT] : undefined;
  if (handler[LIMIT] !== limit) return `${LIMIT} ${String(handler[LIMIT] ?? "none")} instead of ${limit ?? "none"}`;
  if (handler["timeout"] !== timeout) return `timeout ${String(handler["timeout"] ?? "none")} instead of ${timeout}`;
  const [is, should] = [matcherOf(table["matcher"]), matcherOf(expected.matcher)];
  // Earlier versions matched every tool.
  if (is !== should && is !== "*") return `its matcher was changed to '${is}'`;
  return own.isPlain ? undefined : "its command was changed";
}

function matcherIn(list: unknown, group: number): string {
  return matcherOf(((list as readonly unknown[])[group] as Table)["matcher"]);
}

/** A missing or empty matcher matches everything, like `*`. */
function matcherOf(matcher: unknown): string {
  return matcher === undefined || matcher === "" ? "*" : String(matcher);
}

function difference(found: readonly FoundHandler[], commands: readonly string[]): string {
  if (found.length !== commands.length) {
    return `${found.length} ${found.length === 1 ? "entry" : "entries"} instead of ${commands.length}`;
  }
  const other = found.find(({ command }, index) => !isSameCommand(command, commands[index] ?? ""));
  return `${other?.own.program === HOOK_TOOL ? "calls" : "runs"} '${other?.own.program ?? ""}'`;
}

/** The state of a file, from the state of each event. */
export function summarise(events: readonly EventSurvey[]): HookState {
  const has = (state: HookState) => events.some((event) => event.state === state);
  if (has("edited")) return "edited";
  if (has("stale")) return "stale";
  if (!has("current")) return "absent";
  return has("absent") ? "stale" : "current";
}
