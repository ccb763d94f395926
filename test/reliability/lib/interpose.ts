import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CODELIA, REPOSITORY } from "../../support/run-codelia.ts";

export interface Shift {
  readonly clockSeconds?: number;
  readonly device?: number;
}

/** A library that makes a program see another time, or other device numbers. */
export interface Interposer extends Disposable {
  /** Why it can't be used here; undefined if it can. */
  readonly why: string | undefined;
  /** The environment that loads it. */
  env(shift: Shift): Record<string, string>;
}

const SOURCE = join(REPOSITORY, "test/reliability/lib/interpose.c");

export function makeInterposer(): Interposer {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "codelia-interpose-")));
  const library = join(directory, "interpose.so");
  return {
    why: whyNot(library),
    env: ({ clockSeconds = 0, device = 0 }) =>
      clockSeconds === 0 && device === 0
        ? {}
        : { LD_PRELOAD: library, CLOCK_SHIFT_S: String(clockSeconds), DEVICE_SHIFT: String(device) },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function whyNot(library: string): string | undefined {
  if (process.platform !== "linux") return "only Linux loads a library before others like this";
  const args = ["-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"];
  const compiled = spawnSync("cc", args, { encoding: "utf8" });
  if (compiled.error !== undefined) return "there is no C compiler here";
  if (compiled.status !== 0) throw new Error(`interpose.c does not compile: ${compiled.stderr}`);
  const { status, stderr } = spawnSync(CODELIA, ["--version"], { encoding: "utf8", env: { LD_PRELOAD: library } });
  return status === 0 && stderr === "" ? undefined : `the program does not load it: ${stderr.trim()}`;
}
