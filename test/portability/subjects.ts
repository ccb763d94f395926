import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Answer, Subject } from "./play.ts";

/** Longer than any call under an emulator on a busy machine. */
const TIMEOUT_MS = 120_000;

/** Runs a program with nothing of this environment. */
export function runPlain(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly stdin: string },
): Promise<Answer> {
  const [program = "", ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdin.on("error", () => {});
    child.on("error", (error) => resolve({ stdout, stderr: String(error), exitCode: -1 }));
    child.on("close", (code) => resolve({ stdout, stderr, exitCode: code ?? -1 }));
    child.stdin.end(options.stdin);
  });
}

/** A program of this machine's kind, or one that an emulator runs as if it were. */
export function localSubject(
  name: string,
  how: string,
  command: readonly string[],
  base: string,
  env: Readonly<Record<string, string>> = {},
): Subject {
  const at = (path: string) => join(base, path);
  const environment = { PATH: "/usr/bin:/bin", HOME: at("home"), NO_COLOR: "1", ...env };
  return {
    name,
    how,
    base,
    at,
    run: (args, stdin) => runPlain([...command, ...args], { cwd: at("repo"), env: environment, stdin }),
    programs: [...command.filter((word) => word.startsWith("/")), "/proc/self/exe"],
  };
}
