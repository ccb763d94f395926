import { spawn } from "node:child_process";
import { constants } from "node:os";
import { CODELIA } from "../../support/run-codelia.ts";

/** How one call of the built binary ended. */
export interface Ending {
  readonly stdout: string;
  readonly stderr: string;
  /** As a shell counts it; "hung" when the call had to be killed for taking too long. */
  readonly exit: number | "hung";
  /** Since it began, or since it was fed. */
  readonly elapsedMs: number;
}

/** A call that may still be running. */
export interface Call {
  readonly pid: number;
  readonly ending: Promise<Ending>;
  /** Gives it its whole standard input, and the end of it. */
  feed(text: string): void;
  signal(name: NodeJS.Signals): void;
}

export interface CallOptions {
  readonly cwd: string;
  /** The whole environment, but for PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Its standard output, when that is not a pipe that is read here. */
  readonly stdout?: number;
  /** Its standard input stays open until it is fed. */
  readonly waitsForInput?: boolean;
  /** A program with its arguments that becomes, or runs, codelia: `setpriv …`, `strace …`. */
  readonly through?: readonly string[];
}

/** No contract allows a call to take this long, a reader that does not read aside. */
export const HUNG_MS = 4000;

export function startCall(args: readonly string[], options: CallOptions): Call {
  const { cwd, env, stdout = "pipe", through = [], waitsForInput = false } = options;
  const [program = CODELIA, ...rest] = [...through, CODELIA, ...args];
  let begun = performance.now();
  const child = spawn(program, rest, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: [waitsForInput ? "pipe" : "ignore", stdout, "pipe"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<Ending>();
  const [out, err]: [Uint8Array[], Uint8Array[]] = [[], []];
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    child.kill("SIGKILL");
  }, HUNG_MS);
  child.stdout?.on("data", (chunk: Uint8Array) => out.push(chunk));
  child.stderr?.on("data", (chunk: Uint8Array) => err.push(chunk));
  child.stdin?.on("error", () => {}); // it may end without having read
  child.on("error", reject);
  child.on("close", (code, signal) => {
    clearTimeout(timer);
    resolve({
      stdout: Buffer.concat(out).toString("utf8"),
      stderr: Buffer.concat(err).toString("utf8"),
      exit: isHung ? "hung" : (code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      elapsedMs: performance.now() - begun,
    });
  });
  return {
    pid: child.pid ?? 0,
    ending: promise,
    feed(text) {
      begun = performance.now();
      child.stdin?.end(text);
    },
    signal: (name) => void child.kill(name),
  };
}
