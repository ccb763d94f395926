import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { settings as claudeSettings } from "../../src/clients/claude/settings.ts";
import { settings as codexSettings } from "../../src/clients/codex/settings.ts";
import { tempTree } from "../support/temp-tree.ts";
import { runClaude } from "./lib/claude.ts";
import { CLAUDE, CODEX } from "./lib/clients.ts";
import { runCodex } from "./lib/codex.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";

// A mistake in one place of a settings file can keep a client from running any hook of it. What we say of that, against
// what the clients do: whether a hook that is right itself still runs.

type Data = Record<string, unknown>;

const TRUE = { type: "command", command: "true" };
const hook = (handler: unknown): Data => ({ hooks: { Stop: [{ hooks: [handler] }] } });
const group = (entry: unknown): Data => ({ hooks: { PreToolUse: [entry] } });

/** The file with a hook that is right. */
function withGood(data: Data, mark: string): Data {
  const good = { SessionStart: [{ hooks: [{ type: "command", command: `touch ${mark}` }] }] };
  return { ...data, hooks: { ...good, ...(data["hooks"] as Data | undefined) } };
}

const CLAUDE_CASES: [what: string, data: Data, why: string | undefined][] = [
  ["an unknown type", hook({ type: "webhook" }), undefined],
  ["no command", hook({ type: "command" }), undefined],
  ["an unknown event", { hooks: { Foo: "x" } }, undefined],
  ["a number as matcher", group({ matcher: 5, hooks: [TRUE] }), "a 'matcher' that is not text"],
  ["null as entry", group(null), "an entry for 'PreToolUse' that is not a table"],
  ["no hooks", group({ matcher: "Bash" }), "an entry for 'PreToolUse' without 'hooks'"],
  ["permissions as text", { permissions: { allow: "Bash" } }, "'permissions.allow' that is not a list"],
  ["a list of variables", { env: ["A=1"] }, "'env' that is not a table"],
  ["a number as model", { model: 5 }, "'model' that is not text"],
];

const CODEX_CASES: [what: string, data: Data, why: string | undefined][] = [
  ["an unknown event", { hooks: { Foo: "x" } }, undefined],
  ["a description", { description: "x" }, undefined],
  ["an unknown field of a hook", hook({ ...TRUE, foo: 1 }), undefined],
  ["an unknown type", hook({ type: "webhook" }), "a hook of type 'webhook'"],
  ["no type", hook({ command: "true" }), "a hook without a type"],
  ["no command", hook({ type: "command" }), "a hook without a command"],
  ["a timeout as text", hook({ ...TRUE, timeout: "30" }), "a 'timeout' that is not a whole number of seconds"],
  ["a list as matcher", group({ matcher: ["Bash"], hooks: [TRUE] }), "a 'matcher' that is not text"],
  ["null as hooks", group({ hooks: null }), "'hooks' of 'PreToolUse' that are not a list"],
  ["text as hook", hook("true"), "a hook for 'Stop' that is not a table"],
  ["no list", { hooks: { Stop: null } }, "something other than a list for 'Stop'"],
  ["a version", { version: 1 }, "the key 'version'"],
];

const FILE = { text: "", bom: "" };

describe.skipIf(CLAUDE.missing !== undefined)("Claude Code", () => {
  test.each(CLAUDE_CASES)(
    "with %s",
    async (_what, data, why) => {
      using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n" });
      const text = JSON.stringify(withGood(data, tree.path("mark")));
      tree.write(".claude/settings.json", text);
      expect((await runClaude({ tree, prompt: "Go." })).exitCode).toBe(0);
      const said = why && `Claude Code ignores a settings file with ${why}`;
      expect([existsSync(tree.path("mark")), claudeSettings.refuses?.({ ...FILE, text })?.why]).toEqual([!why, said]);
    },
    TEST_TIMEOUT_MS,
  );
});

describe.skipIf(CODEX.missing !== undefined)("Codex", () => {
  test.each(CODEX_CASES)(
    "with %s",
    async (_what, data, why) => {
      using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n" });
      const text = JSON.stringify(withGood(data, tree.path("mark")));
      tree.write(".codex/hooks.json", text);
      expect((await runCodex({ tree, prompt: "Go." })).exitCode).toBe(0);
      const said = why && `Codex rejects a settings file with ${why}`;
      expect([existsSync(tree.path("mark")), codexSettings.refuses?.({ ...FILE, text })?.why]).toEqual([!why, said]);
    },
    TEST_TIMEOUT_MS,
  );
});
