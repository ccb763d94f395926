import { CODELIA } from "./run-codelia.ts";

export interface TerminalOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed, each as soon as the program asks: when `prompt` has come once more. A function is called then. */
  readonly typed?: readonly (string | (() => string))[];
  readonly prompt?: string;
  readonly columns?: number;
}

export interface TerminalResult {
  /** All that the terminal showed, what was typed with it, with plain line ends. */
  readonly shown: string;
  readonly exitCode: number;
}

/** What the terminal takes for the end of the input, at the beginning of a line. */
export const END_OF_INPUT = "\u0004";

const TIMEOUT_MS = 20_000;

/** Runs the built binary at a terminal of its own: all three standard streams are that terminal. */
export async function runAtTerminal(args: readonly string[], options: TerminalOptions): Promise<TerminalResult> {
  const { cwd, home, env, prompt = "[N]o ", columns = 1000 } = options;
  const typed = [...(options.typed ?? [])];
  const decoder = new TextDecoder();
  let shown = "";
  let seen = 0;
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const child = Bun.spawn([CODELIA, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TERM: "dumb", ...env },
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
    terminal: {
      cols: columns,
      data(terminal, data) {
        shown += decoder.decode(data, { stream: true });
        const asked = shown.indexOf(prompt, seen);
        const answer = asked < 0 ? undefined : typed.shift();
        if (answer === undefined) return;
        seen = asked + prompt.length;
        terminal.write(typeof answer === "string" ? answer : answer());
      },
      exit: () => close(),
    },
  });
  const exitCode = await child.exited;
  // All that it wrote has come when the terminal's other side is closed.
  await closed;
  child.terminal?.close();
  return { shown: shown.replaceAll("\r\n", "\n"), exitCode };
}
