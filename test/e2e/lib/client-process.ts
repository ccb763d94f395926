import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import type { TempTree } from "../../support/temp-tree.ts";
import { endStragglers, MARKER } from "./stragglers.ts";

export interface ClientProcess {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly home: TempTree;
  /** Added to the environment that every client gets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number | undefined;
  /** What is written to stdin: the first at once, the next when a line of stdout ends the turn before. */
  readonly inputs?: readonly string[];
  readonly endsTurn?: (line: string) => boolean;
}

export interface ProcessResult {
  readonly stdout: string;
  readonly stderr: string;
  /** As a shell counts: 128 + the number of the signal that ended it. */
  readonly exitCode: number;
  /** The commands of those that were still there some time after the client had gone; they have been ended. */
  readonly leftBehind: readonly string[];
}

/** Where nothing listens. */
export const NO_SERVER = "http://127.0.0.1:9";

const TIMEOUT_MS = 30_000;
/** For the streams to close when everything that we know of has ended. */
const CLOSING_MS = 5000;

/** Runs a client in a clean environment on its own; out of time it is killed with all it started, and this rejects. */
export async function runClient(client: ClientProcess): Promise<ProcessResult> {
  const { program, args, cwd, timeoutMs = TIMEOUT_MS } = client;
  const marker = randomUUID();
  client.home.write("tmp/.keep", "");
  const child = spawn(program, args, { cwd, env: { ...cleanEnvironment(client), [MARKER]: marker }, detached: true });
  const output = collect(child, client);
  const closed = new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
  const exited = new Promise<"exited">((resolve) => void child.on("exit", () => resolve("exited")));
  const { promise: expired, resolve: expire } = Promise.withResolvers<"expired">();
  const timers = [setTimeout(() => expire("expired"), timeoutMs)];
  try {
    const end = await Promise.race([exited, expired, closed]);
    // A process that outlives the client may hold its streams open, so that 'close' would never come.
    const leftBehind = await endStragglers(marker, child.pid, end === "expired" ? 0 : undefined);
    timers.push(setTimeout(() => [child.stdout, child.stderr].map((stream) => stream.destroy()), CLOSING_MS));
    const exitCode = await closed;
    if (end === "expired") {
      throw new Error(`no end after ${timeoutMs} ms\n${output.stdout()}\n${output.stderr()}`);
    }
    return { stdout: output.stdout(), stderr: output.stderr(), exitCode, leftBehind };
  } finally {
    timers.map(clearTimeout);
  }
}

/** Nothing of the caller's but PATH; a proxy that refuses everything, so that only loopback can be reached. */
export function cleanEnvironment({ home, env }: Pick<ClientProcess, "home" | "env">): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home.root,
    TMPDIR: home.path("tmp"),
    HTTP_PROXY: NO_SERVER,
    HTTPS_PROXY: NO_SERVER,
    NO_PROXY: "127.0.0.1,localhost",
    ...env,
  };
}

function collect(child: ChildProcess, { inputs = [], endsTurn = () => false }: ClientProcess) {
  let stdout = "";
  let stderr = "";
  let unread = 0;
  const waiting = [...inputs];
  const giveNext = () => {
    const next = waiting.shift();
    if (next === undefined) child.stdin?.end();
    else child.stdin?.write(next);
  };
  child.stdin?.on("error", () => {}); // a client may end without having read all of it
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    for (let end = stdout.indexOf("\n", unread); end >= 0; end = stdout.indexOf("\n", unread)) {
      const line = stdout.slice(unread, end);
      unread = end + 1;
      if (inputs.length > 0 && endsTurn(line)) giveNext();
    }
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => void (stderr += chunk));
  giveNext();
  return { stdout: () => stdout, stderr: () => stderr };
}
