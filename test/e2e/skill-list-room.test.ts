import { describe, expect, test } from "bun:test";
import {
  assert,
  asyncProperty,
  constantFrom,
  integer,
  option,
  record,
  string,
  tuple,
  uniqueArray,
  type Arbitrary,
} from "fast-check";
import type { TempTree } from "../support/temp-tree.ts";
import { tempTree } from "../support/temp-tree.ts";
import { profile as claudeProfile } from "../../src/clients/claude/profile.ts";
import type { NativeClient, Part } from "../../src/clients/client.ts";
import { profile as codexProfile } from "../../src/clients/codex/profile.ts";
import type { ShownSkill } from "../../src/clients/skill-listing.ts";
import { diskFacts } from "../../src/clients/tree-facts.ts";
import { runClaude } from "./lib/claude.ts";
import { CLAUDE, CODEX } from "./lib/clients.ts";
import { codexPromptInput } from "./lib/codex.ts";

// What we say that a client lists of many skills, against what it lists, byte for byte. `E2E_CATALOGUES=200 npm run e2e --
// skill-list-room` looks at so many, and `E2E_SEED` at others.

const CATALOGUES = Number(process.env["E2E_CATALOGUES"] ?? 15);
const SEED = Number(process.env["E2E_SEED"] ?? 20_261_120);
const MS_PER_CATALOGUE = 6000;

/** A skill's directory and its header. */
interface Skill {
  readonly name: string;
  readonly description: string;
  /** Different from the directory's name. */
  readonly ownName: string | null;
  readonly when: string | null;
}

interface Catalogue {
  readonly skills: readonly Skill[];
  /** How much room there is, relative to what the catalogue needs; undefined: as much as the client has by default. */
  readonly percent?: number;
}

/** More than any client has room for by default. */
const MANY: Catalogue = {
  skills: Array.from({ length: 130 }, (_, index) => {
    const description = `Does ${"this and that, ".repeat(10 + (index % 20))}as number ${index}.`;
    return { name: `skill-${index}`, description, ownName: null, when: null };
  }),
};

// Claude Code ends a header at any three hyphens: those of the description are left out.
const LETTERS = [..."abcdefgh   ABC,.<>&éß…日本語한글😀✅"];
const word = (maxLength: number): Arbitrary<string> => string({ unit: constantFrom(...LETTERS), maxLength });

function anySkill(): Arbitrary<Skill> {
  return record({
    name: string({ unit: constantFrom(..."abcxyz019-"), minLength: 1, maxLength: 12 }).filter((name) =>
      /^[a-z0-9]/.test(name),
    ),
    description: tuple(word(40), integer({ min: 0, max: 45 })).map(([text, times]) => `D${text.repeat(times).trim()}`),
    ownName: option(constantFrom("other", "one-more", "a", "Two words", "日本.x:y"), { freq: 8 }),
    when: option(
      word(60).map((text) => `W${text.trim()}`),
      { freq: 6 },
    ),
  });
}

function anyCatalogue(): Arbitrary<Catalogue> {
  const skills = uniqueArray(anySkill(), { minLength: 1, maxLength: 60, selector: ({ name }) => name });
  return record({ skills, percent: integer({ min: 1, max: 130 }) });
}

const headerOf = ({ name, description, ownName, when }: Skill) =>
  [
    "---",
    `name: ${JSON.stringify(ownName ?? name)}`,
    `description: ${JSON.stringify(description)}`,
    ...(when === null ? [] : [`when_to_use: ${JSON.stringify(when)}`]),
    "---",
    "Text.",
    "",
  ].join("\n");

function treeOf({ skills }: Catalogue, place: string): TempTree {
  const files = skills.map((skill): [string, string] => [`${place}/${skill.name}/SKILL.md`, headerOf(skill)]);
  return tempTree({ ".git/HEAD": "ref: refs/heads/main\n", ...Object.fromEntries(files) });
}

interface Scene {
  readonly profile: Part<NativeClient>;
  readonly tree: TempTree;
  /** The project's directory of skills. */
  readonly place: string;
  /** The user's settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** What the profile says of a project whose user has no skills. */
function saidOf({ skills }: Catalogue, { profile, tree, place, settings }: Scene): readonly ShownSkill[] {
  using home = tempTree(settings);
  const facts = diskFacts({ processorTime: () => 0 });
  const listing = profile.skillListing(tree.root, { home: home.root, env: {} }, facts);
  const listed = skills.map(({ name, description, ownName, when }) => ({
    path: tree.path(`${place}/${name}/SKILL.md`),
    place: tree.path(place),
    header: { name: ownName ?? name, description, ...(when !== null && { when_to_use: when }) },
  }));
  return listing?.show?.(listed) ?? [];
}

const kindOf = ({ entry, shown, wanted }: ShownSkill) =>
  entry === undefined ? "left out" : shown === wanted ? "whole" : shown === 0 ? "bare" : "shortened";

/** Compares on many catalogues, and returns the kinds of what became of skills. */
async function compareAll(compare: (catalogue: Catalogue) => Promise<readonly ShownSkill[]>): Promise<string[]> {
  const kinds = new Set<string>();
  const property = asyncProperty(anyCatalogue(), async (catalogue) => {
    for (const skill of await compare(catalogue)) kinds.add(kindOf(skill));
  });
  await assert(property, { numRuns: CATALOGUES, seed: SEED, endOnFailure: true });
  return [...kinds].toSorted();
}

describe.skipIf(CLAUDE.missing !== undefined)("the list of skills of Claude Code and our profile of it", () => {
  test(
    `agree on ${CATALOGUES} catalogues`,
    async () => expect(await compareAll(compareInClaude)).toEqual(["bare", "whole"]),
    CATALOGUES * MS_PER_CATALOGUE + 60_000,
  );

  test("agree on the room that it has with its default model", async () => {
    const kinds = new Set((await compareInClaude(MANY)).map(kindOf));
    expect([...kinds].toSorted()).toEqual(["bare", "whole"]);
  });
});

async function compareInClaude(catalogue: Catalogue): Promise<readonly ShownSkill[]> {
  const place = ".claude/skills";
  using tree = treeOf(catalogue, place);
  const { skills, percent } = catalogue;
  if (percent !== undefined) {
    const needed = skills.reduce((sum, { description }) => sum + 20 + description.length, 0);
    const width = CLAUDE_OWN_WIDTH + Math.ceil((needed * percent) / 100);
    tree.write(".claude/settings.json", JSON.stringify({ env: { SLASH_COMMAND_TOOL_CHAR_BUDGET: String(width) } }));
  }
  const run = await runClaude({ tree, prompt: "Go." });
  const said = saidOf(catalogue, { profile: claudeProfile, tree, place });
  expect(said.map(({ entry }) => entry)).toEqual(claudeEntries(run.seenByModel[0]?.seen ?? []));
  return said;
}

const CLAUDE_OWN_WIDTH = 6200;
const CLAUDE_OWN = "\n- dataviz: ";

/** The entries of the project's skills, which stand before the client's own. */
function claudeEntries(seen: readonly { readonly text: string }[]): string[] {
  const text = seen.find((part) => part.text.includes(CLAUDE_OWN))?.text ?? "";
  const own = text.indexOf(CLAUDE_OWN);
  const start = text.lastIndexOf("\n\n", own);
  return text
    .slice(start, own)
    .split("\n")
    .filter((line) => line !== "");
}

describe.skipIf(CODEX.missing !== undefined)("the list of skills of Codex and our profile of it", () => {
  test(
    `agree on ${CATALOGUES} catalogues`,
    async () => expect(await compareAll(compareInCodex)).toEqual(["bare", "left out", "shortened", "whole"]),
    CATALOGUES * MS_PER_CATALOGUE + 60_000,
  );

  test("agree on the room that it has with its default model", async () => {
    const kinds = new Set((await compareInCodex(MANY)).map(kindOf));
    expect([...kinds].toSorted()).toEqual(["shortened"]);
  });
});

async function compareInCodex(catalogue: Catalogue): Promise<readonly ShownSkill[]> {
  const place = ".agents/skills";
  using tree = treeOf(catalogue, place);
  const { skills, percent } = catalogue;
  const needed = skills.reduce((sum, { description }) => sum + 10 + description.length / 4, 0);
  const tokens = percent === undefined ? undefined : Math.ceil((needed * percent) / 100);
  const config = tokens === undefined ? {} : { "skills.max_context_tokens": tokens };
  const { seen } = await codexPromptInput({ tree, config }, "Go.");
  const settings = { ".codex/config.toml": tokens === undefined ? "" : `[skills]\nmax_context_tokens = ${tokens}\n` };
  const said = saidOf(catalogue, { profile: codexProfile, tree, place, settings });
  expect(said.flatMap(({ entry }) => entry ?? [])).toEqual(codexEntries(seen));
  return said;
}

function codexEntries(seen: readonly { readonly text: string }[]): string[] {
  const text = seen.find((part) => part.text.includes("<skills_instructions>"))?.text ?? "";
  const list = text.slice(text.indexOf("### Available skills"));
  return list.split("\n").filter((line) => line.startsWith("- ") && !line.includes("(file: r0/"));
}
