import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { runClaude } from "./lib/claude.ts";
import { bash, read, spawn, write } from "./lib/claude-tools.ts";
import { CLAUDE, CODEX } from "./lib/clients.ts";
import { installHooks, RULED_FILES } from "./lib/codelia-scene.ts";
import { CODEX_CONFIG, CODEX_MODELS, runCodex } from "./lib/codex.ts";
import { addFile, CODE_MODE_TOOLS, DIRECT_TOOLS, type CodexTools } from "./lib/codex-tools.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import type { Answer, ModelRequest, ToolUse } from "./lib/script.ts";

// `codelia audit` reads the client's own record of a session. What it says of each write is compared with what the
// recorded request held that the model answered with that write.

/** For each client. `AUDIT_SESSIONS=24 npm run e2e -- audit` plays more. */
const SESSIONS = Number(process.env["AUDIT_SESSIONS"] ?? 8);
const RULES = { "": "Rule of the root.", app: "Rule of the app.", lib: "Rule of the lib." } as const;
const DIRECTORIES = ["app", "lib"] as const;
type Directory = (typeof DIRECTORIES)[number];

/** What one turn of the model does. */
interface Step {
  readonly kind: "read" | "write" | "shell-write" | "show";
  readonly directory: Directory;
  /** What it writes; each session writes a name once. */
  readonly name: string;
}

/** A session: what its turns do, also those of a sub-agent, after a compaction, and after a resume. */
interface Shape {
  readonly first: readonly Step[];
  readonly agent: readonly Step[];
  readonly compacted: readonly Step[];
  readonly resumed: readonly Step[];
}

/** A session's shape by its number: the same number, the same shape. */
function shapeOf(session: number): Shape {
  let state = session * 2_654_435_761 + 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const kinds = ["read", "write", "shell-write", "show", "write"] as const;
  const steps = (part: string, count: number) =>
    Array.from({ length: count }, (_, index): Step => {
      return { kind: kinds[next(kinds.length)]!, directory: DIRECTORIES[next(2)]!, name: `${part}-${index}.ts` };
    });
  return {
    first: steps("first", 2 + next(4)),
    agent: session % 2 === 0 ? steps("agent", 1 + next(3)) : [],
    compacted: session % 3 !== 0 ? steps("compacted", 1 + next(3)) : [],
    resumed: session % 5 < 2 ? steps("resumed", 1 + next(3)) : [],
  };
}

interface Said {
  readonly path: string;
  readonly files: readonly { readonly path: string; readonly extent: string }[];
}

/** Answers each request with a step, and notes what a request held that is answered with a write. */
function witness(tree: TempTree) {
  const said: Said[] = [];
  const note = ({ seen }: ModelRequest, { directory, name }: Step) => {
    const given = seen.filter(({ role }) => role !== "assistant");
    const extentOf = (rule: string, path: string) => {
      if (given.some(({ text }) => text.includes(rule))) return "whole";
      return given.some(({ text }) => text.includes(`- ${path} (mtime`)) ? "named" : "none";
    };
    const files = (["", directory] as const).map((each) => {
      const path = tree.path(each, "AGENTS.md");
      return { path, extent: extentOf(RULES[each], path) };
    });
    said.push({ path: tree.path(directory, name), files });
  };
  const answering = (steps: readonly Step[], toolOf: (step: Step) => ToolUse) =>
    steps.map((step) => (request: ModelRequest): Answer => {
      if (step.kind === "write" || step.kind === "shell-write") note(request, step);
      return { toolUses: [toolOf(step)] };
    });
  return { said, answering };
}

const sourceIn = (directory: Directory) => `${directory}/${directory === "app" ? "main" : "one"}.ts`;

const claudeTool =
  (tree: TempTree) =>
  ({ kind, directory, name }: Step): ToolUse => {
    switch (kind) {
      case "read":
        return read(tree.path(sourceIn(directory)));
      case "write":
        return write(tree.path(directory, name));
      case "shell-write":
        return bash(`echo 1 > ${directory}/${name}`);
      case "show":
        return bash(`cat ${directory}/AGENTS.md`);
    }
  };

const codexTool =
  ({ run, patch }: CodexTools) =>
  ({ kind, directory, name }: Step): ToolUse => {
    switch (kind) {
      case "read":
        return run(`cat ${sourceIn(directory)}`);
      case "write":
        return patch(addFile(`${directory}/${name}`));
      case "shell-write":
        return run(`echo 1 > ${directory}/${name}`);
      case "show":
        return run(`cat ${directory}/AGENTS.md`);
    }
  };

/** How a model calls the tools of Codex: the newer one by scripts. */
const CODEX_FORMS = [
  { model: CODEX_MODELS[0], tools: DIRECT_TOOLS },
  { model: CODEX_MODELS[1], tools: CODE_MODE_TOOLS },
] as const;

const byPath = (left: Said, right: Said) => (left.path < right.path ? -1 : 1);

/** What the audit says of each write in all contexts of the records. */
function audited(tree: TempTree, records: readonly string[]): Said[] {
  using home = tempTree();
  const result = runCodelia(["audit", ...records, "--json"], { cwd: tree.root, home: home.root });
  expect({ exitCode: result.exitCode, stderr: result.stderr }).toEqual({ exitCode: 0, stderr: "" });
  const { sessions } = JSON.parse(result.stdout) as { sessions: { contexts: { writes: Said[] }[] }[] };
  return sessions
    .flatMap(({ contexts }) => contexts.flatMap(({ writes }) => writes))
    .map(({ path, files }) => ({ path, files: files.map((file) => ({ path: file.path, extent: file.extent })) }))
    .toSorted(byPath);
}

/** The records of all sessions; Claude Code's sub-agents belong to theirs. */
function recordsIn(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const records = names.filter((each) => each.endsWith(".jsonl") && !each.includes("subagents"));
  return records.map((name) => join(directory, name));
}

function recordIn(directory: string): string {
  return recordsIn(directory)[0]!;
}

const sessionsOver = (channels: readonly string[]) =>
  Array.from({ length: SESSIONS }, (_, session) => ({ session, channel: channels[session % channels.length]! }));

const HELP = "Help with it.";

describe.skipIf(CLAUDE.missing !== undefined)("in Claude Code", () => {
  test.each(sessionsOver(["command", "mod", "mcp", "none"]))(
    "session $session, hooks by $channel: each write as the requests show it",
    async ({ session, channel }) => {
      using tree = tempTree({ ...RULED_FILES, ...(session % 2 === 0 && { "CLAUDE.md": "Be brief.\n" }) });
      using home = tempTree();
      if (channel !== "none") installHooks("claude", tree, home, channel);
      const shape = shapeOf(session);
      const { said, answering } = witness(tree);
      const part = (steps: readonly Step[]) => answering(steps, claudeTool(tree));
      const helping: Answer[] = shape.agent.length > 0 ? [{ toolUses: [spawn(HELP)] }] : [];
      const main = [...part(shape.first), ...helping, { text: "Done." }, ...part(shape.compacted)];
      const prompt = shape.compacted.length > 0 ? ["Go.", "/compact", "Go on."] : "Go.";
      const script = { main, agents: { [HELP]: part(shape.agent) } };
      const { exitCode } = await runClaude({ tree, home, prompt, script });
      expect(exitCode).toBe(0);
      if (shape.resumed.length > 0) {
        await runClaude({ tree, home, resume: true, prompt: "And on.", script: { main: part(shape.resumed) } });
      }
      expect(said.length).toBe(writesIn(shape));
      expect(audited(tree, recordsIn(home.path(".claude/projects")))).toEqual(said.toSorted(byPath));
    },
    2 * TEST_TIMEOUT_MS,
  );
});

function writesIn({ first, agent, compacted, resumed }: Shape): number {
  return [...first, ...agent, ...compacted, ...resumed].filter(({ kind }) => kind.endsWith("write")).length;
}

describe.skipIf(CODEX.missing !== undefined)("in Codex", () => {
  test.each(sessionsOver(["command", "mcp", "none"]))(
    "session $session, hooks by $channel: each write as the requests show it",
    async ({ session, channel }) => {
      using tree = tempTree(RULED_FILES);
      using home = tempTree({ ".codex/config.toml": CODEX_CONFIG });
      if (channel !== "none") installHooks("codex", tree, home, channel);
      const shape = shapeOf(session + 100);
      const { said, answering } = witness(tree);
      const { model, tools } = CODEX_FORMS[session % 2]!;
      const { run, spawn: start, wait } = tools;
      const part = (steps: readonly Step[]) => answering(steps, codexTool(tools));
      const helping = [
        { toolUses: [start(HELP)] },
        ({ seen }: ModelRequest): Answer => ({ toolUses: [wait(seen.at(-1)?.text ?? "")] }),
      ];
      const main = [
        ...part(shape.first),
        ...(shape.agent.length > 0 ? helping : []),
        ...(shape.compacted.length > 0 ? [{ toolUses: [run("ls")], inputTokens: 900_000 }] : []),
        ...part(shape.compacted),
      ];
      const config = { model_auto_compact_token_limit: 800_000 };
      const script = { main, agents: { [HELP]: part(shape.agent) } };
      const { exitCode } = await runCodex({ tree, home, model, prompt: "Go.", config, script });
      expect(exitCode).toBe(0);
      if (shape.resumed.length > 0) {
        const again = { main: part(shape.resumed) };
        await runCodex({ tree, home, model, resume: true, prompt: "And on.", config, script: again });
      }
      expect(said.length).toBe(writesIn(shape));
      expect(audited(tree, recordsIn(home.path(".codex/sessions")))).toEqual(said.toSorted(byPath));
    },
    2 * TEST_TIMEOUT_MS,
  );
});

test.skipIf(CLAUDE.missing !== undefined)(
  "a hook that is silenced is found: what it did not tell is missing",
  async () => {
    const extentsWith = async (env: Readonly<Record<string, string>>) => {
      using tree = tempTree({ ...RULED_FILES, "CLAUDE.md": "Be brief.\n" });
      using home = tempTree();
      installHooks("claude", tree, home);
      const main = [{ toolUses: [bash("cat app/main.ts")] }, { toolUses: [bash("echo 1 > app/new.ts")] }];
      await runClaude({ tree, home, prompt: "Go.", env, script: { main } });
      const record = recordIn(home.path(".claude/projects"));
      const [said] = audited(tree, [record]);
      const { exitCode } = runCodelia(["audit", record, "--fail-on", "missing"], { cwd: tree.root, home: home.root });
      return [...said!.files.map(({ extent }) => extent), exitCode];
    };
    expect(await extentsWith({})).toEqual(["whole", "named", 0]);
    expect(await extentsWith({ CODELIA_DISABLE: "1" })).toEqual(["none", "none", 1]);
  },
  2 * TEST_TIMEOUT_MS,
);

const NOTES =
  "---\nname: notes\ndescription: Write release notes from the commits\n---\nGroup the commits.\nBe brief.\n";
const SKILLS = { notes: { listed: 1, loaded: 1 }, other: { listed: 1, loaded: 0 } };

function skillsIn(tree: TempTree, record: string): unknown {
  using home = tempTree();
  const { stdout } = runCodelia(["audit", record, "--json"], { cwd: tree.root, home: home.root });
  const skills: { name: string; listed: number; loaded: number }[] = JSON.parse(stdout).sessions[0].skills;
  return Object.fromEntries(skills.map(({ name, listed, loaded }) => [name, { listed, loaded }]));
}

const SKILL_FILES = {
  ...RULED_FILES,
  ".agents/skills/notes/SKILL.md": NOTES,
  ".agents/skills/other/SKILL.md": "---\nname: other\ndescription: Find dead code\n---\nLook for it.\n",
};

test.skipIf(CLAUDE.missing !== undefined)(
  "skills that Claude Code lists: both listed, one loaded by its tool",
  async () => {
    using tree = tempTree({ ...SKILL_FILES, ".claude/skills": { link: "../.agents/skills" } });
    using home = tempTree();
    const load = { name: "Skill", input: { skill: "notes" } };
    await runClaude({ tree, home, prompt: "Go.", script: { main: [{ toolUses: [load] }] } });
    expect(skillsIn(tree, recordIn(home.path(".claude/projects")))).toEqual(SKILLS);
  },
  TEST_TIMEOUT_MS,
);

test.skipIf(CODEX.missing !== undefined)(
  "skills that Codex lists: both listed, one read",
  async () => {
    using tree = tempTree(SKILL_FILES);
    using home = tempTree();
    const { run } = DIRECT_TOOLS;
    const main = [{ toolUses: [run("cat .agents/skills/notes/SKILL.md")] }];
    await runCodex({ tree, home, prompt: "Go.", script: { main } });
    expect(skillsIn(tree, recordIn(home.path(".codex/sessions")))).toEqual(SKILLS);
  },
  TEST_TIMEOUT_MS,
);

const GATED = { ...RULED_FILES, ".codelia/config.json": '{ "agents": { "resolver": { "gate": "edit" } } }\n' };

test.skipIf(CLAUDE.missing !== undefined)(
  "an edit that Claude Code was told to deny is no write",
  async () => {
    using tree = tempTree(GATED);
    using home = tempTree();
    installHooks("claude", tree, home);
    const steps = [write(tree.path("app/new.ts")), bash("echo 1 > lib/new.ts"), write(tree.path("app/new.ts"))];
    await runClaude({ tree, home, prompt: "Go.", script: { main: steps.map((step) => ({ toolUses: [step] })) } });
    expect(extents(audited(tree, recordsIn(home.path(".claude/projects"))))).toEqual([["whole", "named"]]);
  },
  TEST_TIMEOUT_MS,
);

test.skipIf(CODEX.missing !== undefined).each(CODEX_FORMS)(
  "an edit that Codex ($model) was told to deny is no write",
  async ({ model, tools: { run, patch } }) => {
    using tree = tempTree(GATED);
    using home = tempTree({ ".codex/config.toml": CODEX_CONFIG });
    installHooks("codex", tree, home);
    const steps = [patch(addFile("app/new.ts")), run("echo 1 > lib/new.ts"), patch(addFile("app/new.ts"))];
    const script = { main: steps.map((step) => ({ toolUses: [step] })) };
    await runCodex({ tree, home, model, prompt: "Go.", script });
    expect(extents(audited(tree, recordsIn(home.path(".codex/sessions"))))).toEqual([["whole", "named"]]);
  },
  TEST_TIMEOUT_MS,
);

function extents(said: readonly Said[]): string[][] {
  return said.map(({ files }) => files.map(({ extent }) => extent));
}
