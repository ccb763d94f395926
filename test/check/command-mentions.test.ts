import { expect, test } from "bun:test";
import { commandMentions } from "../../src/check/command-mentions.ts";

/** Each command as `runner name`, with the package, and `?` if it may be a program. */
function read(text: string): string[] {
  return commandMentions(text).map(
    ({ runner, name, ofPackage, maybeProgram }) =>
      `${runner} ${name}${ofPackage === undefined ? "" : ` of ${ofPackage}`}${maybeProgram ? "?" : ""}`,
  );
}

const SPANS: [span: string, commands: string[]][] = [
  ["npm run lint", ["package lint"]],
  ["CI=1 npm run --silent lint -- --fix", ["package lint"]],
  ["npm test", ["package test"]],
  ["npm install", []],
  ["npm run lint --if-present", []],
  ["npm run -w web build", ["package build of web"]],
  ["pnpm --filter @acme/web run build", ["package build of @acme/web"]],
  ["pnpm --filter=web build", ["package build of web?"]],
  ["pnpm --filter './packages/*' build", []],
  ["pnpm --filter <package> test", []],
  ["pnpm -w run lint", ["package lint"]],
  ["yarn workspace web test:unit", ["package test:unit of web?"]],
  ["yarn clean-generated", ["package clean-generated?"]],
  ["bun run scripts/build.ts", []],
  ["npm run <script>", []],
  ["npm run foo", []],
  ["cd web && npm run build; make lint", ["package build", "make lint"]],
  ["make -j4 V=1 check", ["make check"]],
  ["make -C docs html", []],
  ["make sure", []],
  ["just --dry-run test unit", ["just test"]],
  ["just -f other.just test", []],
];
test.each(SPANS)("commandMentions() of `%s`", (span, commands) => {
  expect(read(`Run \`${span}\`.`)).toEqual(commands);
});

const NO_ADVICE = [
  "There is no `npm run lint` here.",
  "Use `biome` instead of `npm run lint`.",
  "Add a script `npm run lint`.",
  "Commands such as `npm run lint`.",
  "`npm run lint` was removed.",
  "`npm run lint` doesn't exist.",
];
test.each(NO_ADVICE)("commandMentions() finds nothing to run in: %s", (text) => {
  expect(read(text)).toEqual([]);
});

test("commandMentions() reads blocks of shell code, and of no language only whole commands", () => {
  const text = [
    "- In a list:",
    "",
    "  ```bash",
    "  $ npm run build # once",
    "  make lint # no longer works",
    "  ```",
    "",
    "```",
    "make check",
    "Then make everything: npm run x!",
    "```",
    "",
    "```yaml",
    "run: npm run other",
    "```",
    "",
  ].join("\n");
  expect(commandMentions(text).map(({ name, line, column }) => [name, line, column])).toEqual([
    ["build", 4, 5],
    ["check", 9, 1],
  ]);
});
