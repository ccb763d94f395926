import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "./run-codelia.ts";

/** What standard input may be besides a file and a pipe; `pipe` is one that the program may not open. */
export const STDIN_KINDS = ["stream", "packet", "tcp", "terminal", "pipe"] as const;
export type StdinKind = (typeof STDIN_KINDS)[number];

interface StdinCall {
  readonly kind: StdinKind;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What is sent, one after the other; the stream stays open. */
  readonly pieces?: readonly (string | Uint8Array)[];
  readonly everyMs?: number;
}

interface StdinResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
}

/** The program that makes them, compiled for this test run. */
interface StdinMaker extends Disposable {
  /** Why there is none; undefined if there is one. */
  readonly why: string | undefined;
  run(call: StdinCall): Promise<StdinResult>;
}

/** The exit code of a program that does not end. */
const LIMIT_MS = 15_000;

export function makeStdinMaker(): StdinMaker {
  const directory = mkdtempSync(join(tmpdir(), "codelia-stdin-"));
  const program = join(directory, "stdin-of");
  return {
    why: whyNot(program),
    run: (call) => run(program, call),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function whyNot(program: string): string | undefined {
  if (process.platform !== "linux") return "only Linux has all of these kinds";
  const source = join(REPOSITORY, "test/support/stdin-of.c");
  const compiled = spawnSync("cc", ["-O1", "-o", program, source], { encoding: "utf8" });
  if (compiled.error !== undefined) return "there is no C compiler here";
  if (compiled.status !== 0) throw new Error(`stdin-of.c does not compile: ${compiled.stderr}`);
  return undefined;
}

async function run(program: string, call: StdinCall): Promise<StdinResult> {
  const { kind, command, cwd, env, pieces = [], everyMs = 0 } = call;
  const start = performance.now();
  const child = spawn(program, [kind, ...command], { cwd, env, stdio: "pipe", detached: true });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {}); // the program may end before all is sent
  const send = ([piece, ...rest]: readonly (string | Uint8Array)[]): void => {
    if (piece === undefined) return void child.stdin.end();
    child.stdin.write(piece);
    if (rest.length === 0 || everyMs === 0) send(rest);
    else setTimeout(send, everyMs, rest);
  };
  send(pieces);
  const limit = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), LIMIT_MS);
  const [code] = await once(child, "close");
  clearTimeout(limit);
  return { exitCode: code ?? -1, stdout, stderr, elapsedMs: performance.now() - start };
}
