import { afterAll, describe, expect, test } from "bun:test";
import { eventText, start } from "../support/hook-calls.ts";
import { makeStdinMaker, STDIN_KINDS } from "../support/stdin-of.ts";
import { tempTree } from "../support/temp-tree.ts";
import { RUNTIMES } from "./runtimes.ts";

const maker = makeStdinMaker();
afterAll(() => maker[Symbol.dispose]());
const TIMEOUT_MS = 60_000;

describe.skipIf(maker.why !== undefined).each(RUNTIMES)("a hook in $name", ({ name, program = "", args }) => {
  test.skipIf(program === "").each(STDIN_KINDS)(
    "waits 1.5 s for an event on a %s, and reads one",
    async (kind) => {
      using tree = tempTree({ "home/": { dir: true }, "repo/.git/": { dir: true }, "repo/AGENTS.md": "Root rules.\n" });
      const cwd = kind === "pipe" ? "/" : tree.path("repo");
      const env = { HOME: tree.path("home"), PATH: process.env["PATH"] ?? "", CODELIA_TRACE: "1" };
      const call = { kind, command: [program, ...args, "hook", "claude"], cwd, env };
      const [silent, told] = await Promise.all([
        maker.run(call),
        maker.run({ ...call, pieces: [eventText(tree, start())] }),
      ]);
      expect([silent.exitCode, silent.stdout]).toEqual([0, ""]);
      expect(silent.stderr).toContain('"why":"nothing-sent"');
      // Node has no stream for a socket of packets: to it, it is empty.
      if (name === "Node" && kind === "packet") return;
      expect([told.exitCode, told.stderr]).toEqual([0, expect.stringContaining('"stage":"event"')]);
    },
    TIMEOUT_MS,
  );
});
