import { expect, test } from "bun:test";
import { chmodSync, linkSync, renameSync, statSync, writeFileSync } from "node:fs";
import { expectAnswer, expectSilence } from "./lib/expect-answer.ts";
import { openStage, readLedger, type Stage } from "./lib/stage.ts";
import { ask } from "./lib/two-roots.ts";

// A file whose text has changed under the same time and size is told again; one of which only the mode, the links or
// the name changed and changed back is not.

const [FILE] = ["repo/a/AGENTS.md"];

/** Another text of the same length, with the time that the file had. */
function swap(stage: Stage, text: string): void {
  const path = stage.tree.path(FILE);
  const { mtimeMs, size } = statSync(path);
  if (text.length !== size) throw new Error("another size would tell it");
  writeFileSync(path, text);
  stage.tree.touch(FILE, mtimeMs);
}

const TEXT = "Rules of 'a'.\n";
const OTHER_TEXT = "Other of 'b'.\n";

const FIRST: readonly (readonly [how: string, args: readonly string[]])[] = [
  ["by name", ["resolve", "a/x.ts"]],
  ["by its text", ["init-context", "--cwd", "a"]],
];
for (const [how, args] of FIRST) {
  test(`a file that was told ${how} and gets another text under the same time and size is told again, once`, async () => {
    using stage = openStage();
    const mtimeMs = stage.touch();
    await stage.run([...args, "--session", "s"]);
    const told = { files: stage.files.slice(1), mtimeMs };
    for (const text of [OTHER_TEXT, TEXT]) {
      swap(stage, text);
      expectAnswer(await ask(stage, "s"), told);
      expectSilence(await ask(stage, "s"));
    }
  });

  test(`a file that was told ${how} is not told again for its mode, a link to it, or a way and back`, async () => {
    using stage = openStage();
    stage.touch();
    await stage.run([...args, "--session", "s"]);
    const [path, away] = [stage.tree.path(FILE), stage.tree.path("away")];
    const changes: readonly (() => void)[] = [
      () => chmodSync(path, 0o600),
      () => linkSync(path, away),
      () => renameSync(path, `${path}.x`),
      () => renameSync(`${path}.x`, path),
      () => swap(stage, TEXT),
    ];
    for (const [index, change] of changes.entries()) {
      change();
      if (index !== 2) expectSilence(await ask(stage, "s"));
    }
    // What the disk says of it now is recorded: the next call has nothing to write.
    const before = statSync(stage.state("session.json"));
    expectSilence(await ask(stage, "s"));
    expect(statSync(stage.state("session.json")).ino).toBe(before.ino);
  });
}

test("a file that is known only by its path stays so when its mode changes", async () => {
  using stage = openStage({
    config: { agents: { resolver: { gate: "edit" } } },
    entries: { "repo/CLAUDE.md": "Be brief.\n", "repo/a/CLAUDE.md": "Be brief.\n" },
  });
  stage.touch();
  const hook = async (tool_name: string) => {
    const event = {
      hook_event_name: "PreToolUse",
      session_id: "s",
      cwd: stage.repository,
      tool_name,
      tool_input:
        tool_name === "Edit" ? { file_path: stage.tree.path("repo/a/x.ts") } : { path: stage.tree.path("repo/a") },
    };
    const call = stage.start(["hook", "claude"], { waitsForInput: true });
    call.feed(JSON.stringify(event));
    return (await call.ending).stdout;
  };
  expect(await hook("LS")).toContain(`- ${stage.files[1]} (mtime: `);
  chmodSync(stage.tree.path(FILE), 0o600);
  expect(await hook("LS")).toBe("");
  const context = readLedger(stage).sessions["s"]?.contexts["main"];
  expect(context?.loadedVersions[stage.files[1] ?? ""]?.named).toBe(true);
  chmodSync(stage.tree.path(FILE), 0o644);
  expect(await hook("Edit")).toContain('"permissionDecision":"deny"');
});

test("for a file that an earlier version told, only time and size count", async () => {
  using stage = openStage();
  stage.touch();
  await ask(stage, "s");
  const ledger = readLedger(stage);
  for (const version of Object.values(ledger.sessions["s"]?.contexts["main"]?.loadedVersions ?? {})) {
    delete version.ctimeMs;
    delete version.digest;
  }
  writeFileSync(stage.state("session.json"), JSON.stringify(ledger));
  swap(stage, OTHER_TEXT);
  expectSilence(await ask(stage, "s"));
});

test("a text that is too long for a digest is told again whatever changes of it", async () => {
  using stage = openStage();
  writeFileSync(stage.tree.path(FILE), `${"x".repeat(1100 * 1024)}\n`);
  const mtimeMs = stage.touch();
  await ask(stage, "s");
  expectSilence(await ask(stage, "s"));
  const path = stage.tree.path(FILE);
  writeFileSync(path, `${"y".repeat(1100 * 1024)}\n`);
  stage.tree.touch(FILE, mtimeMs);
  expectAnswer(await ask(stage, "s"), { files: stage.files.slice(1), mtimeMs });
});
