import { expect, test } from "bun:test";
import { DEFAULT_SETTINGS } from "../../src/config/settings.ts";
import { profile as claudeProfile } from "../../src/clients/claude/profile.ts";
import { profile as codexProfile } from "../../src/clients/codex/profile.ts";
import { rawProfile } from "../../src/clients/raw-profile.ts";
import type { ReachedFile } from "../../src/report/schema.ts";
import { factsOf, type Thing } from "../support/table-facts.ts";

// What the clients do is asked of themselves, in test/e2e. Here stands what they can't be asked on every machine.

const PLACE = { home: "/home/u", env: {} };
const raw = rawProfile({ agents: DEFAULT_SETTINGS.agents, rootOf: () => "/r", homeDirectory: "/home/u/.codelia" });

function short(files: readonly ReachedFile[]): string[] {
  return files.map(({ path, status, reason }) => `${path} ${status} ${reason}`);
}

test("Codex reads the machine's config below the user's", () => {
  const facts = factsOf({
    "/r/.git": "x",
    "/r/AGENTS.md": "Root.",
    "/etc/codex/config.toml": { data: { project_doc_max_bytes: 2, project_doc_fallback_filenames: ["X.md"] } },
    "/home/u/.codex/config.toml": { data: { project_doc_max_bytes: 3 } },
  });
  const { budget, files } = codexProfile.reach("/r", PLACE, facts);
  expect([budget?.limitBytes, ...short(files)]).toEqual([3, "/r/AGENTS.md cut budget"]);
  expect(codexProfile.moreNames("/r", PLACE, facts)).toEqual(["X.md"]);
});

test("Codex reads nothing of a project where a file can't be asked for", () => {
  const facts = factsOf({ "/r/.git": "x", "/r/AGENTS.md": "Root.", "/r/a/AGENTS.md": { kind: "loop" }, "/r/a/x": "" });
  expect(short(codexProfile.reach("/r/a", PLACE, facts).files)).toEqual([
    "/r/AGENTS.md skipped other-failed",
    "/r/a/AGENTS.md skipped unreadable",
  ]);
});

test("a file that may not be read is neither blank nor too much: Codex ends its search at it, the others pass it over", () => {
  const facts = factsOf({
    "/home/u/.codelia/AGENTS.override.md": { unreadBytes: 5 },
    "/home/u/.codelia/AGENTS.md": "Home.",
    "/home/u/.codex/AGENTS.override.md": { unreadBytes: 5 },
    "/r/.git": "x",
    "/r/AGENTS.md": "Root.",
    "/r/a/AGENTS.md": { unreadBytes: 40_000 },
    "/r/a/b/AGENTS.md": "Below.",
  });
  const reached = [raw, codexProfile, claudeProfile].map((client) => short(client.reach("/r/a/b", PLACE, facts).files));
  expect(reached).toEqual([
    [
      "/home/u/.codelia/AGENTS.override.md skipped no-permission",
      "/home/u/.codelia/AGENTS.md loaded reads-it",
      "/r/AGENTS.md loaded reads-it",
      "/r/a/AGENTS.md skipped no-permission",
      "/r/a/b/AGENTS.md loaded reads-it",
    ],
    [
      "/home/u/.codex/AGENTS.override.md skipped no-permission",
      "/r/AGENTS.md skipped other-failed",
      "/r/a/AGENTS.md skipped unreadable",
      "/r/a/b/AGENTS.md skipped other-failed",
    ],
    ["/r/AGENTS.md loaded reads-it", "/r/a/AGENTS.md skipped no-permission", "/r/a/b/AGENTS.md loaded reads-it"],
  ]);
});

test("Claude Code reads what an administrator says first, excludes none of it, and lets it import nothing from elsewhere", () => {
  const facts = factsOf({
    "/etc/claude-code/CLAUDE.md": "Managed @m.md",
    "/etc/claude-code/m.md": "Not read.",
    "/etc/claude-code/.claude/rules/r.md": "Rule.",
    "/home/u/.claude/settings.json": { data: { claudeMdExcludes: ["/etc/**", "/r/**"] } },
    "/r/AGENTS.md": "Root.",
  });
  const reach = claudeProfile.reach("/r", PLACE, facts);
  expect(short(reach.files)).toEqual([
    "/etc/claude-code/CLAUDE.md loaded reads-it",
    "/etc/claude-code/m.md skipped outside-root",
    "/etc/claude-code/.claude/rules/r.md loaded reads-it",
    "/r/AGENTS.md skipped excluded",
  ]);
  expect(claudeProfile.text(reach, facts)).toContain("r.md (organization-managed policy instructions):\n\nRule.");
});

test("codelia passes over what it can't use, ignores dependencies, and cuts between characters", () => {
  const facts = factsOf({
    "/home/u/.codelia/AGENTS.override.md": " ",
    "/home/u/.codelia/AGENTS.md": "Home.",
    "/r/AGENTS.override.md": { kind: "unusable", reason: "no-permission" },
    "/r/AGENTS.md": `${"x".repeat(222_143)}é`,
    "/r/a/AGENTS.md": "The near. ".repeat(4000),
    "/r/a/node_modules/AGENTS.md": "Ignored.",
  });
  const { files, budget } = raw.reach("/r/a/node_modules", PLACE, facts);
  expect(short(files)).toEqual([
    "/home/u/.codelia/AGENTS.override.md skipped blank",
    "/home/u/.codelia/AGENTS.md loaded reads-it",
    "/r/AGENTS.md cut budget",
    "/r/AGENTS.override.md skipped no-permission",
    "/r/a/AGENTS.md loaded reads-it",
    "/r/a/node_modules/AGENTS.md skipped ignored-directory",
  ]);
  expect(budget).toEqual({ limitBytes: 262_144, usedBytes: 262_143 });
});

test("a thousand directories are judged in a moment", () => {
  const table: Record<string, Thing> = { "/r/.git": "x" };
  for (let index = 0; index < 100; index++) table[`/r/a${index % 10}/b${index}/AGENTS.md`] = "x".repeat(300);
  const facts = factsOf(table);
  const start = performance.now();
  for (let index = 0; index < 1000; index++) {
    const cwd = `/r/a${index % 10}/b${index % 100}`;
    for (const client of [raw, claudeProfile, codexProfile]) client.reach(cwd, PLACE, facts);
  }
  expect(performance.now() - start).toBeLessThan(3000);
});
