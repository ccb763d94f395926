import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../support/run-codelia.ts";
import { describeCommands } from "./commands.ts";

// What the guides, the README and the workflows call exists: each verb, and each of its flags.

const commands = await describeCommands();
const flagsOf = new Map(
  commands.map(({ words, flags, common }) => [words, new Set([...flags, ...common].map(({ name }) => name))]),
);
const groups = new Set(commands.flatMap(({ words }) => (words.includes(" ") ? [words.split(" ")[0]] : [])));
const docs = readdirSync(join(REPOSITORY, "docs"), { recursive: true, encoding: "utf8" }).toSorted();
const pages = ["README.md", ...docs.map((name) => `docs/${name.replaceAll("\\", "/")}`)].filter((name) =>
  name.endsWith(".md"),
);

interface Call {
  readonly page: string;
  readonly verb: string;
  readonly flags: readonly string[];
}

test("every flag that a page calls a command with is one of that command's", () => {
  const calls = pages.flatMap((page) => callsIn(page, readFileSync(join(REPOSITORY, page), "utf8")));
  expect(calls.filter(({ flags }) => flags.length > 0).length).toBeGreaterThan(50);
  const wrong = calls.flatMap(({ page, verb, flags }) =>
    flags.filter((flag) => flagsOf.get(verb)?.has(flag) !== true).map((flag) => `${page}: codelia ${verb} ${flag}`),
  );
  // A page shows what becomes of a mistake.
  expect(wrong).toEqual(["docs/scripts.md: codelia resolve --sesion"]);
});

/** In blocks and in code within a sentence; of a pipe, what stands before the next program. */
function callsIn(page: string, text: string): Call[] {
  return Array.from(text.matchAll(/(?<![\w./-])codelia ((?:[a-z][a-z-]*)(?: [^`\n|;&<>#]*)?)/g), ([, words = ""]) => {
    const [verb = "", second = ""] = words.split(" ");
    const name = groups.has(verb) && flagsOf.has(`${verb} ${second}`) ? `${verb} ${second}` : verb;
    return { page, verb: name, flags: words.match(/(?<=\s)--[a-z][a-z-]*/g) ?? [] };
  }).filter(({ verb }) => flagsOf.has(verb));
}
