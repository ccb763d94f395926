import { expect, test } from "bun:test";
import { runCodelia, startCodelia, type RunOptions } from "./run-codelia.ts";
import { tempTree, type TempTree } from "./temp-tree.ts";

function fakeCodelia(script: string): TempTree {
  return tempTree({ codelia: { text: `#!/bin/sh\n${script}\n`, mode: 0o755 }, "home/": { dir: true } });
}

function optionsFor(tree: TempTree, more: Partial<RunOptions> = {}): RunOptions {
  return { cwd: tree.root, home: tree.path("home"), binary: tree.path("codelia"), ...more };
}

const RUNNERS = [
  ["runCodelia()", async (args: string[], options: RunOptions) => runCodelia(args, options)],
  ["startCodelia()", startCodelia],
] as const;

for (const [name, run] of RUNNERS) {
  test(`${name} gives back stdout, stderr and the exit code`, async () => {
    using tree = fakeCodelia('echo "out $1 $2"; echo "err $(cat)" >&2; exit 64');
    const result = await run(["a b", "c"], optionsFor(tree, { stdin: "given" }));
    expect(result).toEqual({ stdout: "out a b c\n", stderr: "err given\n", exitCode: 64 });
  });

  test(`${name} hands over PATH, HOME and what it is told, and nothing else`, async () => {
    using tree = fakeCodelia("env");
    process.env["CODELIA_SESSION_ID"] = "the developer's own";
    const { stdout } = await run([], optionsFor(tree, { env: { XDG_CACHE_HOME: "/cache" } }));
    delete process.env["CODELIA_SESSION_ID"];
    const names = stdout.split("\n").map((line) => line.split("=")[0]);
    expect(
      names.filter((variable) => !["", "PWD", "OLDPWD", "SHLVL", "_"].includes(variable ?? "")).toSorted(),
    ).toEqual(["HOME", "PATH", "XDG_CACHE_HOME"]);
    expect(stdout).toContain(`HOME=${tree.path("home")}\n`);
  });

  test(`${name} loses nothing of a long output, and minds no unread stdin`, async () => {
    using tree = fakeCodelia("head -c 3000000 /dev/zero | tr '\\0' x");
    const { stdout } = await run([], optionsFor(tree, { stdin: "y".repeat(1_000_000) }));
    expect(stdout.length).toBe(3_000_000);
  });

  test(`${name} counts a death by signal as a shell does`, async () => {
    using tree = fakeCodelia("kill -TERM $$");
    expect((await run([], optionsFor(tree))).exitCode).toBe(143);
  });

  test(`${name} kills what takes too long`, async () => {
    using tree = fakeCodelia("echo begun; exec sleep 60");
    const begun = performance.now();
    await expect(run(["x"], optionsFor(tree, { timeoutMs: 100 }))).rejects.toThrow("killed after 100 ms");
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  test(`${name} says so when there is no such program`, async () => {
    using tree = fakeCodelia("");
    await expect(run([], optionsFor(tree, { binary: tree.path("missing") }))).rejects.toThrow("npm run build");
    const elsewhere = optionsFor(tree, { cwd: tree.path("nowhere") });
    await expect(run([], elsewhere)).rejects.toThrow("ENOENT");
  });
}

test("startCodelia() runs several at once, and kills what they started with them", async () => {
  using tree = fakeCodelia('echo "$1"; if [ "$1" = 2 ]; then sleep 60 & wait; fi');
  const runs = ["1", "2", "3"].map((arg) => startCodelia([arg], optionsFor(tree, { timeoutMs: 300 })));
  const settled = await Promise.allSettled(runs);
  expect(settled.map((run) => (run.status === "fulfilled" ? run.value.stdout : "killed"))).toEqual([
    "1\n",
    "killed",
    "3\n",
  ]);
});
