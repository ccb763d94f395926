import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** A function of a file in `src/`, and what it is given. Both ways it goes through JSON: undefined comes back as null. */
export interface WindowsCall {
  readonly from: string;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** What these calls return where `node:path` is that of Windows. */
export function callAsOnWindows(calls: readonly WindowsCall[]): readonly unknown[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "call-as-on-windows.ts")], {
    input: JSON.stringify(calls),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as unknown[];
}
