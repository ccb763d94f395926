import { existsSync } from "node:fs";
import { startProgram, type RunResult } from "./run-codelia.ts";
import { tempTree } from "./temp-tree.ts";

interface ShellOptions {
  readonly cwd: string;
  readonly home: string;
  /** The program that `codelia` means in this shell. */
  readonly codelia: string;
  /** Added to PATH and HOME; the environment has nothing else. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface ShellSession {
  run(command: string): Promise<RunResult>;
  [Symbol.dispose](): void;
}

/**
 * A shell in which `cd` and `export` last from one command to the next. Each command has a shell of its own, so
 * that a command that exits, hangs or has a syntax error does not end the session; the next shell gets its directory and
 * its exported variables.
 */
export function openShell({ cwd, home, codelia, env, timeoutMs = 30_000 }: ShellOptions): ShellSession {
  if (!existsSync(codelia)) throw new Error(`there is no '${codelia}': run 'npm run build' first`);
  const state = tempTree({ "bin/codelia": { link: codelia }, cwd: `${cwd}\n` });
  const environment = { PATH: `${state.path("bin")}:${process.env["PATH"] ?? ""}`, HOME: home, ...env };
  state.write("exports", Object.entries(environment).map(exportLine).join(""));
  return {
    async run(command) {
      const script = [
        `_leave() { _status=$?; trap - EXIT; pwd >${quote(state.path("cwd"))}; export -p >${quote(state.path("exports"))}; exit $_status; }`,
        `cd ${quote(state.read("cwd").slice(0, -1))} || exit`,
        `. ${quote(state.path("exports"))}`,
        "trap _leave EXIT",
        command,
        "",
      ];
      return startProgram("/bin/sh", ["-c", script.join("\n")], { cwd, env: {}, timeoutMs });
    },
    [Symbol.dispose]: () => state[Symbol.dispose](),
  };
}

function exportLine([name, value]: readonly [string, string]): string {
  return `export ${name}=${quote(value)}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
