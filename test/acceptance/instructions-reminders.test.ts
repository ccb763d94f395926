import { expect, test } from "bun:test";
import { SystemReminderTypeSchema } from "../../src/instructions/schema.ts";
import { elementsNamed, parseFragment } from "../support/envelope.ts";
import { dir } from "../support/temp-tree.ts";
import { bench, file, resolveReminder, says, T0 } from "./agents-bench.ts";

// The exact text of reminders.

const BIG = "a long body\n".repeat(2000);

function reminderTree() {
  return bench({
    "repo/.git/": dir,
    "repo/AGENTS.md": file(BIG),
    "repo/a/AGENTS.md": file(BIG, T0 + 1),
    "repo/b/AGENTS.md": file(BIG, T0 + 3_000_000),
    "repo/feature/AGENTS.md": file(BIG),
    "repo/feature/sub/AGENTS.md": file(BIG, T0 + 1_000_000),
  });
}

test("every reminder has a known type and no large text", () => {
  using tree = reminderTree();
  tree.codelia(["init-context"], { cwd: "repo/a" });
  const reminders = [
    tree.codelia(["resolve", "feature/x.ts"]),
    tree.codelia(["resume-diff"], { cwd: "repo/b" }),
    tree.codelia(["trim", "--max-bytes", "10"], { stdin: "0123456789 0123456789\n" }),
  ];
  const types = reminders.map(({ stdout, exitCode }) => {
    expect(exitCode).toBe(0);
    expect(stdout.length).toBeLessThan(1000);
    const parsed = parseFragment(stdout);
    const [element] = parsed.ok ? elementsNamed("system-reminder", parsed.root) : [];
    return element?.attributes["type"] ?? "";
  });
  expect(types).toEqual(["agents.resolve.paths", "session.resume.diff", "tool.output.trimmed"]);
  for (const type of types) expect(SystemReminderTypeSchema.options).toContain(type as never);
});

test("an agents.resolve.paths reminder has exactly this text", () => {
  using tree = reminderTree();
  tree.codelia(["init-context"]);
  expect(tree.codelia(["resolve", "feature/sub/x.ts"])).toEqual(
    says(
      [
        '<system-reminder type="agents.resolve.paths">',
        "Additional AGENTS.md may apply for this path:",
        `- ${tree.path("repo/feature/AGENTS.md")} (mtime: 1738970000000)`,
        `- ${tree.path("repo/feature/sub/AGENTS.md")} (mtime: 1738971000000)`,
        "Read and apply these files before editing files in this scope.",
        "</system-reminder>",
        "",
      ].join("\n"),
    ),
  );
});

test("the mtime in a reminder is in whole milliseconds", () => {
  using tree = reminderTree();
  tree.touch("repo/AGENTS.md", T0 + 0.75);
  expect(tree.codelia(["resolve", "x.ts"])).toEqual(says(resolveReminder([[tree.path("repo/AGENTS.md"), T0]])));
});

test("a session.resume.diff reminder has exactly this text", () => {
  using tree = reminderTree();
  tree.codelia(["init-context"], { cwd: "repo/a" });
  expect(tree.codelia(["resume-diff"], { cwd: "repo/b" })).toEqual(
    says(
      [
        '<system-reminder type="session.resume.diff">',
        "Session resumed with context changes:",
        `- cwd: ${tree.path("repo/a")} -> ${tree.path("repo/b")}`,
        `- root: ${tree.path("repo")} -> ${tree.path("repo")}`,
        '- markers: [".codelia",".git",".jj"] -> [".codelia",".git",".jj"]',
        "Re-check AGENTS.md for current scope:",
        `- ${tree.path("repo/b/AGENTS.md")} (mtime: 1738973000000)`,
        "</system-reminder>",
        "",
      ].join("\n"),
    ),
  );
});

test("session.resume.diff names the former cwd, root and markers", () => {
  using tree = reminderTree();
  const session = ["--session", "s"];
  tree.codelia(["init-context", ...session], { cwd: "repo/a" });
  const { stdout } = tree.codelia(["resume-diff", ...session, "--root", tree.path("repo/b")], {
    cwd: "repo/b",
    env: { CODELIA_AGENTS_MARKERS: "go.mod" },
  });
  expect(stdout).toContain(`\n- cwd: ${tree.path("repo/a")} -> ${tree.path("repo/b")}\n`);
  expect(stdout).toContain(`\n- root: ${tree.path("repo")} -> ${tree.path("repo/b")}\n`);
  expect(stdout).toContain('\n- markers: [".codelia",".git",".jj"] -> ["go.mod"]\n');
});
