import { describe, expect, test } from "bun:test";
import { profile as opencode } from "../../src/clients/opencode/profile.ts";
import { loadClient, loadNative } from "../../src/clients/registry.ts";
import type { ReachedFile } from "../../src/report/schema.ts";
import { factsOf, type Thing } from "../support/table-facts.ts";

// What the hook leaves out, because the client gives it to its model by itself: at a start, and when a tool is used.

const PLACE = { home: "/h", env: {} };

async function loadsOf(name: string) {
  return loadNative((await loadClient(name))!);
}

const whole = (files: readonly ReachedFile[]) =>
  files.filter(({ status }) => status === "loaded").map(({ path }) => path);

type Tree = Readonly<Record<string, Thing>>;

async function start(name: string, tree: Tree, cwd = "/r/p"): Promise<string[]> {
  return whole((await loadsOf(name)).reach(cwd, PLACE, factsOf(tree)).files);
}

async function touch(name: string, tree: Tree, tool: string, path = "/r/p/q/x.ts"): Promise<string[]> {
  return whole((await loadsOf(name)).onTouch("/r/p", { tool, path }, PLACE, factsOf(tree)));
}

const LADDER = {
  "/r/.git/HEAD": "",
  "/r/AGENTS.md": "Root.",
  "/r/p/AGENTS.md": "P.",
  "/r/p/q/AGENTS.md": "Q.",
  "/r/other/AGENTS.md": "Other.",
};

describe("Claude Code, when a tool is used", () => {
  test("brings what is between the working directory and the file, with Read", async () => {
    expect(await touch("claude", LADDER, "Read")).toEqual(["/r/p/q/AGENTS.md"]);
    expect(await touch("claude", LADDER, "Read", "/r/p/x.ts")).toEqual([]);
    expect(await touch("claude", LADDER, "Read", "/r/other/x.ts")).toEqual([]);
  });

  test("brings CLAUDE.md and what it imports with what reads or writes, AGENTS.md with Read alone", async () => {
    const tree = {
      ...LADDER,
      "/r/p/q/.claude/CLAUDE.md": "See @../r.md",
      "/r/p/q/r.md": "R.",
      "/r/p/q/d/AGENTS.md": "D.",
    };
    const came = async (tool: string) => touch("claude", tree, tool, "/r/p/q/d/x.ts");
    const memory = ["/r/p/q/.claude/CLAUDE.md", "/r/p/q/r.md"];
    expect(await came("Read")).toEqual([...memory, "/r/p/q/d/AGENTS.md"]);
    expect(await came("Edit")).toEqual(memory);
    expect(await came("Write")).toEqual(memory);
    expect(await came("Bash")).toEqual([]);
  });

  test("brings no AGENTS.md where a CLAUDE.md speaks above, or the loader is off", async () => {
    expect(await touch("claude", { ...LADDER, "/r/CLAUDE.md": "C." }, "Read")).toEqual([]);
    const off = { enabledPlugins: { "cc-plugin-agents-md@builtin": false } };
    expect(await touch("claude", { ...LADDER, "/r/p/.claude/settings.json": { data: off } }, "Read")).toEqual([]);
  });

  test("brings nothing that the session began with", async () => {
    const tree = { ...LADDER, "/r/p/q/CLAUDE.md": "@../AGENTS.md @AGENTS.md" };
    expect(await touch("claude", tree, "Edit")).toEqual(["/r/p/q/CLAUDE.md", "/r/p/q/AGENTS.md"]);
  });

  test("brings rules for the file with what reads or writes it, to the user's own as well", async () => {
    const tree = {
      ...LADDER,
      "/r/.claude/rules/a.md": "---\npaths: '*.ts'\n---\nA.",
      "/r/p/.claude/rules/b.md": "---\npaths: q/*\n---\nB.",
      "/r/p/q/.claude/rules/c.md": "C.",
      "/r/p/q/.claude/rules/d.md": "---\npaths: p/q/*\n---\nD.",
      "/h/.claude/rules/e.md": "---\npaths: '{q,z}/**'\n---\nE.",
    };
    const rules = ["/h/.claude/rules/e.md", "/r/.claude/rules/a.md", "/r/p/.claude/rules/b.md"];
    expect(await touch("claude", tree, "Edit")).toEqual([...rules, "/r/p/q/.claude/rules/c.md"]);
    expect(await touch("claude", tree, "Edit", "/r/p/x.md")).toEqual([]);
    expect(await touch("claude", tree, "Edit", "/r/other/x.ts")).toEqual([]);
  });

  test("says of its own files for a path which have to be told, and where no more are", async () => {
    const tree = {
      ...LADDER,
      "/r/p/.claude/rules/a.md": "---\npaths: '*.ts'\n---\nA.",
      "/r/p/q/.claude/rules/b.md": "B.",
      "/r/p/q/.claude/CLAUDE.md": "See @more.md",
      "/r/p/q/.claude/more.md": "More.",
      "/r/p/q/CLAUDE.md": "@AGENTS.md\n@extra.md\n",
      "/r/p/q/extra.md": "Extra.",
      "/r/p/q/CLAUDE.local.md": "<!-- Nothing. -->",
    };
    const told = (path: string, directory: string) => ({ path, directory, saysNothing: false });
    const silent = (path: string, directory: string) => ({ path, directory, saysNothing: true });
    const { files, settled } = (await loadsOf("claude")).loadsFor!("/r/p", "/r/p/q/x.ts", PLACE, factsOf(tree));
    expect(files).toEqual([
      told("/r/p/.claude/rules/a.md", "/r/p"),
      silent("/r/p/q/CLAUDE.md", "/r/p/q"),
      told("/r/p/q/AGENTS.md", "/r/p/q"),
      told("/r/p/q/extra.md", "/r/p/q"),
      told("/r/p/q/.claude/CLAUDE.md", "/r/p/q"),
      told("/r/p/q/.claude/rules/b.md", "/r/p/q"),
      silent("/r/p/q/CLAUDE.local.md", "/r/p/q"),
    ]);
    expect(settled).toEqual(["/r/p/q/.claude/rules"]);
  });

  test("brings what is excluded by no pattern that we can read", async () => {
    const excluding = (glob: string) => ({
      ...LADDER,
      "/r/p/.claude/settings.json": { data: { claudeMdExcludes: [glob] } },
    });
    expect(await touch("claude", excluding("**/q/*"), "Read")).toEqual([]);
    expect(await touch("claude", excluding("**/+(A|B).md"), "Read")).toEqual([]);
    expect(await touch("claude", excluding("**/z/*"), "Read")).toEqual(["/r/p/q/AGENTS.md"]);
  });
});

test("Codex brings nothing later", async () => expect(await touch("codex", LADDER, "Bash")).toEqual([]));

describe("the other clients", () => {
  const names = { context: { fileName: ["AGENTS.md", "NOTES.md"] } };
  const qwen = { "/h/.qwen/settings.json": { data: { context: { fileName: "NOTES.md" } } } };
  const vscode = { "/r/p/.vscode/settings.json": { data: { "chat.useAgentsMdFile": false } } };
  const UP = ["/r/AGENTS.md", "/r/p/AGENTS.md"];
  const rows: [client: string, more: Tree, cwd: string, starts: string[], reads: string[]][] = [
    ["gemini", {}, "/r/p", [], []],
    ["gemini", { "/h/.gemini/settings.json": { data: names } }, "/r/p", UP, []],
    ["qwen", { "/r/QWEN.md": "Q." }, "/r/p", ["/r/QWEN.md", ...UP], []],
    ["qwen", { ...qwen, "/r/NOTES.md": "N." }, "/r/p", ["/r/NOTES.md"], []],
    ["opencode", {}, "/r/p", UP.toReversed(), ["/r/p/q/AGENTS.md"]],
    ["kilo", {}, "/r/p", UP.toReversed(), ["/r/p/q/AGENTS.md"]],
    ["copilot", {}, "/r/p", UP, []],
    ["copilot", { "/r/CLAUDE.md": "C." }, "/r/p", ["/r/AGENTS.md", "/r/CLAUDE.md", "/r/p/AGENTS.md"], []],
    ["vscode", {}, "/r/p", ["/r/p/AGENTS.md"], ["/r/p/AGENTS.md"]],
    ["vscode", vscode, "/r/p", [], []],
    ["cursor", {}, "/r/p", ["/r/p/AGENTS.md"], ["/r/p/AGENTS.md"]],
    ["cline", {}, "/r/p", ["/r/p/AGENTS.md"], ["/r/p/AGENTS.md"]],
    ["kimi", {}, "/r/p", UP, []],
    ["pi", {}, "/r/p", UP, []],
  ];
  test.each(rows)("%s, with %o beside the tree", async (client, more, cwd, starts, reads) => {
    expect(await start(client, { ...LADDER, ...more }, cwd)).toEqual(starts);
    expect(await touch(client, { ...LADDER, ...more }, "read")).toEqual(reads);
  });

  test.each(["opencode", "kilo"])("%s takes an empty file for the one of its directory", async (client) => {
    const tree = { ...LADDER, "/r/p/q/AGENTS.md": "", "/r/p/q/CLAUDE.md": "C." };
    expect(await touch(client, tree, "read")).toEqual([]);
    const home = { "/h/.config/opencode/AGENTS.md": "", "/h/.config/kilo/AGENTS.md": "", "/h/.claude/CLAUDE.md": "H." };
    expect(await start(client, { ...LADDER, ...home })).toEqual(UP.toReversed());
  });

  test("opencode lists the skills of both its folders", () => {
    const directories = opencode.skillDirectories("/r/p", PLACE, factsOf(LADDER));
    for (const place of ["/r/.opencode", "/h/.opencode", "/h/.config/opencode"])
      for (const name of ["skill", "skills"]) expect(directories).toContain(`${place}/${name}`);
  });

  test("without a repository those of the working directory, or of all directories above", async () => {
    const tree = { "/h/.gemini/settings.json": { data: names }, "/r/AGENTS.md": "Root.", "/r/p/AGENTS.md": "P." };
    expect(await start("copilot", tree)).toEqual(["/r/p/AGENTS.md"]);
    expect(await start("gemini", tree)).toEqual(["/r/p/AGENTS.md"]);
    expect(await start("qwen", tree)).toEqual(UP);
    expect(await start("opencode", tree)).toEqual(UP.toReversed());
    expect(await start("kilo", tree)).toEqual(["/r/p/AGENTS.md"]);
  });
});
