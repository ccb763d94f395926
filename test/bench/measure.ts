/** One thing to time: a command, and what to put in order before each run. */
export interface Subject {
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly before?: () => void;
  /** What it gets on standard input. */
  readonly input?: string;
  /** By a socket whose other end stays open, as some clients call their hooks; else it is a file. */
  readonly isOnSocket?: true;
}

export interface Timing {
  readonly medianMs: number;
  readonly p95Ms: number;
}

/**
 * Times subjects in turn, one run of each per round, so that whatever else the machine does falls on all alike. Each
 * round has another order, for the same reason.
 * A run that fails ends the bench: a figure for a command that did not do its work would be none.
 */
export async function measure(subjects: readonly Subject[], rounds: number, warmUps = 3): Promise<Map<string, Timing>> {
  const runs = new Map(subjects.map((subject) => [subject.name, [] as number[]]));
  for (let round = -warmUps; round < rounds; round++) {
    for (const subject of shuffled(subjects, round)) {
      subject.before?.();
      const start = performance.now();
      const { exitCode, stderr } = await runOnce(subject);
      const elapsed = performance.now() - start;
      if (exitCode !== 0) throw new Error(`'${subject.name}' exited with ${exitCode}: ${stderr}`);
      if (round >= 0) runs.get(subject.name)?.push(elapsed);
    }
  }
  return new Map([...runs].map(([name, times]) => [name, summary(times)]));
}

/** The most memory one run had resident, as the program's own trace reports it at its end. */
export async function peakBytes(subject: Subject): Promise<number> {
  subject.before?.();
  const { stderr } = await runOnce({ ...subject, env: { ...subject.env, CODELIA_TRACE: "1" } });
  const last = stderr.trimEnd().split("\n").at(-1) ?? "{}";
  return JSON.parse(last).peakKB * 1024;
}

interface Run {
  readonly exitCode: number;
  readonly stderr: string;
}

function runOnce({ command, cwd, env, input = "", isOnSocket }: Subject): Run | Promise<Run> {
  const bytes = new TextEncoder().encode(input);
  const options = { cwd, env: { ...env }, stdout: "ignore", stderr: "pipe" } as const;
  if (isOnSocket !== undefined) return runOnSocket(Bun.spawn([...command], { ...options, stdin: "pipe" }), bytes);
  const { exitCode, stderr } = Bun.spawnSync([...command], { ...options, stdin: input === "" ? "ignore" : bytes });
  return { exitCode, stderr: stderr.toString() };
}

async function runOnSocket(child: Bun.Subprocess<"pipe", "ignore", "pipe">, bytes: Uint8Array): Promise<Run> {
  void child.stdin.write(bytes);
  void child.stdin.flush();
  const exitCode = await child.exited;
  return { exitCode, stderr: await child.stderr.text() };
}

/** The same order for the same round, in every run of the bench. */
function shuffled(subjects: readonly Subject[], round: number): Subject[] {
  let state = round + 1000;
  const order = subjects.map((subject) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39;
    return { subject, rank: state >>> 0 };
  });
  return order.toSorted((left, right) => left.rank - right.rank).map(({ subject }) => subject);
}

function summary(times: readonly number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { medianMs: at(0.5), p95Ms: at(0.95) };
}
