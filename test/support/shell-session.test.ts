import { expect, test } from "bun:test";
import { openShell, type ShellSession } from "./shell-session.ts";
import { dir, tempTree, type TempTree } from "./temp-tree.ts";

function treeWithCodelia(): TempTree {
  return tempTree({ codelia: { text: '#!/bin/sh\necho "codelia $*"\n', mode: 0o755 }, home: dir, "it's/": dir });
}

function shellIn(tree: TempTree, timeoutMs = 10_000): ShellSession {
  const env = { GIVEN: `it's "quoted" $HOME \\` };
  return openShell({ cwd: tree.root, home: tree.path("home"), codelia: tree.path("codelia"), env, timeoutMs });
}

test("openShell() finds codelia first on the path, and the system's programs after it", async () => {
  using tree = treeWithCodelia();
  using shell = shellIn(tree);
  expect(await shell.run("codelia 'a b' | cat")).toEqual({ stdout: "codelia a b\n", stderr: "", exitCode: 0 });
});

test("openShell() gives PATH, HOME and what it is told, and nothing else", async () => {
  using tree = treeWithCodelia();
  using shell = shellIn(tree);
  process.env["CODELIA_SESSION_ID"] = "the developer's own";
  const { stdout } = await shell.run("env");
  delete process.env["CODELIA_SESSION_ID"];
  const names = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("=")[0] ?? "");
  expect(names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name)).toSorted()).toEqual([
    "GIVEN",
    "HOME",
    "PATH",
  ]);
  expect(stdout).toContain(`GIVEN=it's "quoted" $HOME \\\n`);
});

test("openShell() remembers directories and exported variables, and forgets all else", async () => {
  using tree = treeWithCodelia();
  tree.write("real/file", "");
  using shell = shellIn(tree);
  await shell.run(`ln -s real link; mkdir -p "it's"; cd "it's"; export A='one
two'; B=hidden; unset GIVEN`);
  expect((await shell.run('pwd; echo "$A-$B-$GIVEN"')).stdout).toBe(`${tree.path("it's")}\none\ntwo--\n`);
  await shell.run("cd ../link");
  expect((await shell.run("pwd; cd - ; pwd")).stdout).toBe(
    `${tree.path("link")}\n${`${tree.path("it's")}\n`.repeat(2)}`,
  );
  expect((await shell.run("pwd")).stdout).toBe(`${tree.path("it's")}\n`);
});

test("openShell() lives on after a command that exits, fails, is killed or is no shell at all", async () => {
  using tree = treeWithCodelia();
  using shell = shellIn(tree);
  expect((await shell.run("export A=1; cd home; exit 7")).exitCode).toBe(7);
  expect((await shell.run("false")).exitCode).toBe(1);
  expect((await shell.run("kill -TERM $$")).exitCode).toBe(143);
  expect((await shell.run("if then (")).exitCode).not.toBe(0);
  expect((await shell.run("exec echo replaced")).stdout).toBe("replaced\n");
  expect((await shell.run("echo $A; pwd")).stdout).toBe(`1\n${tree.path("home")}\n`);
});

test("openShell() has no input, and kills what takes too long", async () => {
  using tree = treeWithCodelia();
  using shell = shellIn(tree, 100);
  expect((await shell.run("cat")).stdout).toBe("");
  await expect(shell.run("sleep 60 & wait")).rejects.toThrow("no end after 100 ms");
});

test("openShell() says what to do when there is no codelia", () => {
  using tree = tempTree();
  const options = { cwd: tree.root, home: tree.root, codelia: tree.path("missing") };
  expect(() => openShell(options)).toThrow("run 'npm run build' first");
});
