import { skillFile } from "../../support/skills-project.ts";
import type { Entry, TempTree } from "../../support/temp-tree.ts";
import type { Due, FaultScene, ProgramCall } from "./fault-play.ts";
import type { Blow } from "./faulty-disk.ts";
import { deadHolder } from "./holders.ts";

const [EARLIER, LATER] = [Date.UTC(2030, 0, 1), Date.UTC(2030, 0, 2)];
const DAY_MS = 24 * 60 * 60 * 1000;
const LEDGER = "repo/.codelia/session.json";

const FILES = ["repo/AGENTS.md", "repo/a/AGENTS.md"];
const REPOSITORY: Readonly<Record<string, Entry>> = {
  "repo/.git/": { dir: true },
  "repo/AGENTS.md": { text: "Rules of the root.\n", mtimeMs: EARLIER },
  "repo/a/AGENTS.md": { text: "Rules of a.\n", mtimeMs: EARLIER },
  "repo/a/x.ts": "x\n",
};
const CONFIGURED: Readonly<Record<string, Entry>> = {
  ...REPOSITORY,
  "repo/.codelia/config.yaml": "agents: { additionalFilenames: [AGENTS.local.md] }\n",
  "repo/a/AGENTS.local.md": { text: "Local rules of a.\n", mtimeMs: EARLIER },
  "home/.codelia/config.json": '{"agents":{"usage":false}}',
  "home/.codelia/AGENTS.md": { text: "Rules of the home.\n", mtimeMs: EARLIER },
};
const SKILLS: Readonly<Record<string, Entry>> = {
  ...REPOSITORY,
  "repo/.agents/skills/notes/SKILL.md": skillFile("notes", "Draft release notes", "How to draft.\n"),
  "repo/.agents/skills/notes/template.md": "# Notes\n",
  "repo/.agents/skills/review": { link: "../../more/review" },
  "repo/more/review/SKILL.md": skillFile("review", "Review a change", "How to review.\n"),
  "home/.agents/skills/mine/SKILL.md": skillFile("mine", "A skill of the user's", "My own way.\n"),
};
const CLAUDE_SETTINGS = '{\n  // mine\n  "model": "opus"\n}\n';

const resolve =
  (...more: string[]) =>
  (): ProgramCall => ({ argv: ["resolve", ...more, "a/x.ts"] });
const RESOLVE = resolve();

function isAbsence(blow: Blow): boolean {
  return blow.kind === "fails" && blow.code === "ENOENT";
}

/** Where the system says that there is no ledger there is nothing to forget. */
function isLedgerAbsent({ subject }: { readonly subject: string }, blow: Blow): boolean {
  return isAbsence(blow) && /\/repo(?:\/\.codelia(?:\/session\.json|\/sessions\/.+)?)?$/.test(subject);
}

/** A reminder that names the files, in the version of that time. */
function namedAt(mtimeMs: number, files = FILES): (tree: TempTree) => Due[] {
  return (tree) => files.map((path) => [`- ${tree.path(path)} (mtime: ${mtimeMs})`]);
}

/** The text itself, or a reminder that names its file. */
function shownOrNamed(tree: TempTree, texts: Readonly<Record<string, string>>): Due[] {
  return Object.entries(texts).map(([path, text]) => [text, `- ${tree.path(path)} (mtime: ${EARLIER})`]);
}

function event(tree: TempTree, host: string, fields: object): ProgramCall {
  const common = { session_id: "s", cwd: tree.path("repo"), transcript_path: null };
  return { argv: ["hook", host], stdin: JSON.stringify({ ...common, ...fields }) };
}

const start = (tree: TempTree, host: string) =>
  event(tree, host, { hook_event_name: "SessionStart", source: "startup" });

function tool(tree: TempTree, host: string, name: string, input: object, when = "PreToolUse"): ProgramCall {
  return event(tree, host, { hook_event_name: when, tool_name: name, tool_input: input, tool_response: {} });
}

const AGENT = { agent_id: "a1", agent_type: "x" };
const toolOfAgent = (tree: TempTree) =>
  event(tree, "claude", {
    hook_event_name: "PreToolUse",
    tool_name: "Read",
    tool_input: { file_path: tree.path("repo/a/x.ts") },
    ...AGENT,
  });
const readTool = (tree: TempTree) => tool(tree, "claude", "Read", { file_path: tree.path("repo/a/x.ts") });
const shellTool = (tree: TempTree) => tool(tree, "codex", "Bash", { command: "sed -n 1,9p a/x.ts" });

function makeIdle(tree: TempTree, session: string): void {
  const ledger = JSON.parse(tree.read(LEDGER));
  ledger.sessions[session].updatedAt = Date.now() - 2 * DAY_MS;
  tree.write(LEDGER, JSON.stringify(ledger));
}

/** A process that lives where a scene says so; when it began can't be known. */
const HOLDER = deadHolder({ startTime: "", nonce: "live0000live00" });

const TELLING: readonly FaultScene[] = [
  {
    name: "resolve, the first of a session",
    entries: REPOSITORY,
    call: resolve("--session", "s"),
    due: namedAt(EARLIER),
  },
  {
    name: "resolve where nothing marks the root",
    entries: { "repo/AGENTS.md": { text: "Rules of the root.\n", mtimeMs: EARLIER } },
    call: () => ({ argv: ["resolve", "x.ts"] }),
    due: namedAt(EARLIER, ["repo/AGENTS.md"]),
  },
  {
    name: "resolve after a change",
    entries: CONFIGURED,
    async prepare(tree, play) {
      await play(RESOLVE());
      for (const path of FILES) tree.touch(path, LATER);
    },
    call: RESOLVE,
    due: namedAt(LATER),
  },
  {
    name: "resolve with a dead process's lock",
    entries: { ...REPOSITORY, [`${LEDGER}.lock`]: JSON.stringify(deadHolder()) },
    call: RESOLVE,
    due: namedAt(EARLIER),
  },
  {
    name: "resolve while the lock can't be had",
    entries: { ...REPOSITORY, [`${LEDGER}.lock`]: JSON.stringify(HOLDER) },
    alive: HOLDER.pid,
    call: RESOLVE,
    due: namedAt(EARLIER),
  },
  {
    name: "resolve with what was recorded late",
    entries: REPOSITORY,
    async prepare(tree, play) {
      tree.write(`${LEDGER}.lock`, JSON.stringify(HOLDER));
      await play({ ...RESOLVE(), alive: HOLDER.pid });
      tree.remove(`${LEDGER}.lock`);
      tree.touch(FILES[1] ?? "", LATER);
    },
    call: RESOLVE,
    due: namedAt(LATER, FILES.slice(1)),
  },
  {
    name: "resolve with a spoilt ledger",
    entries: { ...REPOSITORY, [LEDGER]: "garbage" },
    call: RESOLVE,
    due: namedAt(EARLIER),
  },
  {
    name: "resolve that archives an idle session",
    entries: REPOSITORY,
    async prepare(tree, play) {
      await play(resolve("--session", "idle")());
      makeIdle(tree, "idle");
    },
    call: resolve("--session", "new"),
    due: namedAt(EARLIER),
  },
  {
    name: "resolve of an archived session",
    entries: REPOSITORY,
    async prepare(tree, play) {
      await play(resolve("--session", "idle")());
      makeIdle(tree, "idle");
      await play(resolve("--session", "new")());
      tree.touch(FILES[1] ?? "", LATER);
    },
    call: resolve("--session", "idle"),
    due: namedAt(LATER, FILES.slice(1)),
  },
  {
    name: "resolve in another root than the session's",
    entries: {
      ...REPOSITORY,
      "other/.git/": { dir: true },
      "other/AGENTS.md": { text: "Rules of the other.\n", mtimeMs: EARLIER },
    },
    prepare: async (_, play) => void (await play(resolve("--session", "s")())),
    call: () => ({ argv: ["resolve", "--session", "s", "x.ts"], cwd: "other" }),
    due: namedAt(EARLIER, ["other/AGENTS.md"]),
  },
  {
    name: "resolve with the state kept in the user's home",
    entries: { ...REPOSITORY, "repo/.codelia": { link: "elsewhere" } },
    call: RESOLVE,
    due: namedAt(EARLIER),
  },
  {
    name: "init-context with all there can be",
    entries: { ...CONFIGURED, ...SKILLS },
    call: () => ({ argv: ["init-context"], cwd: "repo/a" }),
    follow: RESOLVE,
    due: (tree) =>
      shownOrNamed(tree, {
        "repo/AGENTS.md": "\nRules of the root.\n",
        "repo/a/AGENTS.md": "\nRules of a.\n",
        "repo/a/AGENTS.local.md": "\nLocal rules of a.\n",
      }),
  },
  {
    name: "init-context of a context that was told before",
    entries: REPOSITORY,
    prepare: async (_, play) => void (await play(RESOLVE())),
    call: () => ({ argv: ["init-context"], cwd: "repo/a" }),
    follow: RESOLVE,
    due: (tree) =>
      shownOrNamed(tree, { "repo/AGENTS.md": "\nRules of the root.\n", "repo/a/AGENTS.md": "\nRules of a.\n" }),
    // Then nobody began anything anew: what the context was told before it was told.
    except: (_, { kind }) => kind === "killed" || kind === "unread",
  },
  {
    name: "resume-diff with something changed, new and gone",
    entries: { ...REPOSITORY, "repo/a/b/AGENTS.md": { text: "Rules of b.\n", mtimeMs: EARLIER } },
    async prepare(tree, play) {
      await play({ argv: ["init-context"], cwd: "repo/a/b" });
      tree.touch("repo/AGENTS.md", LATER);
      tree.remove("repo/a/b/AGENTS.md");
      tree.write("repo/a/AGENTS.override.md", "Other rules of a.\n");
      tree.touch("repo/a/AGENTS.override.md", LATER);
    },
    call: () => ({ argv: ["resume-diff"], cwd: "repo/a/b" }),
    due: (tree) => [
      ...namedAt(LATER, ["repo/AGENTS.md", "repo/a/AGENTS.override.md"])(tree),
      [tree.path("repo/a/b/AGENTS.md")],
    ],
    // Then there is no ledger, and nobody knows what has gone.
    except: ({ subject }, blow) => isAbsence(blow) && subject.endsWith("/session.json"),
  },
];

const HOOKS: readonly FaultScene[] = [
  ...(["claude", "codex"] as const).map((host): FaultScene => ({
    name: `hook ${host}, a session's start`,
    entries: { ...SKILLS, "repo/CLAUDE.md": "Be brief.\n" },
    call: (tree) => start(tree, host),
    follow: host === "claude" ? readTool : shellTool,
    // Then the client loads AGENTS.md by itself.
    except: ({ subject }, blow) => isAbsence(blow) && subject.endsWith("/CLAUDE.md"),
    due: (tree) =>
      host === "claude"
        ? shownOrNamed(tree, { "repo/AGENTS.md": "\nRules of the root.\n" })
        : [["<agents_usage>", tree.path("repo/a/AGENTS.md")]],
  })),
  {
    name: "hook claude before a tool",
    entries: { ...CONFIGURED, "repo/CLAUDE.md": "Be brief.\n" },
    prepare: async (tree, play) => void (await play(start(tree, "claude"))),
    call: readTool,
    due: namedAt(EARLIER, ["repo/a/AGENTS.md", "repo/a/AGENTS.local.md"]),
  },
  {
    name: "hook codex before a tool",
    entries: REPOSITORY,
    prepare: async (tree, play) => void (await play(start(tree, "codex"))),
    call: shellTool,
    due: namedAt(EARLIER, ["repo/a/AGENTS.md"]),
  },
  {
    name: "hook claude at a prompt",
    entries: { ...SKILLS, "repo/CLAUDE.md": "Be brief.\n" },
    prepare: async (tree, play) => void (await play(start(tree, "claude"))),
    call: (tree) => event(tree, "claude", { hook_event_name: "UserPromptSubmit", prompt: "Mind @a/x.ts please" }),
    due: namedAt(EARLIER, ["repo/a/AGENTS.md"]),
  },
  {
    name: "hook claude after a tool that wrote an instruction file",
    entries: { ...REPOSITORY, "repo/CLAUDE.md": "Be brief.\n" },
    async prepare(tree, play) {
      await play(start(tree, "claude"));
      tree.touch("repo/a/AGENTS.md", LATER);
    },
    call: (tree) =>
      tool(tree, "claude", "Write", { file_path: tree.path("repo/a/AGENTS.md"), content: "x" }, "PostToolUse"),
  },
  {
    name: "hook codex at PostCompact",
    entries: { ...REPOSITORY, "repo/CLAUDE.md": "Be brief.\n" },
    prepare: async (tree, play) => void (await play(toolOfAgent(tree))),
    call: (tree) => event(tree, "codex", { hook_event_name: "PostCompact", ...AGENT }),
    follow: toolOfAgent,
    dueAfter: "ok",
    due: namedAt(EARLIER, FILES.slice(1)),
    // Then nobody knows that anything was forgotten, or there is no ledger to forget it.
    except: ({ subject }, blow) => blow.kind === "killed" || isLedgerAbsent({ subject }, blow),
  },
  ...["SubagentStop", "SessionEnd"].map((name): FaultScene => ({
    name: `hook claude at ${name}`,
    entries: { ...REPOSITORY, "repo/CLAUDE.md": "Be brief.\n" },
    async prepare(tree, play) {
      await play(start(tree, "claude"));
      await play(event(tree, "claude", { hook_event_name: "SubagentStart", ...AGENT }));
    },
    call: (tree) =>
      event(tree, "claude", {
        hook_event_name: name,
        ...(name === "SessionEnd" ? {} : AGENT),
      }),
  })),
];

const DENYING: Readonly<Record<string, Entry>> = {
  ...SKILLS,
  "home/.codelia/config.json": '{"permissions":{"deny":[{"tool":"skill_load","skill_name":"notes"}]}}',
};

const SKILL_SCENES: readonly FaultScene[] = [
  { name: "skills list", entries: SKILLS, call: () => ({ argv: ["skills", "list"] }), isSettled: true },
  {
    name: "skills list from memory",
    entries: SKILLS,
    prepare: async (_, play) => void (await play({ argv: ["skills", "list"] })),
    call: () => ({ argv: ["skills", "list"] }),
    isSettled: true,
  },
  { name: "skills search", entries: SKILLS, call: () => ({ argv: ["skills", "search", "review"] }), isSettled: true },
  {
    name: "skills load",
    entries: SKILLS,
    call: () => ({ argv: ["skills", "load", "notes"] }),
    exits: ["ok", "findings"],
    due: () => [["How to draft."]],
  },
  {
    name: "skills load of one that the user denies",
    entries: DENYING,
    call: () => ({ argv: ["skills", "load", "notes"] }),
    exits: ["findings", "unusable"],
    never: ["How to draft."],
    // Then the user denies nothing.
    except: ({ subject }, blow) => isAbsence(blow) && subject.includes("/home/.codelia"),
  },
  {
    name: "skills load of one that the user is asked about, the answer to be remembered",
    entries: {
      ...SKILLS,
      "home/.codelia/config.json": '{"permissions":{"confirm":[{"tool":"skill_load","skill_name":"notes"}]}}',
    },
    call: () => ({ argv: ["skills", "load", "notes"], typed: ["a"] }),
    exits: ["ok", "findings", "unusable"],
    due: () => [["How to draft."]],
    changes: ["home/.codelia/config.json"],
    // Then there is no config: it is made.
    except: ({ subject }, blow) => isAbsence(blow) && subject.includes("/home/.codelia"),
  },
  {
    name: "skills check",
    entries: SKILLS,
    call: () => ({ argv: ["skills", "check"] }),
    exits: ["ok", "findings"],
    isSettled: true,
  },
];

const OTHERS: readonly FaultScene[] = [
  {
    name: "config",
    entries: CONFIGURED,
    call: () => ({ argv: ["config"] }),
    exits: ["ok", "unusable"],
    isSettled: true,
  },
  {
    name: "config from memory",
    entries: CONFIGURED,
    prepare: async (_, play) => void (await play({ argv: ["config"] })),
    call: () => ({ argv: ["config"] }),
    exits: ["ok", "unusable"],
    isSettled: true,
  },
  {
    name: "inspect",
    entries: { ...CONFIGURED, ...SKILLS },
    prepare: async (_, play) => void (await play(RESOLVE())),
    call: () => ({ argv: ["inspect", "--include-skills"] }),
    isSettled: true,
  },
  {
    name: "session list",
    entries: REPOSITORY,
    prepare: async (_, play) => void (await play(RESOLVE())),
    call: () => ({ argv: ["session", "list"] }),
    isSettled: true,
  },
  {
    name: "session reset",
    entries: REPOSITORY,
    prepare: async (_, play) => void (await play(RESOLVE())),
    call: () => ({ argv: ["session", "reset", "--session", "default"] }),
    // It says when it can't be recorded.
    exits: ["ok", "findings"],
    follow: RESOLVE,
    due: namedAt(EARLIER),
    dueAfter: "ok",
    except: isLedgerAbsent,
  },
  {
    name: "session reset of one that was idle for two days",
    entries: REPOSITORY,
    async prepare(tree, play) {
      await play(resolve("--session", "s")());
      makeIdle(tree, "s");
      await play(RESOLVE());
    },
    call: () => ({ argv: ["session", "reset", "--session", "s"] }),
    exits: ["ok", "findings"],
    follow: resolve("--session", "s"),
    due: namedAt(EARLIER),
    dueAfter: "ok",
    except: isLedgerAbsent,
  },
  {
    name: "trim",
    entries: REPOSITORY,
    call: () => ({ argv: ["trim", "--max-bytes", "100"], stdin: "a line of output\n".repeat(1000) }),
    due: () => [['type="tool.output.trimmed"']],
  },
  ...(["install", "uninstall"] as const).map((verb): FaultScene => ({
    name: verb,
    entries: { ...REPOSITORY, "repo/.claude/settings.json": CLAUDE_SETTINGS },
    async prepare(_, play) {
      if (verb === "uninstall") await play({ argv: ["install", "claude", "--scope", "project", "--yes"] });
    },
    call: () => ({ argv: [verb, "claude", "--scope", "project", "--yes"] }),
    exits: ["ok", "unusable", "findings"],
    changes: ["repo/.claude/settings.json"],
  })),
];

export const FAULT_SCENES: readonly FaultScene[] = [...TELLING, ...HOOKS, ...SKILL_SCENES, ...OTHERS];
