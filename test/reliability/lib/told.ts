import type { Ending } from "./call.ts";

export interface ToldLine {
  readonly path: string;
  readonly mtimeMs: number;
}

/** The lines of a reminder that name a file and its version: those it is told by. */
export function toldLines(stdout: string): ToldLine[] {
  return [...stdout.matchAll(/^- (.+) \(mtime: (\d+)\)(?: \(changed: read it again\))?$/gm)].map(
    ([, path, mtimeMs]) => ({
      path: path ?? "",
      mtimeMs: Number(mtimeMs),
    }),
  );
}

/** The text that a hook's answer gives the model. */
export function hookText(stdout: string): string {
  if (stdout === "") return "";
  const answer = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } };
  return answer.hookSpecificOutput.additionalContext;
}

/** How often each file was told in this version, over all outputs together. */
export function countTold(outputs: readonly string[], files: readonly string[], mtimeMs: number): Map<string, number> {
  const counts = new Map(files.map((file) => [file, 0]));
  for (const line of outputs.flatMap(toldLines)) {
    if (line.mtimeMs === mtimeMs) counts.set(line.path, (counts.get(line.path) ?? 0) + 1);
  }
  return counts;
}

/** What is wrong with endings that should together have told each file `times` times. */
export function judgeTold(endings: readonly Ending[], files: readonly string[], mtimeMs: number, times = 1): string[] {
  const counts = countTold(
    endings.map((ending) => ending.stdout),
    files,
    mtimeMs,
  );
  return [...counts].filter(([, count]) => count !== times).map(([file, count]) => `'${file}' told ${count} times`);
}

/** What is wrong with endings that should all have gone well and in silence. */
export function judgeEndings(endings: readonly Ending[]): string[] {
  return endings.flatMap(({ exit, stderr }) => [
    ...(exit === 0 ? [] : [`exit ${exit}`]),
    ...(stderr === "" ? [] : [`on standard error: ${stderr.trim()}`]),
  ]);
}
