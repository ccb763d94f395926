import { chmodSync } from "node:fs";
import { expect, test } from "bun:test";
import { giveAway, UNPRIVILEGED, WHY_NOT_UNPRIVILEGED } from "../reliability/lib/unprivileged.ts";
import {
  answerOf,
  before,
  edit,
  eventText,
  HOOK_PROJECT,
  optionsOf,
  read,
  start,
  SUB,
  type Answer,
  type Fields,
} from "../support/hook-calls.ts";
import { CODELIA, runCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";

// Instruction files that the user may not read: a context is told once that they apply, and nothing is blocked.

const userTest = test.skipIf(WHY_NOT_UNPRIVILEGED !== undefined);

function project(...unreadable: readonly string[]): TempTree {
  return projectWith({}, ...unreadable);
}

function projectWith(more: Readonly<Record<string, Entry>>, ...unreadable: readonly string[]): TempTree {
  const tree = tempTree({ ...HOOK_PROJECT, ...more });
  giveAway(tree.root);
  for (const path of unreadable) chmodSync(tree.path(path), 0o000);
  return tree;
}

/** A call of a hook by a user whom permissions bind. */
function hook(tree: TempTree, fields: Fields, client = "claude"): Answer {
  const [binary = CODELIA, ...through] = [...UNPRIVILEGED, CODELIA];
  const args = [...through, "hook", client];
  const { stdout, stderr, exitCode } = runCodelia(args, { ...optionsOf(tree, eventText(tree, fields)), binary });
  expect([exitCode, stderr]).toEqual([0, ""]);
  return answerOf(stdout);
}

const UNREAD = "These apply but can't be read; tell the user that you don't know what they say:";

userTest("a start names them beside those that it gives", () => {
  using tree = project("repo/AGENTS.md");
  const { context } = hook(tree, { ...start(), cwd: tree.path("repo/lib") });
  expect(context).toContain("some are below, some not readable.");
  expect(context).toContain("Lib rules.");
  expect(context).toEndWith(`<agents_left_out>\n${UNREAD}\n- ${tree.path("repo/AGENTS.md")}\n</agents_left_out>\n`);
  expect(hook(tree, read(tree.path("repo/lib/x.ts"))).context).toBe("");
});

userTest("a start says so where there is nothing else", () => {
  using tree = project("repo/AGENTS.md");
  const { context } = hook(tree, start());
  expect(context).toContain("those for the working directory are not readable.");
  expect(context).toContain(`- ${tree.path("repo/AGENTS.md")}\n`);
});

userTest("a touch names them once in each context, and as a new file once they can be read", () => {
  using tree = project("repo/lib/AGENTS.md");
  hook(tree, start());
  const told = `<codelia-reminder type="agents.resolve.paths">
${UNREAD}
- ${tree.path("repo/lib/AGENTS.md")}
</codelia-reminder>
`;
  expect(hook(tree, read(tree.path("repo/lib/x.ts"))).context).toBe(told);
  expect(hook(tree, edit(tree.path("repo/lib/x.ts"))).stdout).toBe("");
  hook(tree, { hook_event_name: "SubagentStart", ...SUB });
  expect(hook(tree, read(tree.path("repo/lib/x.ts"), SUB)).context).toBe(told);
  chmodSync(tree.path("repo/lib/AGENTS.md"), 0o644);
  expect(hook(tree, read(tree.path("repo/lib/x.ts"))).context).toMatch(/^- .*\/lib\/AGENTS\.md \(mtime: \d+\)$/m);
});

userTest("a file that the context knows and that can't be read any more stays in force", () => {
  using tree = project();
  hook(tree, start());
  hook(tree, read(tree.path("repo/lib/x.ts")));
  chmodSync(tree.path("repo/lib/AGENTS.md"), 0o000);
  expect(hook(tree, read(tree.path("repo/lib/x.ts"))).stdout).toBe("");
  expect(hook(tree, start("resume")).stdout).toBe("");
});

for (const resolver of [{ delivery: "body" }, { delivery: "escalate" }, { gate: "edit" }]) {
  userTest(`with ${JSON.stringify(resolver)} they are named once and block nothing`, () => {
    using tree = projectWith(
      { "repo/.codelia/config.json": JSON.stringify({ agents: { resolver } }) },
      "repo/lib/AGENTS.md",
    );
    hook(tree, start());
    const answers = [0, 1, 2].map((turn) => hook(tree, edit(tree.path(`repo/lib/${turn}.ts`))));
    expect(answers.map(({ refusal }) => refusal)).toEqual([undefined, undefined, undefined]);
    const reminder = expect.stringContaining(`${UNREAD}\n- ${tree.path("repo/lib/AGENTS.md")}\n`);
    expect(answers.map(({ context }) => context)).toEqual([reminder, "", ""]);
  });
}

userTest("a file that was named and can't be read any more is not due with each write", () => {
  const config = JSON.stringify({ agents: { resolver: { delivery: "escalate" } } });
  using tree = projectWith({ "repo/.codelia/config.json": config });
  hook(tree, start());
  expect(hook(tree, read(tree.path("repo/lib/x.ts"))).context).toContain("lib/AGENTS.md (mtime: ");
  chmodSync(tree.path("repo/lib/AGENTS.md"), 0o000);
  expect(hook(tree, edit(tree.path("repo/lib/x.ts"))).stdout).toBe("");
});

userTest("commands say so in words, and each once", () => {
  const [binary = CODELIA, ...through] = [...UNPRIVILEGED, CODELIA];
  for (const command of ["init-context", "preview"]) {
    using tree = project("repo/AGENTS.md");
    const { stderr } = runCodelia([...through, command], { ...optionsOf(tree, ""), binary });
    const path = tree.path("repo/AGENTS.md");
    expect(stderr).toBe(`codelia: warning: '${path}' is skipped: it can't be read: permission denied\n`);
  }
});

userTest("Codex is told as well, with the other files of the same call", () => {
  using tree = project("repo/lib/AGENTS.md");
  hook(tree, start(), "codex");
  const { context } = hook(tree, before("Bash", { command: "touch lib/deep/y.ts" }), "codex");
  expect(context).toMatch(/^- .*lib\/deep\/AGENTS\.md \(mtime: \d+\)$/m);
  expect(context).toContain(`\n${UNREAD}\n- ${tree.path("repo/lib/AGENTS.md")}\n</`);
});
