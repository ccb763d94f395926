import type { Table } from "../../lib/table.ts";
import { commandForm, type CommandForm } from "./command-form.ts";
import { HOOK_TOOL, type Channel, type ClientSettings, type Layout, type Scope } from "./model.ts";

/** The field that lifts the limit on an entry's text. */
export const LIMIT = "additionalContextLimit";

export type ExpectedHandler = CommandHandler | ToolHandler;

export interface CommandHandler extends CommandForm {
  readonly type: "command";
  readonly timeout: number;
  /** Lifts the client\'s limit. */
  readonly [LIMIT]?: 0;
}

/** Calls the tool of a running server. */
export interface ToolHandler {
  readonly type: "mcp_tool";
  readonly server: string;
  readonly tool: string;
  readonly input: Table;
  readonly timeout: number;
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
  readonly channel: Channel;
}

/** @param program the words that call this program; unused in a file that a team shares, because paths differ there */
export function expectedHooks(
  client: ClientSettings,
  scope: Scope,
  program: readonly string[],
  channel: Channel = "command",
): ExpectedHooks {
  const groups = new Map<string, ExpectedGroup>();
  for (const event of client.events) {
    const { name, matcher, timeout, isWhole } = event;
    // A module gives a start whole. Where the client refuses it, a hook begins, and what comes later carries on.
    const parts = channel === "mod" ? 1 : event.parts;
    const frame = matcher === undefined ? {} : { matcher };
    const input = channel === "command" ? undefined : client.server?.input(event);
    if (input !== undefined && client.server !== undefined) {
      const handler = { type: "mcp_tool", server: client.server.name, tool: HOOK_TOOL, timeout } as const;
      const hooks = Array.from({ length: parts }, (_, index): ExpectedHandler => {
        const part = parts === 1 ? {} : { part: `${index + 1}/${parts}` };
        return { ...handler, input: { client: client.name, ...part, ...input } };
      });
      groups.set(name, { ...frame, hooks });
      continue;
    }
    const hooks = Array.from({ length: parts }, (_, index): ExpectedHandler => {
      const part = isWhole ? ["--part", "whole"] : parts === 1 ? [] : ["--part", `${index + 1}/${parts}`];
      const form = commandForm(client, scope, program, ["hook", client.name, ...part]);
      const handler = { type: "command", ...form, timeout } as const;
      // A client with flat entries has no such limit to lift.
      return isWhole && client.layout.kind === "groups" ? { ...handler, [LIMIT]: 0 } : handler;
    });
    groups.set(name, { ...frame, hooks });
  }
  return { client: client.name, groups, layout: client.layout, channel };
}

/** A group in the form that the layout has in an event's list. */
export function entryOf({ layout }: ExpectedHooks, group: ExpectedGroup): object {
  const [handler] = group.hooks;
  if (layout.kind !== "flat" || handler?.type !== "command") return group;
  const { type, command, timeout } = handler;
  return layout.isTyped ? { type, command, timeout } : { command, timeout };
}

/** What a new file contains besides the hooks. */
export function frameOf(layout: Layout): Table {
  return layout.kind === "flat" ? layout.frame : {};
}
