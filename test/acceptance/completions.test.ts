import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { CODELIA, runCodelia } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";

const FILES = {
  ".git/HEAD": "",
  "AGENTS.md": "Rule.\n",
  ".agents/agents/tidy/agent.json": "{}",
  ".agents/skills/release-notes/SKILL.md": "---\nname: release-notes\ndescription: Draft release notes\n---\nText.\n",
  ".agents/skills/repo-review/SKILL.md": "---\nname: repo-review\ndescription: Review a change\n---\nText.\n",
};

const ASKS_BASH = `source <(codelia completions bash)
COMP_WORDS=(codelia skills load rel)
COMP_CWORD=3
_codelia
printf '%s\\n' "\${COMPREPLY[@]}"`;

// bash splits words at '='.
const ASKS_BASH_AFTER_EQUALS = ASKS_BASH.replace("skills load rel", "check --as = claude,cod").replace("D=3", "D=4");

const ASKS_FISH = `codelia completions fish | source
complete --do-complete 'codelia skills load rel' | string split -f1 \\t`;

// The shell's own function for showing candidates needs a terminal, so one that prints them replaces it.
const ASKS_ZSH = `compdef() { }
_describe() { print -l -- "\${(@P)2}" }
source <(codelia completions zsh)
words=(codelia skills load rel)
CURRENT=4
_codelia | cut -d: -f1`;

function candidates(...words: readonly string[]): string[] {
  using tree = tempTree(FILES);
  using home = tempTree();
  const options = { cwd: tree.root, home: home.root };
  runCodelia(["resolve", "AGENTS.md", "--session", "morning", "--agent", "scout"], options);
  const { stdout, stderr, exitCode } = runCodelia(["completions", "candidates", "--", ...words], options);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout.split("\n").slice(0, -1);
}

test.each([
  [["init-"], ["init-context\tprint the instructions and skills that apply in a directory, and begin a context"]],
  [["skills", "lo"], ["load\tprint a skill's text, once per context"]],
  [
    ["skills", "load", "re"],
    ["release-notes\tDraft release notes", "repo-review\tReview a change"],
  ],
  [["skills", "load", "--again", "rel"], ["release-notes\tDraft release notes"]],
  [["resolve", "--session", ""], ["morning\t"]],
  [["resolve", "--session", "morning", "--agent", ""], ["scout\t"]],
  [
    ["hook", "cl"],
    ["claude\t", "cline\t"],
  ],
  [["schema", "led"], ["ledger\t"]],
  [["resolve", "--js"], ["--json\tprint JSON"]],
  [["resolve", "AGE"], []],
  [["resolve", "--", "--js"], []],
  [["skills", "load", "--session", "x"], []],
  [["skills", "load", "notes"], ["release-notes\tDraft release notes"]],
  [["check", "--as", "q"], ["qwen\t"]],
  [["check", "--as", "claude,o"], ["claude,opencode\t"]],
  [["check", "--as=claude,cod"], ["--as=claude,codex\t"]],
  [
    ["check", "--fail-on=n"],
    ["--fail-on=note\t", "--fail-on=never\t"],
  ],
  [
    ["init-context", "--as", "cl"],
    ["claude\t", "cline\t"],
  ],
  [["init-context", "--only=agents,"], ["--only=agents,skills\t"]],
  [["preview", "--as", "ge"], ["gemini\t"]],
  [["resolve", "--session=mo"], ["--session=morning\t"]],
  [["resolve", "--cwd=AG"], []],
  [["skills", "load", "-C", ".", "rel"], ["release-notes\tDraft release notes"]],
  [["-C", ".", "--json", "skills", "lo"], ["load\tprint a skill's text, once per context"]],
  [["help", "unins"], ["uninstall\tremove codelia's hooks from a coding agent's settings"]],
  [["help", "skills", "lo"], ["load\tprint a skill's text, once per context"]],
  [["help", "check", ""], []],
  [["completions", "z"], ["zsh\t"]],
  [["agent", "run", "ti"], ["tidy\t"]],
  [["no-such-verb", ""], []],
  [["completions", "nothing-here"], []],
])("%j is completed to %j", (words, expected) => {
  expect(candidates(...words)).toEqual(expected);
});

test("without a word yet, every verb with what it is for", () => {
  const verbs = candidates("").map((line) => line.split("\t")[0]);
  expect(verbs).toContain("resolve");
  expect(verbs).toContain("skills");
});

function complete(shell: string, script: string): { stdout: string; stderr: string } {
  using tree = tempTree(FILES);
  using home = tempTree();
  const env = { HOME: home.root, PATH: `${dirname(CODELIA)}:${process.env["PATH"]}` };
  const { stdout, stderr } = spawnSync(shell, ["-c", script], { cwd: tree.root, env, encoding: "utf8" });
  return { stdout, stderr };
}

describe("the script for", () => {
  const ASK = { bash: ASKS_BASH, zsh: ASKS_ZSH, fish: ASKS_FISH };

  test.each(["bash", "zsh", "fish", "powershell"])("%s is printed, and asks the program", (shell) => {
    using home = tempTree();
    const { stdout, stderr, exitCode } = runCodelia(["completions", shell], { cwd: home.root, home: home.root });
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout).toContain("codelia completions candidates --");
  });

  for (const [shell, ask] of Object.entries(ASK)) {
    const missing = spawnSync(shell, ["-c", "exit 0"]).error !== undefined;
    const afterEquals =
      shell === "bash"
        ? ASKS_BASH_AFTER_EQUALS
        : ask.replace("skills load rel", "check --as=claude,cod").replace("T=4", "T=3");
    const replies = shell === "bash" ? "claude,codex\n" : "--as=claude,codex\n";
    test.skipIf(missing)(`${shell} completes a list behind '='${missing ? " (there is none here)" : ""}`, () => {
      expect(complete(shell, afterEquals)).toEqual({ stdout: replies, stderr: "" });
    });
    test.skipIf(missing)(`${shell} completes a skill's name${missing ? " (there is none here)" : ""}`, () => {
      expect(complete(shell, ask)).toEqual({ stdout: "release-notes\n", stderr: "" });
    });
  }
});

test("an unknown shell is a mistake that names those that are known", () => {
  using home = tempTree();
  expect(runCodelia(["completions", "tcsh"], { cwd: home.root, home: home.root })).toEqual({
    stdout: "",
    stderr: "codelia: unknown shell 'tcsh'; one of bash, zsh, fish, powershell\n",
    exitCode: 1,
  });
});
