import { runText } from "../../src/touched/command.ts";
import { initialState, type Directories } from "../../src/touched/shell/state.ts";
import { readShell } from "../../src/touched/with-grammar.ts";
import { nothingFound, touchedPaths, type TouchedPath } from "../../src/touched/paths.ts";

interface CommandPaths {
  readonly paths: readonly TouchedPath[];
  /** The directory in which the shell ends, if it is known. */
  readonly cwdAfter?: string;
}

/** What a shell command touches; undefined if it can't be parsed. */
export function commandPaths(command: string, directories: Directories): CommandPaths | undefined {
  const found = nothingFound(readShell);
  const state = initialState(directories, found);
  if (!runText(state, command)) return undefined;
  const paths = touchedPaths(found);
  return state.isLost ? { paths } : { paths, cwdAfter: state.cwd };
}
