import { expect, setDefaultTimeout, test } from "bun:test";
import { tempTree } from "../support/temp-tree.ts";
import { newSoakAudit } from "./lib/soak-audit.ts";
import { compileFloors, playSoak } from "./lib/soak.ts";

setDefaultTimeout(60_000);

// The short form; `npm run reliability` plays 200 sessions × 5 sub-agents × 50 tool calls.
const PLAN = { sessions: 4, agents: 5, calls: 10, width: 16, seed: 1 };

test("sessions with their sub-agents, sixteen processes at once: told once each, none lost, nothing left", async () => {
  using tree = tempTree();
  const { calls, told, faults } = await playSoak({ ...PLAN, ...(await compileFloors(tree.root)) });
  expect(faults).toEqual([]);
  expect(calls).toBe(PLAN.sessions * PLAN.agents * PLAN.calls);
  expect(told).toBeGreaterThan(calls / 2);
});

// The judge is judged.
const RULES = ["/r/AGENTS.md", "/r/a/AGENTS.md"];
const telling = (...lines: readonly string[]) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: `${lines.join("\n")}\n` } });

test.each([
  ["what is told twice", [telling("- /r/AGENTS.md (mtime: 1)", "- /r/a/AGENTS.md (mtime: 1)"), telling("- /r/AGENTS.md (mtime: 1)")], "'/r/AGENTS.md' told to 's' again"],
  ["what is not told", [telling("- /r/AGENTS.md (mtime: 1)")], "'/r/a/AGENTS.md' not told to 's'"],
  ["what is told as it was before", [telling("- /r/AGENTS.md (mtime: 2)", "- /r/a/AGENTS.md (mtime: 1)"), telling("- /r/AGENTS.md (mtime: 1)")], "'/r/AGENTS.md' told to 's' in an older version"],
])("the audit finds %s", (_what, answers, fault) => {
  const audit = newSoakAudit(RULES, 1);
  audit.begun("s", "", [], audit.versions());
  for (const answer of answers) audit.answered("s", answer, RULES, audit.versions());
  expect(audit.faults).toEqual([fault]);
}); // prettier-ignore

test("the audit asks for a file's new version, and anew after a compaction", () => {
  const audit = newSoakAudit(RULES, 1);
  audit.begun("s", telling("Instructions from: /r/AGENTS.md", "Rules"), ["/r/a/AGENTS.md"], audit.versions());
  audit.answered("s", "", RULES, audit.versions());
  expect(audit.faults).toEqual([]);
  audit.changed("/r/AGENTS.md", 2);
  audit.answered("s", "", RULES, audit.versions());
  expect(audit.faults.splice(0)).toEqual(["'/r/AGENTS.md' not told to 's'"]);
  audit.begun("s", "", [], audit.versions());
  audit.answered("s", "", RULES, audit.versions());
  expect(audit.faults.length).toBe(2);
});

test("the audit takes a file that changed during a beginning for told in either version, once", () => {
  const audit = newSoakAudit(RULES, 1);
  const atStart = audit.versions();
  audit.changed("/r/AGENTS.md", 2);
  audit.begun("s", telling("Instructions from: /r/AGENTS.md", "Rules"), ["/r/a/AGENTS.md"], atStart);
  audit.answered("s", "", RULES, audit.versions());
  const newVersion = telling("- /r/AGENTS.md (mtime: 2)");
  audit.answered("s", newVersion, RULES, audit.versions());
  expect(audit.faults).toEqual([]);
  audit.answered("s", newVersion, RULES, audit.versions());
  expect(audit.faults).toEqual(["'/r/AGENTS.md' told to 's' again"]);
});
