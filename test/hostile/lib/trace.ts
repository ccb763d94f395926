import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { CODELIA, REPOSITORY, runCodelia, type RunOptions, type RunResult } from "../../support/run-codelia.ts";

/** A call to the system that names a file, opens a way out, or starts something. */
export interface SystemCall {
  readonly name: string;
  /** As the kernel gave it back; below 0 where the call failed. */
  readonly result: number;
  readonly flags: number;
  readonly paths: readonly string[];
}

/** The program that watches another one's calls, compiled for as long as the tests run. */
export interface Tracer extends Disposable {
  /** Why there is none here; undefined where there is. */
  readonly why: string | undefined;
  trace(args: readonly string[], options: RunOptions): RunResult & { readonly calls: readonly SystemCall[] };
}

const SOURCE = join(REPOSITORY, "test/hostile/lib/trace-calls.c");

export function makeTracer(): Tracer {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "codelia-tracer-")));
  const program = join(directory, "trace-calls");
  const record = join(directory, "record");
  return {
    why: whyNot(program, record),
    trace(args, options) {
      const result = runCodelia([record, CODELIA, ...args], { ...options, binary: program });
      return { ...result, calls: readRecord(record) };
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function whyNot(program: string, record: string): string | undefined {
  if (process.platform !== "linux") return "only Linux tells a program's calls like this";
  const compiled = spawnSync("cc", ["-O1", "-o", program, SOURCE], { encoding: "utf8" });
  if (compiled.error !== undefined) return "there is no C compiler here";
  if (compiled.status !== 0) throw new Error(`trace-calls.c does not compile: ${compiled.stderr}`);
  const { status, stderr } = spawnSync(program, [record, "true"], { encoding: "utf8" });
  if (status !== 0) return `this machine lets no program be traced: ${stderr.trim()}`;
  return readRecord(record).length > 0 ? undefined : "this kernel does not say what a call is";
}

function readRecord(path: string): SystemCall[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [name = "", result, flags = "", ...paths] = line.split("\t");
      const named = paths
        .filter((text) => text !== "")
        .map((text) => normalize(decodeURIComponent(text)).replace(/(?<=.)\/+$/, ""));
      return { name, result: Number(result), flags: Number.parseInt(flags, 16), paths: named };
    });
}
