import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { settings as claudeSettings } from "../../src/clients/claude/settings.ts";
import { settings as codexSettings } from "../../src/clients/codex/settings.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
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

const TIMEOUT = "a hook with a 'timeout' that is not a number of seconds";
const guard = (what: string): string => `${what} for 'PreToolUse'`;

const CLAUDE_CASES: [what: string, data: Data, why: string | undefined][] = [
  ["an unknown type", hook({ type: "webhook" }), undefined],
  ["no command", hook({ type: "command" }), undefined],
  ["an unknown event", { hooks: { Foo: "x" } }, undefined],
  ["a number as matcher elsewhere", { hooks: { Stop: [{ matcher: 5, hooks: [TRUE] }] } }, undefined],
  ["no hooks elsewhere", { hooks: { Stop: [{ matcher: "x" }] } }, undefined],
  ["null for an event", { hooks: { PreToolUse: null } }, undefined],
  ["no command text", group({ hooks: [{ type: "command", command: "" }] }), undefined],
  ["a number as matcher", group({ matcher: 5, hooks: [TRUE] }), guard("an entry with a 'matcher' that is not text")],
  ["null as matcher", group({ matcher: null, hooks: [TRUE] }), guard("an entry with a 'matcher' that is not text")],
  ["null as entry", group(null), guard("an entry that is not a table")],
  ["no hooks", group({ matcher: "Bash" }), guard("an entry without a list of 'hooks'")],
  ["a hook as entry", group(TRUE), guard("an entry without a list of 'hooks'")],
  ["no list", { hooks: { PreToolUse: { hooks: [TRUE] } } }, guard("something other than a list")],
  ["no type", group({ hooks: [{ command: "true" }] }), guard("a hook without a type")],
  ["a list as type", group({ hooks: [{ type: [], command: "true" }] }), guard("a hook with a type that is not text")],
  [
    "a large letter",
    group({ hooks: [{ ...TRUE, type: "Command" }] }),
    guard("a hook of type 'Command' instead of 'command'"),
  ],
  ["text as hook", group({ hooks: ["true"] }), guard("a hook that is not a table")],
  ["no command", group({ hooks: [{ type: "command" }] }), guard("a hook without a command")],
  ["no address", group({ hooks: [{ type: "http" }] }), guard("a hook without a url")],
  ["no prompt", group({ hooks: [{ type: "prompt" }] }), guard("a hook without a prompt")],
  ["no prompt of an agent", group({ hooks: [{ type: "agent" }] }), guard("a hook without a prompt")],
  ["a timeout as text", group({ hooks: [{ ...TRUE, timeout: "30" }] }), guard(TIMEOUT)],
  ["null as timeout", group({ hooks: [{ ...TRUE, timeout: null }] }), guard(TIMEOUT)],
  ["null as type", group({ hooks: [{ type: null, command: "true" }] }), guard("a hook without a type")],
  ["no time", group({ hooks: [{ ...TRUE, timeout: 0 }] }), guard(TIMEOUT)],
  [
    "a permission without command",
    { hooks: { PermissionRequest: [{ hooks: [{ type: "command" }] }] } },
    "a hook without a command for 'PermissionRequest'",
  ],
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

// What a client ignores of a file that it reads: whether the hook itself runs. `touch` is its command.

const start = (command: string) => ({ SessionStart: [{ hooks: [{ type: "command", command }] }] });
const entry = (handler: Data) => ({ SessionStart: [{ hooks: [handler] }] });
const under = (event: string) => (touch: string) => ({ [event]: start(touch).SessionStart });

const IGNORED_EVENTS = [
  "sessionStart",
  "Sessionstart",
  "session_start",
  "session-start",
  "onSessionStart",
  "SessionStarts",
];
const IGNORED: [what: string, hooks: (touch: string) => Data, isIgnored: boolean][] = [
  ["right", start, false],
  ["no type", (command) => entry({ command }), true],
  ["no command", (touch) => entry({ type: "command", script: touch }), true],
  ["a timeout as text", (command) => entry({ type: "command", command, timeout: "30" }), true],
  ["a hook as entry", (command) => ({ SessionStart: [{ type: "command", command }] }), true],
  [
    "a list as matcher",
    (touch) => ({ SessionStart: [{ matcher: ["startup"], ...start(touch).SessionStart[0] }] }),
    true,
  ],
];
const ofEvents = IGNORED_EVENTS.map((event): (typeof IGNORED)[number] => [event, under(event), true]);

async function runs(
  path: string,
  hooks: (touch: string) => Data,
  run: (tree: TempTree) => Promise<{ exitCode: number }>,
) {
  using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n" });
  tree.write(path, JSON.stringify({ hooks: hooks(`touch ${tree.path("mark")}`) }));
  expect((await run(tree)).exitCode).toBe(0);
  return existsSync(tree.path("mark"));
}

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

describe.skipIf(CLAUDE.missing !== undefined)("in Claude Code, a hook with", () => {
  test.each([...IGNORED, ...ofEvents])(
    "%s",
    async (_what, hooks, isIgnored) => {
      expect(await runs(".claude/settings.json", hooks, (tree) => runClaude({ tree, prompt: "Go." }))).toBe(!isIgnored);
      expect(claudeSettings.ignores?.({ hooks: hooks("true") })?.length).toBe(isIgnored ? 1 : 0);
    },
    TEST_TIMEOUT_MS,
  );
});

describe.skipIf(CODEX.missing !== undefined)("in Codex, an event", () => {
  test.each([...IGNORED.slice(0, 1), ...ofEvents])(
    "%s",
    async (_what, hooks, isIgnored) => {
      expect(await runs(".codex/hooks.json", hooks, (tree) => runCodex({ tree, prompt: "Go." }))).toBe(!isIgnored);
      expect(codexSettings.ignores?.({ hooks: hooks("true") })?.length).toBe(isIgnored ? 1 : 0);
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
