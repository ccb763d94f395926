import type { Table } from "../../lib/table.ts";
import { PRESENCE_GUARD } from "./own-command.ts";
import type { Layout, Scope, SettingsHost } from "./settings-host.ts";

export interface WantedHandler {
  readonly type: "command";
  readonly command: string;
  readonly timeout: number;
}

export interface WantedGroup {
  readonly matcher?: string;
  readonly hooks: readonly WantedHandler[];
}

/** What a settings file should hold: one group for each event, in this order. */
export interface Wanted {
  readonly host: string;
  readonly groups: ReadonlyMap<string, WantedGroup>;
  readonly layout: Layout;
}

/**
 * @param program the words that call this program, absolute; not used for a file that a team shares, because each of
 * them has it elsewhere
 */
export function wantedFor(host: SettingsHost, scope: Scope, program: readonly string[]): Wanted {
  const call = scope === "project" ? `${PRESENCE_GUARD}codelia` : program.map(quote).join(" ");
  const groups = new Map<string, WantedGroup>();
  for (const { name, matcher, timeout, parts } of host.events) {
    const hooks = Array.from({ length: parts }, (_, index): WantedHandler => {
      const part = parts === 1 ? "" : ` --part ${index + 1}/${parts}`;
      return { type: "command", command: `${call} hook ${host.name}${part}`, timeout };
    });
    groups.set(name, { ...(matcher === undefined ? {} : { matcher }), hooks });
  }
  return { host: host.name, groups, layout: host.layout };
}

/** What stands in an event's list. */
export function entryOf({ layout }: Wanted, group: WantedGroup): object {
  const [handler] = group.hooks;
  if (layout.kind !== "flat" || handler === undefined) return group;
  const { type, command, timeout } = handler;
  return layout.isTyped ? { type, command, timeout } : { command, timeout };
}

/** What a file has beside the hooks where there was none. */
export function frameOf(layout: Layout): Table {
  return layout.kind === "flat" ? layout.frame : {};
}

/** Always between quotes: a path that is moved to one with a space in it changes nothing else. */
function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
