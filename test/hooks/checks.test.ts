import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { CODELIA, REPOSITORY } from "../support/run-codelia.ts";
import { dir, tempTree, type TempTree } from "../support/temp-tree.ts";

// What users install besides: the CI action and the git hook, run as their hosts run them.

const GOOD = "---\nname: good\ndescription: A good one\n---\nText.\n";
const BAD = "---\nname: Not This\n---\nText.\n";
const SYSTEM = "/usr/bin:/bin";

function run(program: string, args: readonly string[], tree: TempTree, env: Record<string, string>) {
  const { stdout, stderr, status } = spawnSync(program, args, {
    cwd: tree.path("repo"),
    env: { HOME: tree.path("home"), ...env },
    encoding: "utf8",
  });
  return { stdout, stderr, exitCode: status };
}

describe("hooks/action", () => {
  const action = parse(readFileSync(join(REPOSITORY, "hooks/action/action.yml"), "utf8"));
  const [step] = action.runs.steps;
  const act = (tree: TempTree, path: string, command: string = action.inputs.command.default, seconds?: string) =>
    run("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.run], tree, {
      PATH: path,
      CODELIA_COMMAND: command,
      CODELIA_SECONDS: seconds ?? action.inputs["timeout-seconds"].default,
      GITHUB_ACTION_PATH: join(REPOSITORY, "hooks/action"),
    });

  test("is a composite action whose inputs reach its step as text, never as script", () => {
    expect([action.runs.using, action.runs.steps.length, step.shell]).toEqual(["composite", 1, "bash"]);
    expect(step.run).not.toContain("${{");
    expect(step.env).toEqual({
      CODELIA_COMMAND: "${{ inputs.command }}",
      CODELIA_SECONDS: "${{ inputs.timeout-seconds }}",
    });
  });

  test("annotates what is wrong, and fails", () => {
    using tree = tempTree({ "home/": dir, "repo/.git/": dir, "repo/.agents/skills/good/SKILL.md": BAD });
    const { stdout, exitCode } = act(tree, `${dirname(CODELIA)}:${SYSTEM}`);
    expect(stdout).toContain("::error file=.agents/skills/good/SKILL.md,line=");
    expect(exitCode).toBe(1);
  });

  test("annotates instruction files too: they reach nobody", () => {
    using tree = tempTree({ "home/": dir, "repo/.git/": dir, "repo/a/AGENTS.md": { link: "nowhere" } });
    const { stdout, exitCode } = act(tree, `${dirname(CODELIA)}:${SYSTEM}`);
    expect(stdout).toContain("::error file=a/AGENTS.md,line=1,title=instructions-dangling-link::");
    expect(exitCode).toBe(1);
  });

  test("passes where nothing is", () => {
    using tree = tempTree({ "home/": dir, "repo/.git/": dir, "repo/.agents/skills/good/SKILL.md": GOOD });
    expect(act(tree, `${dirname(CODELIA)}:${SYSTEM}`).exitCode).toBe(0);
  });

  test("ends what takes too long, with all that it has started", () => {
    const script = "#!/bin/sh\nsleep 60 &\nwait\n";
    using tree = tempTree({ "home/": dir, "repo/": dir, "bin/codelia": { text: script, mode: 0o755 } });
    const start = performance.now();
    expect(act(tree, `${tree.path("bin")}:${SYSTEM}`, "check", "1")).toMatchObject({
      stdout: "::error title=codelia::it took longer than 1 seconds, and was ended\n",
      exitCode: 137,
    });
    // What it has started has its streams, which would be open as long as that runs.
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test.each(["", "soon", "1; echo x", "-1"])("takes %p for no time", (seconds) => {
    using tree = tempTree({ "home/": dir, "repo/": dir });
    expect(act(tree, `${dirname(CODELIA)}:${SYSTEM}`, "check", seconds)).toEqual({
      stdout: "::error title=codelia::'timeout-seconds' must be a whole number\n",
      stderr: "",
      exitCode: 64,
    });
  });

  test("leaves nothing behind that watches the time", () => {
    using tree = tempTree({ "home/": dir, "repo/": dir, "bin/codelia": { text: "#!/bin/sh\nexit 3\n", mode: 0o755 } });
    // That has the streams, too.
    expect(act(tree, `${tree.path("bin")}:${SYSTEM}`)).toMatchObject({ stdout: "", exitCode: 3 });
  });

  test("builds the program where it is missing, and works in the caller's directory", () => {
    using tree = tempTree({ "home/": dir, "repo/.git/": dir, "repo/AGENTS.md": "Rules of the caller.\n" });
    const { stdout, exitCode } = act(tree, process.env["PATH"] ?? "", "init-context --only agents --no-state");
    expect(stdout).toContain("Rules of the caller.");
    expect(exitCode).toBe(0);
  });
});

describe("hooks/pre-commit", () => {
  const git = (tree: TempTree, ...args: string[]) =>
    run("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], tree, {
      PATH: `${dirname(CODELIA)}:${SYSTEM}`,
      GIT_CONFIG_NOSYSTEM: "1",
    });
  const project = (files: Record<string, string>) => {
    const hook = { text: readFileSync(join(REPOSITORY, "hooks/pre-commit"), "utf8"), mode: 0o755 };
    const tree = tempTree({ "home/": dir, "repo/": dir, "hooks/pre-commit": hook });
    git(tree, "init", "-q");
    git(tree, "config", "core.hooksPath", tree.path("hooks"));
    for (const [path, text] of Object.entries(files)) tree.write(`repo/${path}`, text);
    git(tree, "add", ".");
    return tree;
  };

  test("keeps a broken skill back, by its name, and lets it pass when it is repaired", () => {
    using tree = project({ ".agents/skills/a good one/SKILL.md": BAD, "x.txt": "" });
    const refused = git(tree, "commit", "-q", "-m", "x");
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout + refused.stderr).toContain("SKILL.md");
    tree.write("repo/.agents/skills/a good one/SKILL.md", GOOD.replace("good", "x"));
    tree.remove("repo/.agents/skills/a good one");
    tree.write("repo/.agents/skills/good/SKILL.md", GOOD);
    git(tree, "add", "-A");
    expect(git(tree, "commit", "-q", "-m", "x").exitCode).toBe(0);
  });

  test("keeps an instruction file back that reaches nobody, at the first commit and later", () => {
    using tree = project({ "x.txt": "" });
    symlinkSync("nowhere", tree.path("repo/AGENTS.md"));
    git(tree, "add", ".");
    expect(git(tree, "commit", "-q", "-m", "x").exitCode).toBe(1);
    git(tree, "reset", "-q", "AGENTS.md");
    expect(git(tree, "commit", "-q", "--no-verify", "-m", "x").exitCode).toBe(0);
    git(tree, "add", ".");
    expect(git(tree, "commit", "-q", "-m", "y")).toMatchObject({
      stderr: expect.stringContaining("AGENTS.md"),
      exitCode: 1,
    });
  });

  test("says nothing of a commit that changes no skill of ours, and lets all pass without the program", () => {
    using tree = project({ ".agents/skills/bad/SKILL.md": BAD });
    const env = { PATH: SYSTEM, GIT_CONFIG_NOSYSTEM: "1" };
    const without = run("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x"], tree, env);
    expect(without).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    tree.write("repo/y.txt", "y");
    tree.write("repo/elsewhere/SKILL.md", "no header");
    git(tree, "add", ".");
    expect(git(tree, "commit", "-q", "-m", "y")).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });
});

describe("hooks/pre-commit-config.yaml", () => {
  const [{ hooks }] = parse(readFileSync(join(REPOSITORY, "hooks/pre-commit-config.yaml"), "utf8")).repos;
  const [{ entry, language, pass_filenames: hasNames }] = hooks;

  test.each([
    [BAD, 1],
    [GOOD, 0],
  ])("its entry, run without file names, judges the repository", (text, exitCode) => {
    expect([hooks.length, language, hasNames]).toEqual([1, "system", false]);
    using tree = tempTree({ "home/": dir, "repo/.git/": dir, "repo/.agents/skills/good/SKILL.md": text });
    const [program = "", ...args] = entry.split(" ");
    expect(run(program, args, tree, { PATH: `${dirname(CODELIA)}:${SYSTEM}` }).exitCode).toBe(exitCode);
  });
});
