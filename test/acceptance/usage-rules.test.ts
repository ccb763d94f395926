import { expect, test } from "bun:test";
import { dir } from "../support/temp-tree.ts";
import { bench, file } from "./agents-bench.ts";

// The rules about instruction files that a model gets before the files, sentence by sentence.

const RULES: readonly (readonly [rule: string, says: RegExp])[] = [
  ["that it has the files of the working directory", /those for the working directory are below\./],
  ["not to search for files in every turn", /Don't search for more:/],
  ["to ask only for new paths", /before you read or edit in another directory, run: \S*codelia resolve/],
  ["to read what is named, when it works there", /Read what it names once, before you work there\./],
  ["to read it once", /Read what it names once,/],
  [
    "to give precedence to what a resume says",
    /After a resume, a system-reminder of type session\.resume\.diff prevails\./,
  ],
  ["which files govern what", /govern their directory and all below it;.*Comply with each whose scope covers a file/],
  ["which file overrides which", /deeper overrides higher, the user overrides all\./],
];

test.each(RULES)("the usage rules tell a model %s", (_, says) => {
  using tree = bench({ "repo/.git/": dir, "repo/AGENTS.md": file("Root.\n") });
  const { stdout, stderr, exitCode } = tree.codelia(["init-context"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const [rules = "", rest = ""] = stdout.split("</agents_usage>\n");
  expect(rules).toStartWith("<agents_usage>\n");
  expect(rules).toMatch(says);
  expect(rest).toContain("\nRoot.\n");
});
