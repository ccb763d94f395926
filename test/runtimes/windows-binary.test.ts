import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { buildTarget } from "../../.tools/lib/release-targets.mjs";
import { executableTarget } from "../../.tools/lib/executable.mjs";
import { targets } from "../../.tools/lib/targets.mjs";
import { tempTree } from "../support/temp-tree.ts";

// It is not run here; that it is a program of that system, and has ours in it, is all that can be seen of it elsewhere.

const CONSOLE = 3;
/** The runtime is fetched from the registry the first time. */
const TIMEOUT_MS = 300_000;

test(
  "the program for Windows is built here, for its machine and for a console",
  async () => {
    using place = tempTree();
    const target = targets.find(({ name }) => name === "windows-x64");
    if (target === undefined) throw new Error("no such target");
    const path = place.path(`codelia${target.extension}`);
    await buildTarget(target, path);
    const bytes = readFileSync(path);
    expect(executableTarget(bytes)).toBe("windows-x64");
    // Behind the signature and the header of the file, in the header that the loader reads.
    const header = bytes.readUInt32LE(0x3c) + 24;
    expect(bytes.readUInt16LE(header + 68)).toBe(CONSOLE);
    expect(bytes.includes("agents.resolve.paths")).toBe(true);
  },
  TIMEOUT_MS,
);
