import { runText } from "./command.ts";
import { touchToolUse, type ToolUse } from "./payload-paths.ts";
import { readShell } from "./read-shell.ts";
import { initialState, type Place } from "./shell/state.ts";
import { nothingFound, touchedPaths, type ShownFile, type TouchedPath } from "./touched.ts";

/** What a tool call touches: absolute, normalised, each path once, at most 512. A shell's unreadable command gives the cwd. */
export function pathsOfToolUse(use: ToolUse): TouchedPath[] {
  const found = nothingFound(readShell);
  touchToolUse(found, use);
  return touchedPaths(found);
}

/** The files whose text a shell's command prints. */
export function filesShownBy(use: ToolUse): ShownFile[] {
  const shown: ShownFile[] = [];
  touchToolUse(nothingFound(readShell, shown), use);
  return shown;
}

export type CommandPaths = {
  readonly paths: readonly TouchedPath[];
  /** Where its shell is in the end, when that can be known. */
  readonly cwdAfter?: string;
};

/** What a shell's command touches; undefined when it can't be read. */
export function commandPaths(command: string, place: Place): CommandPaths | undefined {
  const found = nothingFound(readShell);
  const state = initialState(place, found);
  if (!runText(state, command)) return undefined;
  const paths = touchedPaths(found);
  return state.isLost ? { paths } : { paths, cwdAfter: state.cwd };
}
