import { hookText, toldLines } from "./told.ts";

/** An instruction file; its version stands for its text and time. */
export interface StandingFile {
  readonly path: string;
  readonly version: string;
}

/** What a call means for its context. */
export type CallKind =
  /** It touches a path: all files that apply there must be known afterwards. */
  | "touch"
  /** The context has forgotten what it was told, and knows what this call tells. */
  | "begin"
  /** Its contexts must be told everything again. */
  | "reset"
  /** The context is over. */
  | "end";

export interface PlayedCall {
  readonly kind: CallKind;
  /** The context, or those of a reset. */
  readonly contexts: readonly string[];
  /** The files that apply to what it touches. */
  readonly applying: readonly StandingFile[];
  readonly stdout: string;
  /** It ended by itself, with exit code 0. */
  readonly isDone: boolean;
  /** For reports. */
  readonly label: string;
}

export interface HistoryOracle {
  /** Files that applied, and were neither told by the call nor known to its context. */
  readonly lost: string[];
  /** Tellings of a file to a context. */
  readonly told: number;
  /** Tellings of a version that the context was told last. */
  readonly repeated: number;
  /** Those with no disturbance since the earlier telling. */
  readonly unexcused: string[];
  /** Something happened that excuses repeated tellings. */
  disturb(): void;
  /** Judges calls that ran at the same time. `standing`: the version of each instruction file meanwhile, by path. */
  judge(calls: readonly PlayedCall[], standing: ReadonlyMap<string, string>): void;
}

/** What a context was told since it last forgot. */
interface Told {
  /** By path, the versions that may have been told last: more than one if calls were killed. */
  readonly possible: Map<string, Set<string>>;
  /** By path, the version that was certainly told last, and the number of disturbances by then. */
  readonly certain: Map<string, { readonly version: string; readonly disturbances: number }>;
}

/** Keeps every telling of every context. It goes by what the calls printed, and shares no code with the ledger. */
export function newHistoryOracle(): HistoryOracle {
  const contexts = new Map<string, Told>();
  const lost: string[] = [];
  const unexcused: string[] = [];
  let [told, repeated, disturbances] = [0, 0, 0];

  function of(context: string): Told {
    const known = contexts.get(context) ?? { possible: new Map(), certain: new Map() };
    contexts.set(context, known);
    return known;
  }

  function judgeContext(context: string, calls: readonly PlayedCall[], standing: ReadonlyMap<string, string>): void {
    const known = of(context);
    const forgot = calls.some(({ kind, isDone }) => isDone && (kind === "begin" || kind === "reset"));
    const tellings = calls.flatMap((call) => tellingsOf(call, standing));
    const now = new Set(tellings.map(({ path }) => path));
    for (const { kind, isDone, applying, label } of calls) {
      if (kind !== "touch" || !isDone) continue;
      for (const { path, version } of applying) {
        const isKnown = now.has(path) || known.possible.get(path)?.has(version) === true;
        if (isKnown) continue;
        lost.push(`'${path}' not told to '${context}': ${label}`);
        // One loss, not one for each call that comes after it.
        known.possible.set(path, new Set([version]));
      }
    }
    countTold(context, known, tellings, forgot);
    if (forgot) {
      known.possible.clear();
      known.certain.clear();
    }
    for (const { path, version, isDone, kind } of tellings) {
      const before = isDone ? [] : (known.possible.get(path) ?? []);
      known.possible.set(path, new Set([...before, version]));
      // What was told while the context forgot may have been told before that, or after it.
      if (isDone && (!forgot || kind === "begin")) known.certain.set(path, { version, disturbances });
    }
    if (calls.some(({ kind, isDone }) => kind === "end" && isDone)) contexts.delete(context);
  }

  function countTold(context: string, known: Told, tellings: readonly Telling[], forgot: boolean): void {
    const seen = new Set<string>();
    // Two entries ask for the same start.
    const begun = new Set<string>();
    for (const { path, version, label, kind, isDone } of tellings) {
      told++;
      const last = known.certain.get(path);
      const isAgain = forgot ? kind === "begin" && begun.has(path) : seen.has(path) || last?.version === version;
      seen.add(path);
      if (kind === "begin" && isDone) begun.add(path);
      if (!isAgain) continue;
      repeated++;
      if (last === undefined || last.disturbances === disturbances) {
        unexcused.push(`'${path}' told to '${context}' again: ${label}`);
      }
    }
  }

  return {
    lost,
    unexcused,
    get told() {
      return told;
    },
    get repeated() {
      return repeated;
    },
    disturb: () => void disturbances++,
    judge(calls, standing) {
      if (calls.some(({ kind, isDone }) => !isDone || kind === "reset")) disturbances++;
      for (const context of new Set(calls.flatMap((call) => call.contexts))) {
        judgeContext(
          context,
          calls.filter((call) => call.contexts.includes(context)),
          standing,
        );
      }
    },
  };
}

interface Telling extends StandingFile {
  readonly kind: CallKind;
  readonly isDone: boolean;
  readonly label: string;
}

/** The files that a call told, by name or by text. */
function tellingsOf({ kind, stdout, isDone, label }: PlayedCall, standing: ReadonlyMap<string, string>): Telling[] {
  const text = stdout.startsWith("{") ? hookText(stdout) : stdout;
  const given = Array.from(text.matchAll(/^Instructions from: (.+)$/gm), ([, path = ""]) => path);
  const paths = [...toldLines(text).map(({ path }) => path), ...given];
  return [...new Set(paths)].flatMap((path) => {
    const version = standing.get(path);
    return version === undefined ? [] : [{ path, version, kind, isDone, label }];
  });
}
