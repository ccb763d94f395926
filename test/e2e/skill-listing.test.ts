import { describe, expect, test } from "bun:test";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import { CLAUDE_MODELS, runClaude } from "./lib/claude.ts";
import { spawn } from "./lib/claude-tools.ts";
import { CLAUDE, CODEX } from "./lib/clients.ts";
import { installHooks } from "./lib/codelia-scene.ts";
import { runCodex } from "./lib/codex.ts";
import { DIRECT_TOOLS } from "./lib/codex-tools.ts";
import { HARNESS, HARNESS_TEST_MS, runHarness } from "./lib/harness.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import type { ClientRun } from "./lib/run-with-model.ts";

// Each skill is told once: by the client, or where it does not list it, by codelia.

const skill = (name: string, more = "") => `---\nname: ${name}\ndescription: Mark of ${name}. ${more}\n---\nText.\n`;
const LONG = `${"More. ".repeat(120)}End.`;

const SKILLS: Readonly<Record<string, Entry>> = {
  ".git/HEAD": "ref: refs/heads/main\n",
  "CLAUDE.md": "Be brief.\n",
  ".agents/skills/plain/SKILL.md": skill("plain"),
  ".agents/skills/linked/SKILL.md": skill("linked"),
  ".claude/skills/linked": { link: "../../.agents/skills/linked" },
  ".agents/skills/longer/SKILL.md": skill("longer", LONG),
  ".agents/skills/group/grouped/SKILL.md": skill("grouped"),
  ".agents/skills/marked/SKILL.md": `\uFEFF${skill("marked")}`,
  "real/SKILL.md": skill("filelink"),
  ".agents/skills/filelink/SKILL.md": { link: "../../../real/SKILL.md" },
  "other/dirlink/SKILL.md": skill("dirlink"),
  ".agents/skills/dirlink": { link: "../../other/dirlink" },
  ".agents/skills/block/SKILL.md": "---\nname: block\ndescription: |\n  Mark of block.\n  Second line.\n---\nText.\n",
  ".agents/skills/unasked/SKILL.md": `---\nname: unasked\ndescription: Mark of unasked.\ndisable-model-invocation: true\n---\nText.\n`,
  ".claude/skills/unasked": { link: "../../.agents/skills/unasked" },
  ".agents/skills/quoted/SKILL.md": `---\nname: quoted\ndescription: Mark of quoted.\ndisable-model-invocation: "True"\n---\nText.\n`,
  ".claude/skills/quoted": { link: "../../.agents/skills/quoted" },
  // `check` says that these are no skills.
  ".claude/skills/misplaced.md": skill("misplaced"),
  ".claude/skills/renamed/renamed.md": skill("renamed"),
  ".agents/skills/explicit/SKILL.md": skill("explicit"),
  ".agents/skills/explicit/agents/openai.yaml": "policy:\n  allow_implicit_invocation: false\n",
};
const HOME: Readonly<Record<string, Entry>> = { ".agents/skills/mine/SKILL.md": skill("mine") };
const NAMES = "block dirlink explicit filelink grouped linked longer marked mine plain quoted unasked".split(" ");

/** How often each is told in a request, other than once. */
function notOnce(request: string, names = NAMES): [name: string, count: number][] {
  const counts = names.map((name): [string, number] => [name, request.split(`Mark of ${name}.`).length - 1]);
  return counts.filter(([, count]) => count !== 1);
}

async function play(
  host: string,
  run: (tree: TempTree, home: TempTree) => Promise<ClientRun>,
  files = SKILLS,
): Promise<ClientRun> {
  using tree = tempTree(files);
  using home = tempTree(HOME);
  installHooks(host, tree, home);
  const played = await run(tree, home);
  expect(played.exitCode).toBe(0);
  expect(bodies(played).filter((body) => /Mark of (?:misplaced|renamed)/.test(body))).toEqual([]);
  return played;
}

/** So many skills, each with a description that ends with its number. */
function manySkills(
  count: number,
  place: string,
  links?: string,
  wordsIn = (index: number) => 10 + (index % 3) * 20,
): Record<string, Entry> {
  const text = (index: number) =>
    `---\nname: s-${index}\ndescription: ${"Words. ".repeat(wordsIn(index))}End ${index}.\n---\n`;
  const names = Array.from({ length: count }, (_, index) => `s-${index}`);
  const files = names.map((name, index): [string, Entry] => [`${place}/${name}/SKILL.md`, text(index)]);
  const linked =
    links === undefined ? [] : names.map((name) => [`${links}/${name}`, { link: `../../${place}/${name}` }]);
  return {
    ".git/HEAD": "ref: refs/heads/main\n",
    "CLAUDE.md": "Be brief.\n",
    // No limit of ours is what this is about.
    ".codelia/config.json": '{ "skills": { "initial": { "maxEntries": 1000, "maxBytes": 1000000 } } }',
    ...Object.fromEntries([...files, ...linked]),
  };
}

/** Those whose whole description does not stand in what the model first read. */
function lostIn({ seenByModel }: ClientRun, count: number): number[] {
  const text = (seenByModel[0]?.seen ?? []).map((part) => part.text).join("\n");
  return Array.from({ length: count }, (_, index) => index).filter((index) => !text.includes(`End ${index}.`));
}

/** What was asked of the model, with its tools, whose descriptions may hold the skills. */
const bodies = ({ requests }: ClientRun) => requests.map(({ body }) => JSON.stringify(body));
/** Without an agent of the client's own that looks for what to remember, and that no hook hears of. */
const asking = (run: ClientRun) =>
  bodies(run).filter((body) => body.includes("Mark of plain.") && !body.includes("managed memory index"));

// Those that list skills with their descriptions and run the hooks of an installation.
const OTHERS = HARNESS.filter(({ name }) =>
  ["gemini", "qwen", "opencode", "kilo", "copilot", "kimi", "pi"].includes(name),
);

describe.each(OTHERS)("with $name", ({ name, client }) => {
  test.skipIf(client.missing !== undefined)(
    "each skill is told once",
    async () => {
      const played = await play(name, (tree, home) => runHarness(name, { tree, home, script: {} }));
      expect(asking(played).length).toBeGreaterThan(0);
      // Kimi Code cuts a long description: codelia gives the whole one.
      const names = name === "kimi" ? NAMES.filter((each) => each !== "longer") : NAMES;
      expect(asking(played).flatMap((body) => notOnce(body, names))).toEqual([]);
      expect(asking(played).filter((body) => !body.includes(LONG))).toEqual([]);
    },
    HARNESS_TEST_MS,
  );
});

describe.skipIf(CLAUDE.missing !== undefined)("with Claude Code", () => {
  test.each([...CLAUDE_MODELS])(
    "each skill is told once, by %s, in a sub-agent and after a compaction too",
    async (model) => {
      const agents = { "Look around.": [{ text: "Done." }], Explore: [{ text: "Done." }] };
      const script = { main: [{ toolUses: [spawn("Look around.")] }], agents };
      const played = await play("claude", (tree, home) =>
        runClaude({ tree, home, model, prompt: ["Go.", "/compact", "Go on."], script }),
      );
      const turns = played.seenByModel.filter(({ purpose }) => purpose === "turn");
      expect(new Set(turns.map(({ thread }) => thread)).size).toBe(2);
      expect(turns.flatMap(({ seen }) => notOnce(seen.map(({ text }) => text).join("\n")))).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  test.each([4, 8, 16])(
    "of %p linked skills none is lost where the client has little room for them",
    async (count) => {
      const files = manySkills(count, ".agents/skills", ".claude/skills");
      const model = "claude-sonnet-4-5";
      const played = await play("claude", (tree, home) => runClaude({ tree, home, model, prompt: "Go." }), files);
      expect(lostIn(played, count)).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  test.each([
    [4, 80],
    [2, 140],
  ])(
    "of %p linked skills with %p words each none is lost, though its own skills leave room for fewer",
    async (count, words) => {
      const files = manySkills(count, ".agents/skills", ".claude/skills", () => words);
      const model = "claude-sonnet-4-5";
      const played = await play("claude", (tree, home) => runClaude({ tree, home, model, prompt: "Go." }), files);
      expect(lostIn(played, count)).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );
});

describe.skipIf(CODEX.missing !== undefined)("with Codex", () => {
  test(
    "each skill is told once, in a sub-agent and after a compaction too",
    async () => {
      const script = {
        main: [
          { toolUses: [DIRECT_TOOLS.spawn("Look around.")] },
          { toolUses: [DIRECT_TOOLS.run("ls")], inputTokens: 200_000 },
        ],
        agents: { "Look around.": [{ text: "Done." }] },
      };
      const config = { model_auto_compact_token_limit: 100_000 };
      const played = await play("codex", (tree, home) => runCodex({ tree, home, prompt: "Go.", config, script }));
      expect(played.seenByModel.map(({ purpose }) => purpose)).toContain("compaction");
      const turns = played.seenByModel.filter(({ purpose }) => purpose === "turn");
      const seen = turns.map(({ thread, seen: all }) => [thread, notOnce(all.map(({ text }) => text).join("\n"))]);
      expect(seen.filter(([, wrong]) => wrong?.length)).toEqual([]);
      expect(new Set(turns.map(({ thread }) => thread)).size).toBe(2);
    },
    TEST_TIMEOUT_MS,
  );

  test.each([20, 100, 150])(
    "of %p skills none is lost where the client shortens their descriptions",
    async (count) => {
      const files = manySkills(count, ".agents/skills");
      const played = await play("codex", (tree, home) => runCodex({ tree, home, prompt: "Go.", script: {} }), files);
      expect(lostIn(played, count)).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );
});
