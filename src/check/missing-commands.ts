import { isThere } from "../lib/path-facts.ts";
import { ladder } from "../lib/paths.ts";
import { groupBy } from "../lib/sorting.ts";
import { counted, nearest } from "../lib/words.ts";
import { resolve } from "node:path";
import { commandMentions, type CommandMention } from "./command-mentions.ts";
import { keptFindings, type Finding } from "./findings.ts";
import type { InstructionText } from "./instruction-files.ts";
import type { ProjectCommands } from "./project-commands.ts";
import { finding } from "./rules.ts";

/** The rule `instructions-missing-command`: commands of the project's own that the project does not have. */
export function missingCommands(
  { path, directory, text }: InstructionText,
  root: string,
  commands: ProjectCommands,
): Finding[] {
  // What runs in another project is there.
  const isHere = (place: string) =>
    /^\.{1,2}(?:\/|$)/.test(place) ||
    ladder(root, directory).some((start) => isThere(resolve(start, place))) ||
    commands.scriptsOf(place) !== undefined;
  const found = commandMentions(text).flatMap((mention) => {
    if (mention.place !== undefined && !isHere(mention.place)) return [];
    const missing = whatIsMissing(mention, commands);
    if (missing === undefined) return [];
    const { line, column, written } = mention;
    const concerns = MANIFESTS_OF[mention.runner];
    return [finding("instructions-missing-command", { path, line, column, ...missing, concerns, about: written })];
  });
  return keptFindings([...groupBy(found, ({ about }) => about).values()].flatMap(joined));
}

/** The same command in several lines is one finding. */
function joined([first, ...again]: readonly Finding[]): Finding[] {
  if (first === undefined) return [];
  const lines = new Set(again.map(({ line }) => line).filter((line) => line !== first.line)).size;
  return [lines === 0 ? first : { ...first, message: `${first.message} (also in ${counted(lines, "more line")})` }];
}

const MANIFESTS_OF = {
  package: ["package.json"],
  make: ["Makefile", "GNUmakefile"],
  just: ["justfile", ".justfile"],
} as const;

/** Among more names, none is looked for that is only spelled alike. */
const MAX_COMPARED = 1_000;

const KINDS = {
  package: ["script", "package.json"],
  make: ["target", "Makefile"],
  just: ["recipe", "justfile"],
} as const;

function whatIsMissing(
  { runner, name, maybeProgram, ofPackage, written }: CommandMention,
  commands: ProjectCommands,
): Pick<Finding, "message" | "remedy"> | undefined {
  const all = commands.names(runner);
  if (all === undefined || name === undefined) return undefined;
  const [kind, file] = KINDS[runner];
  if (ofPackage !== undefined) {
    const scripts = commands.scriptsOf(ofPackage);
    if (scripts === undefined || scripts.has(name)) return undefined;
    if (maybeProgram && !isNearlyRight(name, scripts)) return undefined;
    return {
      message: `'${written}': the package '${ofPackage}' has no script '${name}'`,
      remedy: remedyFor(kind, name, scripts),
    };
  }
  if (all.has(name) || (runner === "make" && commands.isMadeOtherwise(name))) return undefined;
  if (maybeProgram && !isNearlyRight(name, all)) return undefined;
  return { message: `'${written}': no ${file} here has a ${kind} '${name}'`, remedy: remedyFor(kind, name, all) };
}

/** Hardly a program has the letters of a script with other signs between them, or begins as some scripts do: `db:`. */
function isNearlyRight(name: string, names: ReadonlySet<string>): boolean {
  const family = name.slice(0, name.indexOf(":") + 1);
  return byLetters(names).has(lettersOf(name)) || (family !== "" && familiesOf(names).has(family));
}

const knownFamilies = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

function familiesOf(names: ReadonlySet<string>): ReadonlySet<string> {
  const all = knownFamilies.get(names) ?? new Set([...names].map((name) => name.slice(0, name.indexOf(":") + 1)));
  knownFamilies.set(names, all);
  return all;
}

/** Names can be very many, and are asked for again and again. */
const known = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, string>>();

/** The first name of each sequence of letters. */
function byLetters(names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const all = known.get(names) ?? new Map([...names].toReversed().map((name) => [lettersOf(name), name]));
  known.set(names, all);
  return all;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function remedyFor(kind: string, name: string, names: ReadonlySet<string>): string {
  const meant = byLetters(names).get(lettersOf(name)) ?? (names.size > MAX_COMPARED ? undefined : nearest(name, names));
  return meant === undefined ? `correct it or add the ${kind}` : `correct it: there is '${meant}'`;
}
