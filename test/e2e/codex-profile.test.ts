import { describe, expect, test } from "bun:test";
import { assert, asyncProperty } from "fast-check";
import { readFileSync } from "node:fs";
import type { Explanation } from "../../src/report/schema.ts";
import { ExplanationSchema } from "../../src/report/schema.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { CODEX } from "./lib/clients.ts";
import { CODEX_CONFIG, codexPromptInput } from "./lib/codex.ts";
import { anyCodexTree, type CodexTree } from "./lib/codex-trees.ts";

// What we say that Codex reads, against what it says itself, on trees of all kinds. `E2E_TREES=2000 npm run e2e -- codex-profile`
// looks at so many, and `E2E_SEED` at others.

const TREES = Number(process.env["E2E_TREES"] ?? 80);
const SEED = Number(process.env["E2E_SEED"] ?? 20_261_118);
const MS_PER_TREE = 2500;

describe.skipIf(CODEX.missing !== undefined)("Codex and our profile of it", () => {
  test(
    `agree byte for byte on ${TREES} trees`,
    async () => {
      const seen = new Set<string>();
      await assert(
        asyncProperty(anyCodexTree(), async (tree) => {
          for (const kind of await compare(tree)) seen.add(kind);
        }),
        { numRuns: TREES, seed: SEED, endOnFailure: false },
      );
      expect([...seen].toSorted()).toEqual(expect.arrayContaining(MUST_OCCUR));
    },
    TREES * MS_PER_TREE + 60_000,
  );
});

/** Without these the trees would not show what they are for. */
const MUST_OCCUR = [
  "cut budget",
  "left-out budget",
  "loaded reads-it",
  "nothing is read",
  "only the home's file",
  "shadowed earlier-name",
  "skipped blank",
  "skipped dangling-link",
  "skipped not-a-regular-file",
  "skipped other-failed",
  "skipped untrusted",
];

async function compare({ files, homeFiles, settings, trust, cwd }: CodexTree): Promise<string[]> {
  using tree = tempTree(files);
  using home = tempTree(homeFiles);
  const projects = Object.entries(trust).map(
    ([directory, level]) => `[projects.${JSON.stringify(place(tree, directory))}]\ntrust_level = "${level}"\n`,
  );
  home.write(".codex/config.toml", [...settings, CODEX_CONFIG, ...projects].join("\n"));
  const where = { cwd: place(tree, cwd), home: home.root };
  const { agentsMd = "" } = await codexPromptInput({ tree, home, cwd: where.cwd, trust: undefined }, "Go.");

  const told = runCodelia(["init-context", "--as", "codex", "--quiet"], where);
  expect(told).toEqual({ stdout: agentsMd, stderr: "", exitCode: 0 });
  const { stdout, stderr, exitCode } = runCodelia(["explain", "--as", "codex", "--json", "--quiet"], where);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const explained = ExplanationSchema.parse(JSON.parse(stdout)).clients[0]!;
  expect(readAsExplained(explained)).toBe(agentsMd);
  return kindsIn(explained, agentsMd);
}

/** Without what the shell adds: the directory as the tree names it. */
function place(tree: TempTree, directory: string): string {
  return directory === "." ? tree.root : tree.path(directory.replace(/\/$/, ""));
}

type Explained = Explanation["clients"][number];

/** The message that the explanation's files, in their order and with their bytes, make. */
function readAsExplained({ cwd, files }: Explained): string {
  const shown = files.filter(({ bytesShown }) => bytesShown > 0);
  const text = (path: string, bytes?: number) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(readFileSync(path).subarray(0, bytes));
  const home = shown.filter(({ origin }) => origin === "home").map(({ path }) => trim(text(path)));
  const project = shown
    .filter(({ origin }) => origin === "project")
    .map(({ path, bytesShown }) => text(path, bytesShown));
  if (shown.length === 0) return "";
  const body = [...home, ...(project.length === 0 ? [] : [project.join("\n\n")])].join("\n\n--- project-doc ---\n\n");
  const of = project.length === 0 ? "" : ` for ${cwd}`;
  return `# AGENTS.md instructions${of}\n\n<INSTRUCTIONS>\n${body}\n</INSTRUCTIONS>`;
}

function trim(text: string): string {
  return text.replaceAll(/^\p{White_Space}+|\p{White_Space}+$/gu, "");
}

function kindsIn({ files }: Explained, message: string): string[] {
  const all = files.map(({ status, reason }) => `${status} ${reason}`);
  if (message === "") all.push("nothing is read");
  if (message.startsWith("# AGENTS.md instructions\n")) all.push("only the home's file");
  return all;
}
