import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { harmlessConfig, readSettings, writeConfig, type GitSetting } from "../../src/lib/git-stand-in.ts";

const HARMLESS: readonly GitSetting[] = [
  { key: "core.repositoryformatversion", value: "1" },
  { key: "extensions.objectformat", value: "sha256" },
  { key: "branch.a.b.remote", value: "origin" },
  { key: "remote.a.url", value: "ext::sh -c x" },
  { key: 'remote.odd "name"\\.url', value: 'a\n[core]\n\tfsmonitor = "x" # \\' },
];

const HARMFUL: readonly GitSetting[] = [
  "core.fsmonitor",
  "core.worktree",
  "core.hookspath",
  "core.excludesfile",
  "core.sshcommand",
  "include.path",
  "filter.a.clean",
  "filter.branch.a.remote.process",
  "includeif.gitdir:**.path",
  "remote.a.uploadpack",
  "remote.a.promisor",
  "branch.a.description",
  "diff.external",
  "alias.diff",
  "hook.a.command",
  "extensions.partialclone",
  "extensions.worktreeconfig",
  "remote.url",
  "xcore.bare",
  "core.bare.x",
].map((key) => ({ key, value: "x" }));

describe("harmlessConfig()", () => {
  test("keeps what can't name a program or a file, and nothing else", () => {
    expect(harmlessConfig([...HARMFUL, ...HARMLESS])).toBe(writeConfig(HARMLESS));
    expect(harmlessConfig([{ key: "extensions.refstorage", value: "files:///tmp/x" }])).toBe("");
  });

  test("is read by git as it was meant, whatever stands in a name or a value", () => {
    const args = ["config", "--file", "-", "--null", "--list"];
    const { stdout } = spawnSync("git", args, { input: writeConfig(HARMLESS), encoding: "utf8", cwd: "/" });
    expect(readSettings(stdout)).toEqual([...HARMLESS]);
  });
});

test("readSettings() takes a name without a value for true, and a value with line breaks whole", () => {
  expect(readSettings("core.bare\0a.b\nc\nd\0e.f\n\0")).toEqual([
    { key: "core.bare", value: "true" },
    { key: "a.b", value: "c\nd" },
    { key: "e.f", value: "" },
  ]);
});
