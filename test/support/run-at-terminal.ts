import { CODELIA } from "./run-codelia.ts";

interface TerminalOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed, each when the program shows `prompt` again. A function is called at that time. */
  readonly typed?: readonly (string | (() => string))[];
  readonly prompt?: string;
  readonly columns?: number;
}

export interface TerminalResult {
  /** Everything that the terminal showed, including what was typed, with plain line ends. */
  readonly shown: string;
  readonly exitCode: number;
}

/** The character that ends the input, at the beginning of a line. */
export const END_OF_INPUT = "\u0004";

const TIMEOUT_MS = 20_000;

/** Runs the built binary with a terminal as all three standard streams. */
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
  // Everything has arrived once the other side of the terminal is closed.
  await closed;
  child.terminal?.close();
  return { shown: shown.replaceAll("\r\n", "\n"), exitCode };
}
