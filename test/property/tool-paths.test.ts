import { expect } from "bun:test";
import { isAbsolute, normalize } from "node:path";
import { anything, array, constantFrom, dictionary, oneof, property, string, type Arbitrary } from "fast-check";
import { commandPaths } from "../support/command-paths.ts";
import { pathsOfToolUse } from "../../src/touched/with-grammar.ts";
import { pathsOfPrompt } from "../../src/touched/prompt.ts";
import type { TouchedPath } from "../../src/touched/paths.ts";
import { anyPath, textWith } from "./arbitraries.ts";
import { testProperty } from "./fuzz.ts";

const PLACE = { cwd: "/r/s", home: "/home/u" };

const SHELL = (
  "cat |sed -i |grep -rn |git -C x diff -- |find . -exec |xargs |cd .. && |bash -c |rm |tee |cp -t |apply_patch |tar czf |" +
  "python3 -m |npm --prefix |sudo |env A=b |for x in a b; do |done|case $x in a) |esac|if |then |fi|[[ |]]|{ |}|( |)|$(|`|\"|'|\\|\n|" +
  " |;|&|&&|>|>>|<|<<EOF|<<'EOF'|EOF\n|<<<|2>&1|$x|${x}|${x:-|~/|$HOME|{a,b}|*|../|./|src/a.ts|--|-n|=|#|*** Begin Patch\n|*** Add File: a\n|{}"
).split("|");
SHELL.push("|", "||");

const TOOLS = [
  "Read",
  "Edit",
  "Bash",
  "Glob",
  "Grep",
  "LS",
  "shell",
  "exec_command",
  "apply_patch",
  "mcp__a__write_file",
  "",
];
const KEYS = [
  "path",
  "paths",
  "file_path",
  "command",
  "cmd",
  "pattern",
  "glob",
  "workdir",
  "cwd",
  "uri",
  "input",
  "source",
  "action",
];

function anyCommand(): Arbitrary<string> {
  return textWith(SHELL);
}

function expectSound(paths: readonly TouchedPath[]): void {
  expect(paths.length).toBeLessThanOrEqual(512);
  expect(new Set(paths.map(({ path }) => path)).size).toBe(paths.length);
  for (const { path, access } of paths) {
    expect(isAbsolute(path)).toBe(true);
    expect(normalize(path)).toBe(path);
    expect(path).not.toContain("\0");
    expect(["read", "write", "list"]).toContain(access);
  }
}

testProperty(
  "commandPaths() never throws and gives absolute, normalised paths, each once",
  property(anyCommand(), (command) => {
    const result = commandPaths(command, PLACE);
    expectSound(result?.paths ?? []);
    if (result?.cwdAfter !== undefined) expect(normalize(result.cwdAfter)).toBe(result.cwdAfter);
  }),
);

testProperty(
  "commandPaths() gives back any file that is quoted",
  property(anyPath(), (path) => {
    const normal = normalize(path);
    if (normal.length > 1000 || normal.startsWith("/dev/") || normal.includes("{}") || normal.endsWith("/")) return;
    // The grammar takes the ends of Windows's lines for those of other systems, also in quotes.
    if (normal.includes("\r\n")) return;
    const paths = commandPaths(`cd /x && cat -- ${shellQuote(normal)} | wc -l`, PLACE)?.paths;
    expect(paths).toEqual([
      { path: "/x", access: "list" },
      ...(normal === "/x" ? [] : [{ path: normal, access: "read" as const }]),
    ]);
  }),
);

testProperty(
  "a subshell moves nobody else",
  property(anyCommand(), (command) => {
    // A shell would take it for an option, and an argument that is a patch is read as one.
    if (command.includes("\0") || command.startsWith("-") || command.startsWith("***")) return;
    const alone = commandPaths(command, PLACE);
    const inside = commandPaths(`bash -c ${shellQuote(command)}`, PLACE);
    expect(inside?.cwdAfter).toBe(PLACE.cwd);
    if (alone === undefined) expect(inside?.paths.map(({ path }) => path)).toContain(PLACE.cwd);
  }),
);

testProperty(
  "pathsOfToolUse() never throws, whatever the input",
  property(
    constantFrom(...TOOLS),
    oneof(
      anything(),
      dictionary(constantFrom(...KEYS), oneof(anyCommand(), array(anyCommand()), anyPath(), anything())),
    ),
    (tool, input) => expectSound(pathsOfToolUse({ tool, input, ...PLACE })),
  ),
);

testProperty(
  "pathsOfPrompt() never throws",
  property(textWith(["@", "@src/a.ts", '@"', '"', "~/", "../", "#L1", "\\ ", ".", " "]), (text) => {
    expectSound(pathsOfPrompt(text, PLACE.cwd, PLACE.home));
  }),
);

testProperty(
  "a tool's name can be anything",
  property(string(), (tool) => expectSound(pathsOfToolUse({ tool, input: { path: "a", command: "cat b" }, ...PLACE }))),
);

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
