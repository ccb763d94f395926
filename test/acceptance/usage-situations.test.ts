import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { hook, start, SUB } from "../support/hook-calls.ts";
import { CODELIA, runCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry } from "../support/temp-tree.ts";

// The complete usage rules that the model gets, in each situation in which a context begins.

const rules = (where: string, more: string) => `<agents_usage>
- AGENTS.md files govern their directory and all below it; ${where}. Comply with each whose scope covers a file you change: deeper overrides higher, the user overrides all.
- Don't search for more: ${more}
</agents_usage>
`;

const REMINDERS = (element: string) =>
  `a ${element} with a tool's result names them, to be read before your next edit there; "changed" means read again. After a resume, a ${element} of type session.resume.diff prevails.`;

const TREE: Readonly<Record<string, Entry>> = { "home/": { dir: true }, "repo/.git/": { dir: true } };
const FILES = { "repo/AGENTS.md": "Root rules.\n", "repo/lib/AGENTS.md": "Lib rules.\n" };
const MEMORY = { "repo/CLAUDE.md": "Be brief.\n" };
const SKILL = { "repo/.agents/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: Deploys\n---\nDo it.\n" };
const config = (agents: object) => ({ "repo/.codelia/config.json": JSON.stringify({ agents }) });

const BELOW = "those for the working directory are below";
const NATIVE = "those for the working directory are already in your context";
const NONE = "there is none for the working directory";

const CASES: [what: string, client: string, files: object, event: object, where: string | undefined][] = [
  ["files that only we give", "claude", { ...FILES, ...MEMORY }, {}, BELOW],
  ["files that the client loads by itself", "claude", FILES, {}, NATIVE],
  ["the same in Codex", "codex", FILES, {}, NATIVE],
  ["nothing found", "claude", MEMORY, {}, NONE],
  ["only skills", "claude", { ...MEMORY, ...SKILL }, {}, NONE],
  [
    "only skills, with the rest switched off",
    "claude",
    { ...MEMORY, ...SKILL, ...config({ enabled: false }) },
    {},
    undefined,
  ],
  ["after a compaction", "claude", { ...FILES, ...MEMORY }, start("compact"), BELOW],
  ["a sub-agent", "claude", { ...FILES, ...MEMORY }, { hook_event_name: "SubagentStart", ...SUB }, BELOW],
  [
    "a sub-agent that the client gives no files",
    "claude",
    FILES,
    { hook_event_name: "SubagentStart", agent_id: "a", agent_type: "Explore" },
    BELOW,
  ],
  [
    "files over the limit",
    "claude",
    { ...FILES, ...MEMORY, ...config({ initial: { maxFiles: 1 } }) },
    { cwd: "repo/lib" },
    "of those for the working directory some are below, some listed below, to be read",
  ],
  [
    "files that Codex has cut",
    "codex",
    { ...FILES, "repo/AGENTS.md": `${"Rule upon rule.\n".repeat(2040)}`, "repo/lib/AGENTS.md": "Long.\n".repeat(900) },
    { cwd: "repo/lib" },
    "of those for the working directory some are already in your context, some below",
  ],
];
for (const [what, client, files, event, where] of CASES) {
  test(`hook ${client}: ${what}`, () => {
    using repo = tempTree({ ...TREE, ...(files as Record<string, Entry>) });
    const cwd = repo.path("cwd" in event ? String(event.cwd) : "repo");
    const { context } = hook(repo, { ...start(), ...event, cwd }, [client]);
    const [found] = /<agents_usage>[^]*<\/agents_usage>\n/.exec(context) ?? [];
    const element = client === "claude" ? "codelia-reminder" : "system-reminder";
    expect(found).toBe(where === undefined ? undefined : rules(where, REMINDERS(element)));
    // What is announced as "below" is there, and no program is named that may not be on PATH.
    expect(context.includes("<agents_context")).toBe(where?.includes("below") === true);
    expect(found ?? "").not.toContain("codelia resolve");
  });
}

test("init-context: how to ask for more, by a name that the shell finds", () => {
  using repo = tempTree({ ...TREE, ...FILES, "bin/codelia": { link: CODELIA } });
  const where = { cwd: repo.path("repo"), home: repo.path("home") };
  const ask = (program: string) =>
    rules(
      BELOW,
      `before you read or edit in another directory, run: ${program} resolve &lt;path&gt;. Read what it names once, before you work there. After a resume, a system-reminder of type session.resume.diff prevails.`,
    );
  const context = (env: Record<string, string>) =>
    runCodelia(["init-context", "--only", "agents"], { ...where, env }).stdout;
  expect(context({ PATH: "/usr/bin:/bin" })).toStartWith(ask(CODELIA));
  expect(context({ PATH: repo.path("bin") })).toStartWith(ask("codelia"));
});

test("a model is told of skills by a name of the program that its shell finds", () => {
  using repo = tempTree({ ...TREE, ...MEMORY, ...SKILL });
  const where = { cwd: repo.path("repo"), home: repo.path("home") };
  const say = (event: object, path: string) =>
    runCodelia(["hook", "claude"], {
      ...where,
      env: { PATH: path },
      stdin: JSON.stringify({ session_id: "s", cwd: where.cwd, ...event }),
    }).stdout;
  const prompt = { hook_event_name: "UserPromptSubmit", prompt: "Use $deploy." };
  expect(say(start(), "/usr/bin:/bin")).toContain(`as $name): ${CODELIA} skills load &lt;name&gt;`);
  expect(say(prompt, "/usr/bin:/bin")).toContain(`- deploy: ${CODELIA} skills load /`);
  expect(say({ ...start(), session_id: "t" }, dirname(CODELIA))).toContain(
    "as $name): codelia skills load &lt;name&gt;",
  );
});
