import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { COMMON_FLAGS, describeCommands } from "./commands.ts";
import { RULE_PAGES } from "../../src/check/rule-pages.ts";
import { generatedPages, rulePages } from "./pages.ts";

const pages = await generatedPages();
const commands = await describeCommands();

test.each([...pages])("docs/%s is that of the program (npm run reference writes it)", (name, text) => {
  expect(readFileSync(join(REPOSITORY, "docs", name), "utf8")).toBe(text);
});

test("the program has the pages of the rules (npm run reference writes them into it)", () => {
  expect(RULE_PAGES).toEqual(rulePages());
});

test.each(commands.map((command) => [command.words, command] as const))(
  "every flag that the help of '%s' shows is documented, and every documented one exists",
  (words, { flags, common }) => {
    const { stdout } = runCodelia([...words.split(" "), "--help"], { cwd: REPOSITORY, home: REPOSITORY });
    const shown = new Set(stdout.match(/(?<![\w-])--[a-z][a-z-]*/g));
    const documented = [...flags, ...common].map(({ name }) => name);
    const inDescriptions = new Set(
      [...flags, ...COMMON_FLAGS].flatMap(({ summary }) => summary.match(/--[a-z-]+/g) ?? []),
    );
    expect([...shown].filter((flag) => !documented.includes(flag) && !inDescriptions.has(flag))).toEqual([]);
    expect(documented.filter((flag) => !shown.has(flag))).toEqual([]);
  },
);

test("every config key says what it is for", () => {
  const section = pages.get("reference.md")?.split("## Configuration\n")[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((row) => row.split(" | ").at(-1)?.replace("|", "").trim() === "")).toEqual([]);
});

const man = spawnSync("man", ["--version"]).error === undefined;
describe.skipIf(!man)(`man${man ? "" : " (there is none here)"}`, () => {
  const show = (page: string) =>
    spawnSync("man", ["--warnings", "-l", join(REPOSITORY, "docs", page)], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", MANPAGER: "cat", MANWIDTH: "100" },
    });

  test.each([...pages.keys()].filter((page) => page.endsWith(".1")))("shows %s without a complaint", (page) => {
    const { stderr, status } = show(page);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  });

  test("shows every command, and a command's flags with an example", () => {
    const { stdout } = show("man/codelia.1");
    for (const { words } of commands) expect(stdout).toContain(`codelia ${words}`);
    const check = show("man/codelia-check.1").stdout;
    for (const text of ["--fail-on", "--root", "codelia check packages/api --as claude,codex"]) {
      expect(check).toContain(text);
    }
  });
});
