import { inSingleQuotes } from "../../lib/shell-quote.ts";
import type { Table } from "../../lib/table.ts";
import type { ClientSettings, Layout, Scope } from "./model.ts";
import { PRESENCE_GUARD } from "./own-command.ts";

/** The field that lifts the limit of what an entry may say. */
export const LIMIT = "additionalContextLimit";

export interface ExpectedHandler {
  readonly type: "command";
  readonly command: string;
  readonly timeout: number;
  /** Lifts the client\'s limit. */
  readonly [LIMIT]?: 0;
}

export interface ExpectedGroup {
  readonly matcher?: string;
  readonly hooks: readonly ExpectedHandler[];
}

/** The hooks that a settings file should have: a group for each event, in this order. */
export interface ExpectedHooks {
  readonly client: string;
  readonly groups: ReadonlyMap<string, ExpectedGroup>;
  readonly layout: Layout;
}

/** @param program the words that call this program; unused in a file that a team shares, because paths differ there */
export function expectedHooks(client: ClientSettings, scope: Scope, program: readonly string[]): ExpectedHooks {
  const call = scope === "project" ? `${PRESENCE_GUARD}codelia` : program.map(inSingleQuotes).join(" ");
  const groups = new Map<string, ExpectedGroup>();
  for (const { name, matcher, timeout, parts, isWhole } of client.events) {
    const hooks = Array.from({ length: parts }, (_, index): ExpectedHandler => {
      const part = isWhole ? " --part whole" : parts === 1 ? "" : ` --part ${index + 1}/${parts}`;
      const handler = { type: "command", command: `${call} hook ${client.name}${part}`, timeout } as const;
      return isWhole ? { ...handler, [LIMIT]: 0 } : handler;
    });
    groups.set(name, { ...(matcher === undefined ? {} : { matcher }), hooks });
  }
  return { client: client.name, groups, layout: client.layout };
}

/** A group as the layout has it in an event's list. */
export function entryOf({ layout }: ExpectedHooks, group: ExpectedGroup): object {
  const [handler] = group.hooks;
  if (layout.kind !== "flat" || handler === undefined) return group;
  const { type, command, timeout } = handler;
  return layout.isTyped ? { type, command, timeout } : { command, timeout };
}

/** What a new file has besides the hooks. */
export function frameOf(layout: Layout): Table {
  return layout.kind === "flat" ? layout.frame : {};
}
