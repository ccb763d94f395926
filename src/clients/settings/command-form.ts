import { sep } from "node:path";
import { inSingleQuotes, quoteForWindows } from "../../lib/shell-quote.ts";
import type { ClientSettings, Scope } from "./model.ts";
import { PRESENCE_GUARD } from "./own-command.ts";

/** A hook's command for its client on this system. */
export interface CommandForm {
  /** For a shell, unless there are `args`. */
  readonly command: string;
  /** They go to the program without a shell. */
  readonly args?: readonly string[];
  /** What the client runs instead on Windows. */
  readonly commandWindows?: string;
}

type Client = Pick<ClientSettings, "takesArguments" | "hasWindowsCommand">;

/**
 * On Windows a client may run hooks with Git's bash, PowerShell or cmd. If the client can start a program itself, it
 * does; otherwise the command works in both cmd and PowerShell.
 *
 * @param program the words that call this program; unused in a file that a team shares
 */
export function commandForm(
  client: Client,
  scope: Scope,
  program: readonly string[],
  args: readonly string[],
): CommandForm {
  if (scope === "project") {
    const words = ["codelia", ...args].join(" ");
    const command = PRESENCE_GUARD + words;
    return client.hasWindowsCommand === true ? { command, commandWindows: onlyFromPath(words) } : { command };
  }
  const [first = "", ...rest] = program;
  if (sep === "/") return { command: [...program.map(inSingleQuotes), ...args].join(" ") };
  if (client.takesArguments === true) return { command: first, args: [...rest, ...args] };
  return { command: [...program.map(quoteForWindows), ...args].join(" ") };
}

/** For cmd, which otherwise prefers a program in the working directory to those on PATH. Silent if there is none. */
function onlyFromPath(words: string): string {
  return `set NoDefaultCurrentDirectoryInExePath=1&${words} 2>nul||exit 0`;
}

/** The command as one text for a shell. */
export function commandText({ command, args }: Pick<CommandForm, "command" | "args">): string {
  return args === undefined ? command : [command, ...args].map(inSingleQuotes).join(" ");
}
