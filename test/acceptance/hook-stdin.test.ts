import { afterAll, describe, expect, test } from "bun:test";
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, writeSync } from "node:fs";
import type { Readable } from "node:stream";
import { eventText, start } from "../support/hook-calls.ts";
import { CODELIA } from "../support/run-codelia.ts";
import { makeStdinMaker, STDIN_KINDS, type StdinKind } from "../support/stdin-of.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

// Everything that a client may use as a hook's standard input.

const TREE = { "home/": { dir: true }, "repo/.git/": { dir: true }, "repo/CLAUDE.md": "Be brief.\n" } as const;

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly trace: string;
}

/** `command` stands for the call of the hook in a shell. */
async function run(tree: TempTree, stdin: number | "ignore", command = '"$0" hook claude'): Promise<Ended> {
  const child = spawn("/bin/sh", ["-c", command, CODELIA], {
    cwd: tree.path("repo"),
    env: { HOME: tree.path("home"), PATH: "/usr/bin:/bin", CODELIA_TRACE: tree.path("trace") },
    stdio: [stdin, "pipe", "pipe"],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [exitCode] = await once(child, "close");
  return { exitCode, stdout, stderr, trace: tree.read("trace") };
}

/** A pipe whose other end stays open. */
function openPipe(tree: TempTree, flags = 0): number {
  return openSync(tree.path("pipe"), constants.O_RDWR | flags);
}

const silent = (why: string) => ({
  exitCode: 0,
  stdout: "",
  stderr: "",
  trace: expect.stringContaining(`"stage":"no-event","why":"${why}"`),
});

const skipped = (reason: string | undefined) => (reason === undefined ? "" : ` (skipped: ${reason})`);

const isLinux = process.platform === "linux";

describe("standard input of a hook", () => {
  test.skipIf(!isLinux)(
    "a client that keeps it open and sends nothing, or half an event, is not waited for",
    async () => {
      using tree = tempTree({ ...TREE, pipe: { fifo: true } });
      using other = tempTree({ ...TREE, pipe: { fifo: true } });
      const [empty, half] = [openPipe(tree), openPipe(other)];
      try {
        writeSync(half, eventText(tree, start()).slice(0, 20));
        expect(await Promise.all([run(tree, empty), run(other, half)])).toEqual([
          silent("nothing-sent"),
          silent("no-object"),
        ]);
      } finally {
        closeSync(empty);
        closeSync(half);
      }
    },
  );

  test("a non-blocking pipe is read to the end of the event", async () => {
    using tree = tempTree({ ...TREE, "repo/AGENTS.md": "Root rules.\n", pipe: { fifo: true } });
    const pipe = openPipe(tree, constants.O_NONBLOCK);
    try {
      const running = run(tree, pipe);
      const text = eventText(tree, { ...start(), padding: "x".repeat(1000) });
      writeSync(pipe, text.slice(0, 500));
      setImmediate(() => writeSync(pipe, text.slice(500)));
      const { exitCode, stderr, stdout } = await running;
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(stdout).toContain("Root rules.");
    } finally {
      closeSync(pipe);
    }
  });

  test.concurrent.skipIf(!isLinux)("a pipe is read as long as bytes come", async () => {
    using tree = tempTree({ ...TREE, "repo/AGENTS.md": "Root rules.\n", pipe: { fifo: true } });
    const pipe = openPipe(tree);
    const text = eventText(tree, start());
    let sent = 0;
    const sending = setInterval(() => {
      sent += writeSync(pipe, text.slice(sent, sent < 60 ? sent + 20 : undefined));
      if (sent === text.length) clearInterval(sending);
    }, 500);
    try {
      const { exitCode, stderr, stdout } = await run(tree, pipe);
      expect([exitCode, stderr, stdout.includes("Root rules.")]).toEqual([0, "", true]);
    } finally {
      clearInterval(sending);
      closeSync(pipe);
    }
  });

  test.concurrent.skipIf(process.platform === "win32")(
    "time in which the hook's process was stopped does not count as silence",
    async () => {
      using tree = tempTree({ ...TREE, "repo/AGENTS.md": "Root rules.\n", pipe: { fifo: true } });
      const pipe = openPipe(tree);
      const answers = ([pipe, "pipe"] as const).map(async (stdin) => {
        const child = spawn(CODELIA, ["hook", "claude"], {
          cwd: tree.path("repo"),
          env: { HOME: tree.path("home"), PATH: "/usr/bin:/bin" },
          stdio: [stdin, "pipe", "inherit"],
        });
        let stdout = "";
        child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
        setTimeout(() => child.kill("SIGSTOP"), 300);
        setTimeout(() => child.kill("SIGCONT"), 2000);
        const text = eventText(tree, { ...start(), session_id: String(stdin) });
        setTimeout(() => void (stdin === "pipe" ? child.stdin?.write(text) : writeSync(stdin, text)), 2100);
        const [exitCode] = await once(child, "close");
        return [exitCode, stdout.includes("Root rules.")];
      });
      try {
        expect(await Promise.all(answers)).toEqual([
          [0, true],
          [0, true],
        ]);
      } finally {
        closeSync(pipe);
      }
    },
  );

  const others: [what: string, command: string, why: string][] = [
    ["closed", '"$0" hook claude <&-', "nothing-sent"],
    ["empty", '"$0" hook claude </dev/null', "nothing-sent"],
    ["a directory", '"$0" hook claude </', "nothing-sent"],
    ["no JSON", 'echo "{" | "$0" hook claude', "no-object"],
    ["not a table", 'echo "[1]" | "$0" hook claude', "no-object"],
    ["an event of another kind", `echo '{"hook_event_name":"Stop"}' | "$0" hook claude`, "not-for-us"],
    ["too long", 'head -c 9000000 /dev/zero | "$0" hook claude', "too-long"],
    ["without an end", '"$0" hook claude </dev/zero', "too-long"],
  ];
  for (const [what, command, why] of others) {
    test(`${what}: silence, and a line in the trace`, async () => {
      using tree = tempTree(TREE);
      expect(await run(tree, "ignore", command)).toEqual(silent(why));
    });
  }

  test("a file", async () => {
    using tree = tempTree({ ...TREE, "repo/AGENTS.md": "Root rules.\n" });
    tree.write("event.json", eventText(tree, start()));
    const { exitCode, stderr, stdout } = await run(tree, "ignore", `"$0" hook claude <'${tree.path("event.json")}'`);
    expect([exitCode, stderr, stdout.includes("Root rules.")]).toEqual([0, "", true]);
  });

  test("a socket that stays open", async () => {
    using tree = tempTree({ ...TREE, "repo/AGENTS.md": "Root rules.\n" });
    // In the runtime of these tests a 'pipe' is a socket.
    const child = spawn(CODELIA, ["hook", "claude"], {
      cwd: tree.path("repo"),
      env: { HOME: tree.path("home"), PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stdin.write(eventText(tree, start()));
    const [exitCode] = await once(child, "close");
    expect([exitCode, stdout.includes("Root rules.")]).toEqual([0, true]);
  });
});

const maker = makeStdinMaker();
afterAll(() => maker[Symbol.dispose]());

describe.skipIf(maker.why !== undefined)(`standard input on which a read blocks${skipped(maker.why)}`, () => {
  const PATIENCE_MS = 1500;

  function call(tree: TempTree, kind: StdinKind, pieces: readonly string[] = [], everyMs = 0) {
    // A user who may not open the pipe can't enter the tree either.
    const cwd = kind === "pipe" ? "/" : tree.path("repo");
    const env = { HOME: tree.path("home"), PATH: "/usr/bin:/bin", CODELIA_TRACE: "1" };
    return maker.run({ kind, command: [CODELIA, "hook", "claude"], cwd, env, pieces, everyMs });
  }

  test.concurrent("ends when nothing has come for 1.5 s, whatever kind it is", async () => {
    using tree = tempTree(TREE);
    const half = eventText(tree, start()).slice(0, 20);
    const calls = STDIN_KINDS.flatMap((kind) => [call(tree, kind), call(tree, kind, [half])]);
    for (const [index, { exitCode, stdout, stderr, elapsedMs }] of (await Promise.all(calls)).entries()) {
      expect([exitCode, stdout]).toEqual([0, ""]);
      expect(stderr).toContain(`"stage":"no-event","why":"${index % 2 === 0 ? "nothing-sent" : "no-object"}"`);
      expect(elapsedMs).toBeGreaterThan(PATIENCE_MS);
    }
    // Nothing was recorded, so the next event is told all of it.
    expect(existsSync(tree.path("repo/.codelia"))).toBe(false);
  });

  test.concurrent("is read as long as bytes come", async () => {
    using tree = tempTree({ ...TREE, "repo/AGENTS.md": "Root rules.\n" });
    const text = eventText(tree, start());
    const pieces = ["", ...[0, 1, 2, 3].map((part) => text.slice(part * 20, part < 3 ? part * 20 + 20 : undefined))];
    const kinds = STDIN_KINDS.filter((kind) => kind !== "packet");
    // They all read one event, and one of them answers it.
    const results = await Promise.all(kinds.map((kind) => call(tree, kind, pieces, 500)));
    for (const { exitCode, stderr, elapsedMs } of results) {
      expect([exitCode, elapsedMs > PATIENCE_MS]).toEqual([0, true]);
      expect(stderr).toContain('"stage":"event","name":"SessionStart"');
    }
    expect(results.filter(({ stdout }) => stdout.includes("Root rules."))).toHaveLength(1);
  });

  test("a packet is read whole", async () => {
    using tree = tempTree({ ...TREE, "repo/AGENTS.md": "Root rules.\n" });
    const { exitCode, stdout } = await call(tree, "packet", [
      eventText(tree, { ...start(), padding: "x".repeat(150_000) }),
    ]);
    expect([exitCode, stdout.includes("Root rules.")]).toEqual([0, true]);
  });
});
