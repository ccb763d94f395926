import { hookText, toldLines } from "./told.ts";

/** What a soak's calls must say, kept beside them: what each context was told, in which version. */
export interface SoakAudit {
  readonly faults: string[];
  /** What every context has been told, all together. */
  told(): number;
  /** Of this file there is another version from now on. */
  changed(file: string, mtimeMs: number): void;
  /** The versions that there are now; to be asked when a call begins. */
  versions(): ReadonlyMap<string, number>;
  /**
   * A context begins, or begins anew: it knows what it was told at its beginning, and nothing else. A beginning gives texts,
   * not versions: of a file that changed since `atStart` it may be either.
   */
  begun(context: string, stdout: string, known: readonly string[], atStart: ReadonlyMap<string, number>): void;
  /** One call of a context has come back. */
  answered(context: string, stdout: string, ladder: readonly string[], atStart: ReadonlyMap<string, number>): void;
}

/** Which version of a file a context was told: one of these. */
interface Known {
  readonly oldest: number;
  readonly newest: number;
}

export function newSoakAudit(rules: readonly string[], firstMtimeMs: number): SoakAudit {
  const current = new Map(rules.map((file) => [file, firstMtimeMs]));
  /** By context, what it was told in this epoch. */
  const known = new Map<string, Map<string, Known>>();
  const faults: string[] = [];
  let told = 0;
  return {
    faults,
    told: () => told,
    changed: (file, mtimeMs) => void current.set(file, mtimeMs),
    versions: () => new Map(current),
    begun(context, stdout, files, atStart) {
      const given = Array.from(hookText(stdout).matchAll(/^Instructions from: (.+)$/gm), ([, path = ""]) => path);
      const paths = [...given, ...files];
      known.set(
        context,
        new Map(paths.map((path) => [path, { oldest: atStart.get(path) ?? 0, newest: current.get(path) ?? 0 }])),
      );
    },
    answered(context, stdout, ladder, atStart) {
      const versions = known.get(context) ?? new Map<string, Known>();
      for (const { path, mtimeMs } of toldLines(hookText(stdout))) {
        told++;
        const before = versions.get(path);
        if (before?.oldest === mtimeMs) faults.push(`'${path}' told to '${context}' again`);
        if (before !== undefined && before.oldest > mtimeMs) {
          faults.push(`'${path}' told to '${context}' in an older version`);
        }
        const newest = Math.max(mtimeMs, before?.oldest ?? 0);
        versions.set(path, { oldest: newest, newest });
      }
      for (const path of ladder) {
        const wanted = atStart.get(path) ?? 0;
        if ((versions.get(path)?.newest ?? -1) < wanted) faults.push(`'${path}' not told to '${context}'`);
      }
      known.set(context, versions);
    },
  };
}
