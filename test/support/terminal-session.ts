import { readFileSync } from "node:fs";
import { CODELIA } from "./run-codelia.ts";
import { tempTree } from "./temp-tree.ts";

export interface TerminalOptions {
  readonly cwd: string;
  readonly home: string;
  readonly args: readonly string[];
  /** Added to PATH, HOME and TERM; the environment has nothing else. */
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

interface TerminalEnd {
  /** What was written to standard output, which is not the terminal. */
  readonly stdout: string;
  readonly exitCode: number;
  /** Everything that the terminal was sent. */
  readonly sent: string;
  /** The terminal's settings, as `stty -g` tells them, before and after. */
  readonly settings: readonly [string, string];
}

interface TerminalSession {
  press(keys: string): void;
  resize(columns: number, rows: number): void;
  /** The lines of the last picture that was drawn completely, without colours. */
  screen(): string[];
  /** Waits until a picture with this text is drawn; throws if that takes too long. */
  untilShown(wanted: string | RegExp): Promise<void>;
  /** Waits until this was sent, whether or not it is part of a picture. */
  untilSent(wanted: string): Promise<void>;
  /** Ends the program by a signal. */
  signal(name: "TERM" | "HUP" | "INT"): void;
  /** Waits until the program ends by itself. */
  end(): Promise<TerminalEnd>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const ENTER = "\r";
export const ESCAPE = "\u001B";
const LIMIT_MS = 20_000;

/** The shell runs until the program has ended, to print the terminal's settings afterwards. */
const SCRIPT = `
stty -g >"$STATE/before"
sh -c 'echo $$ >"$STATE/pid"; exec "$CODELIA" "$@" >"$STATE/stdout"' sh "$@"
code=$?
stty -g >"$STATE/after"
exit $code
`;

/** Runs the built binary on a terminal of its own. Its standard output is a file, as in \`$(codelia skills)\`. */
export function openTerminal(options: TerminalOptions): TerminalSession {
  const state = tempTree({ stdout: "", before: "", after: "", pid: "" });
  const decoder = new TextDecoder();
  let sent = "";
  let wake = () => {};
  const shell = Bun.spawn(["/bin/sh", "-c", SCRIPT, "codelia", ...options.args], {
    cwd: options.cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: options.home,
      TERM: "xterm-256color",
      CODELIA,
      STATE: state.root,
      ...options.env,
    },
    terminal: {
      cols: options.columns ?? 80,
      rows: options.rows ?? 24,
      data(_terminal, bytes) {
        sent += decoder.decode(bytes, { stream: true });
        wake();
      },
    },
  });
  const screen = () => lastPicture(sent);
  async function until(what: string, isThere: () => boolean): Promise<void> {
    const deadline = performance.now() + LIMIT_MS;
    while (!isThere()) {
      const left = deadline - performance.now();
      if (left <= 0 || shell.exitCode !== null) throw new Error(`no ${what} in ${JSON.stringify(sent.slice(-4000))}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = setTimeout(resolve, Math.min(left, 500));
      await promise;
      clearTimeout(timer);
    }
  }
  return {
    press: (keys) => void shell.terminal?.write(keys),
    resize: (columns, rows) => void shell.terminal?.resize(columns, rows),
    screen,
    untilShown: (wanted) =>
      until(String(wanted), () => {
        const text = screen().join("\n");
        return typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
      }),
    untilSent: (wanted) => until(JSON.stringify(wanted), () => sent.includes(wanted)),
    signal: (name) => void process.kill(Number(state.read("pid")), `SIG${name}`),
    async end() {
      const timer = setTimeout(() => shell.kill("SIGKILL"), LIMIT_MS);
      const exitCode = await shell.exited;
      clearTimeout(timer);
      const [stdout, before, after] = ["stdout", "before", "after"].map((name) =>
        readFileSync(state.path(name), "utf8"),
      );
      return { stdout: stdout ?? "", exitCode, sent, settings: [before ?? "", after ?? ""] };
    },
    async [Symbol.asyncDispose]() {
      shell.kill("SIGKILL");
      await shell.exited;
      shell.terminal?.close();
      state[Symbol.dispose]();
    },
  };
}

/** A picture is drawn while the cursor is hidden, each line from its first column. */
function lastPicture(sent: string): string[] {
  const end = sent.lastIndexOf("\u001B[?25h");
  const start = sent.lastIndexOf("\u001B[?25l", end);
  if (start < 0 || end < 0) return [];
  const picture = sent.slice(start, end);
  const lines: string[] = [];
  // eslint-disable-next-line no-control-regex -- the escape sequences are what is looked for
  for (const [, row, line] of picture.matchAll(/\u001B\[(\d+);1H\u001B\[K(.*?)(?=\u001B\[\d+;\d+H|$)/gs)) {
    // eslint-disable-next-line no-control-regex -- the colours are what is removed
    lines[Number(row) - 1] = (line ?? "").replaceAll(/\u001B\[\d*m/g, "");
  }
  return lines;
}
