/** One thing to time: a command, and what to put in order before each run. */
export interface Subject {
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly before?: () => void;
  /** What it gets on standard input. */
  readonly input?: string;
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
export function measure(subjects: readonly Subject[], rounds: number): Map<string, Timing> {
  const runs = new Map(subjects.map((subject) => [subject.name, [] as number[]]));
  for (let round = -3; round < rounds; round++) {
    for (const subject of shuffled(subjects, round)) {
      subject.before?.();
      const start = performance.now();
      const { exitCode, stderr } = Bun.spawnSync([...subject.command], {
        cwd: subject.cwd,
        env: { ...subject.env },
        stdin: subject.input === undefined ? "ignore" : new TextEncoder().encode(subject.input),
        stdout: "ignore",
        stderr: "pipe",
      });
      const elapsed = performance.now() - start;
      if (exitCode !== 0) throw new Error(`'${subject.name}' exited with ${exitCode}: ${stderr.toString()}`);
      if (round >= 0) runs.get(subject.name)?.push(elapsed);
    }
  }
  return new Map([...runs].map(([name, times]) => [name, summary(times)]));
}

/** The most memory one run had resident, as the program's own trace reports it at its end. */
export function peakBytes(subject: Subject): number {
  subject.before?.();
  const { stderr } = Bun.spawnSync([...subject.command], {
    cwd: subject.cwd,
    env: { ...subject.env, CODELIA_TRACE: "1" },
    stdin: subject.input === undefined ? "ignore" : new TextEncoder().encode(subject.input),
    stdout: "ignore",
    stderr: "pipe",
  });
  const last = stderr.toString().trimEnd().split("\n").at(-1) ?? "{}";
  return JSON.parse(last).peakKB * 1024;
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
