import { toldLines } from "./told.ts";

/** What a soak's calls must say, kept beside them: what each context was told, in which version. */
export interface SoakAudit {
  readonly faults: string[];
  /** What every context has been told, all together. */
  told(): number;
  /** Of this file there is another version from now on. */
  changed(file: string, mtimeMs: number): void;
  /** The versions that there are now; to be asked when a call begins. */
  versions(): ReadonlyMap<string, number>;
  /** A context begins, or begins anew: it knows what it was told at its beginning, and nothing else. */
  begun(context: string, stdout: string, known: readonly string[]): void;
  /** One call of a context has come back. */
  answered(context: string, stdout: string, ladder: readonly string[], atStart: ReadonlyMap<string, number>): void;
}

export function newSoakAudit(rules: readonly string[], firstMtimeMs: number): SoakAudit {
  const current = new Map(rules.map((file) => [file, firstMtimeMs]));
  /** By context, what it was told in this epoch: file and newest version. */
  const known = new Map<string, Map<string, number>>();
  const faults: string[] = [];
  let told = 0;
  return {
    faults,
    told: () => told,
    changed: (file, mtimeMs) => void current.set(file, mtimeMs),
    versions: () => new Map(current),
    begun(context, stdout, files) {
      const versions = new Map<string, number>();
      for (const [, path = ""] of textOf(stdout).matchAll(/^Instructions from: (.+)$/gm)) {
        versions.set(path, current.get(path) ?? 0);
      }
      for (const path of files) versions.set(path, current.get(path) ?? 0);
      known.set(context, versions);
    },
    answered(context, stdout, ladder, atStart) {
      const versions = known.get(context) ?? new Map<string, number>();
      for (const { path, mtimeMs } of toldLines(textOf(stdout))) {
        told++;
        const before = versions.get(path);
        if (before === mtimeMs) faults.push(`'${path}' told to '${context}' again`);
        if (before !== undefined && before > mtimeMs) faults.push(`'${path}' told to '${context}' in an older version`);
        versions.set(path, Math.max(mtimeMs, before ?? 0));
      }
      for (const path of ladder) {
        const wanted = atStart.get(path) ?? 0;
        if ((versions.get(path) ?? -1) < wanted) faults.push(`'${path}' not told to '${context}'`);
      }
      known.set(context, versions);
    },
  };
}

/** The text that a hook's answer gives the model. */
function textOf(stdout: string): string {
  if (stdout === "") return "";
  const answer = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } };
  return answer.hookSpecificOutput.additionalContext;
}
