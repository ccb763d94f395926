import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CACHE } from "../portability/debian.ts";
import { startProgram } from "../support/run-codelia.ts";

// The short form, where `npm run portability` has fetched what it needs once.

const TIMEOUT_MS = 900_000;

test.skipIf(!existsSync(CACHE))(
  "linux-arm64, musl, Windows under Wine, Node 20 and the newest, and Deno answer as linux-x64 does",
  async () => {
    const run = join(import.meta.dirname, "../portability/run.ts");
    const { stdout, stderr, exitCode } = await startProgram(process.execPath, [run, "--short"], {
      cwd: import.meta.dirname,
      env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" },
      timeoutMs: TIMEOUT_MS,
    });
    expect({ exitCode, differing: exitCode === 0 ? "" : stdout + stderr }).toEqual({ exitCode: 0, differing: "" });
  },
  TIMEOUT_MS,
);
