import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limitParsing, PARSE_LIMIT_MS } from "../../src/lib/parse-limit.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { REPOSITORY } from "../support/run-codelia.ts";

const TOO_LONG = {
  kind: "unparsed",
  reason: "parsing it takes longer than 500 ms; make it smaller or simpler",
} as const;
/** For a parser that takes 500 ms, on a machine where others keep the processor busy. */
const ENDS_WITHIN_MS = 20_000;

function endless(): never {
  for (;;);
}

const NEVER_RETURNING: readonly (readonly [what: string, parse: () => never])[] = [
  ["loops", endless],
  [
    "catches what it can, and tries again",
    () => {
      for (;;) {
        try {
          endless();
        } catch {
          // Once more.
        } finally {
          endless();
        }
      }
    },
  ],
  [
    "fills the memory",
    () => {
      const all: string[] = [];
      for (;;) all.push(`${all.length}`);
    },
  ],
  [
    "calls itself twice each time",
    () => {
      const call = (depth: number): void => void (depth > 0 && (call(depth - 1), call(depth - 1)));
      call(100);
      return endless();
    },
  ],
];
for (const [what, parse] of NEVER_RETURNING) {
  test(
    `limitParsing() ends a parser that ${what}`,
    () => {
      expect(limitParsing(fakeWorld())(parse)).toEqual(TOO_LONG);
    },
    ENDS_WITHIN_MS,
  );
}

test("limitParsing() gives back what a parser says", () => {
  const data = { kind: "data", data: { a: 1 } } as const;
  expect(limitParsing(fakeWorld())(() => data)).toBe(data);
});

test("limitParsing() takes what a parser throws for a text that can't be parsed", () => {
  const deep = (depth: number): number => 1 + deep(depth + 1);
  expect(limitParsing(fakeWorld())(() => ({ kind: "data", data: deep(0) }))).toEqual({
    kind: "unparsed",
    reason: expect.stringMatching(/^its parser failed \(RangeError: /),
  });
});

test("limitParsing() parses nothing more once a parser was interrupted", () => {
  const limited = limitParsing(fakeWorld());
  expect(limited(endless)).toEqual(TOO_LONG);
  let called = 0;
  expect(limited(() => ({ kind: "data", data: called++ }))).toEqual({
    kind: "unparsed",
    reason: "the parser took longer than 500 ms for another file",
  });
  expect(called).toBe(0);
  expect(limitParsing(fakeWorld())(() => "read")).toBe("read");
});

test("limitParsing() parses again where others had the processor", () => {
  // The first call seems to have waited nearly all the time, as on a busy machine.
  let begun = 0;
  const parse = () => {
    begun++;
    const end = performance.now() + 1.5 * PARSE_LIMIT_MS;
    while (performance.now() < end);
    return "read";
  };
  expect(limitParsing({ processorTime: () => 0 })(parse)).toBe("read");
  expect(begun).toBe(2);
});

test(
  "limitParsing() gives up after some turns, however busy others keep the processor",
  () => {
    const begun = performance.now();
    expect(limitParsing({ processorTime: () => 0 })(endless)).toEqual(TOO_LONG);
    expect(performance.now() - begun).toBeGreaterThan(6 * PARSE_LIMIT_MS);
  },
  ENDS_WITHIN_MS,
);

test("limitParsing() leaves nothing behind, neither a name nor an interruption", async () => {
  const before = Reflect.ownKeys(globalThis);
  expect(limitParsing(fakeWorld())(endless)).toEqual(TOO_LONG);
  expect(Reflect.ownKeys(globalThis)).toEqual(before);
  await Promise.resolve();
  const end = performance.now() + 1.5 * PARSE_LIMIT_MS;
  while (performance.now() < end);
});

/** Where a parser is called without a limit, and why it may be. */
const UNLIMITED: Readonly<Record<string, string>> = {
  "src/config/edit.ts": "the user's own config",
  "src/clients/settings/data.ts": "parsed by readSettings before",
  "src/clients/settings/toml-tables.ts": "the user's own settings",
  "src/clients/settings/server-table.ts": "parsed by readSettings before",
  "src/clients/claude/plugin.ts": "parsed by readSettings before",
  "src/clients/claude/settings.ts": "a scanner, in one pass",
  "src/clients/codex/settings.ts": "parsed by readSettings before",
  "src/check/client-configs.ts": "parsed by readSettings before",
  "src/check/hooks.ts": "parsed by readSettings before",
  "src/clients/settings/install.ts": "parsed by readSettings before",
  "src/clients/settings/text.ts": "it is for texts that readSettings has parsed",
};
const PARSER = /["(](?:\.{1,2}\/)+(?:lib\/)?(?:yaml|jsonc|toml)\.ts"|\b(?:readSettingsText|locateByEnding)\b/;
/** Of a parser's file only its types. */
const TYPES = /^import type .*$/gm;

test("whoever calls a parser of a package has a limit for it, or a reason to have none", () => {
  const unlimited: string[] = [];
  for (const name of readdirSync(join(REPOSITORY, "src"), { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts") || /^lib\/(?:yaml|jsonc|toml)\.ts$/.test(name)) continue;
    const text = readFileSync(join(REPOSITORY, "src", name), "utf8");
    const callsParser = PARSER.test(text.replaceAll(TYPES, ""));
    if (callsParser && !/\/parse-limit\.ts"/.test(text)) unlimited.push(`src/${name}`);
  }
  expect(unlimited.toSorted()).toEqual(Object.keys(UNLIMITED).toSorted());
});
