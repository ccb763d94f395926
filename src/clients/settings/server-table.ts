import { isSameData } from "../../lib/edit/plan.ts";
import { isTable, valueAt, type Table } from "../../lib/table.ts";
import { parseToml } from "../../lib/toml.ts";
import type { Edited } from "./install.ts";
import type { ChannelSetting, Companion } from "./model.ts";
import { withBlock, withoutBlock } from "./toml-lines.ts";

// The table in a client's TOML settings that names our server. Everything else in the file keeps its bytes.

/** The name of our server. */
export const SERVER = "codelia-hooks";
const KEY = "mcp_servers";
const HEADER = `[${KEY}.${SERVER}]`;
const MARK = "# Written by 'codelia install': the server that its hooks call.";
const EDITED = `its '${HEADER}' is written in a way that only you can change`;

/**
 * A client may start its servers with hardly any environment: the variables that codelia reads are passed on by name.
 */
const PASSED_ON = [
  "CODELIA_AGENTS_MARKERS",
  "CODELIA_AGENTS_ROOT",
  "CODELIA_DISABLE",
  "CODELIA_HOME",
  "CODELIA_PLUGINS",
  "CODELIA_TRACE",
  "CODEX_HOME",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_RUNTIME_DIR",
  "XDG_STATE_HOME",
];

/** The file at a path, which names our server if hooks call it. */
export function serverFile(path: string): Companion {
  return {
    path,
    edit(before: string | undefined, setting: ChannelSetting | undefined): Edited {
      return setting?.channel === "mcp" ? addServer(before, setting.words) : removeServer(before);
    },
    isOurs: (text) => serverIn(text) !== undefined,
  };
}

/** The file with the server's table in it. @param words what calls this program */
function addServer(text: string | undefined, words: readonly string[]): Edited {
  const [command = "", ...args] = words;
  const wanted = { command, args: [...args, "mcp", "--hooks"], env_vars: PASSED_ON };
  const present = text === undefined ? undefined : readServer(text);
  if (present !== undefined && "problem" in present) return { kind: "problem", problem: present.problem };
  if (present?.server !== undefined) {
    if (isSameData(present.server, wanted)) return { kind: "text", text };
    const removed = removeServer(text);
    return removed.kind === "problem" ? removed : addServer(removed.text, words);
  }
  const lines = Object.entries(wanted).map(([key, value]) => `${key} = ${toToml(value)}`);
  const block = `${[MARK, HEADER, ...lines].join("\n")}\n`;
  const after = withBlock(text, block);
  return isKept(text, after) ? { kind: "text", text: after } : { kind: "problem", problem: EDITED };
}

/** The file without it; undefined if nothing else was in it. */
function removeServer(text: string | undefined): Edited {
  if (text === undefined) return { kind: "text", text };
  const present = readServer(text);
  if ("problem" in present) return { kind: "problem", problem: present.problem };
  if (present.server === undefined) return { kind: "text", text };
  const at = text.split("\n").findIndex((line) => line.trim() === HEADER);
  if (at < 0) return { kind: "problem", problem: EDITED };
  const rest = withoutBlock(text, at, MARK);
  return rest === undefined ? { kind: "text", text: rest } : kept(text, rest);
}

function kept(text: string, after: string): Edited {
  const isGone = serverIn(after) === undefined && isKept(text, after);
  return isGone ? { kind: "text", text: after } : { kind: "problem", problem: EDITED };
}

/** How the file names the server, whoever wrote it. */
export function serverIn(text: string | undefined): unknown {
  const read = text === undefined ? undefined : readServer(text);
  return read !== undefined && "server" in read ? read.server : undefined;
}

function readServer(text: string): { readonly server: unknown } | { readonly problem: string } {
  const read = parseToml(text);
  if (read.kind === "error") return { problem: `line ${read.line}: ${read.message}` };
  return { server: valueAt(read.data, KEY, SERVER) };
}

/** A safeguard: whatever the edit did, everything but our table has the same data as before. */
function isKept(before: string | undefined, after: string): boolean {
  return isSameData(others(before ?? ""), others(after));
}

function others(text: string): unknown {
  const read = parseToml(text);
  if (read.kind === "error" || !isTable(read.data)) return read;
  const servers = read.data[KEY];
  if (!isTable(servers)) return read.data;
  const { [SERVER]: _, ...rest } = servers;
  const { [KEY]: __, ...data } = read.data;
  return Object.keys(rest).length === 0 ? data : ({ ...data, [KEY]: rest } satisfies Table);
}

/** JSON strings are valid TOML strings. */
function toToml(value: string | readonly string[]): string {
  return typeof value === "string"
    ? JSON.stringify(value)
    : `[${value.map((each) => JSON.stringify(each)).join(", ")}]`;
}
