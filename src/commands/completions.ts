import { join } from "node:path";
import { RULES } from "../check/rules.ts";
import { HELP_ARGS, notFound } from "../cli/args.ts";
import {
  completeWords,
  COMPLETION_SCRIPTS,
  findVerb,
  fitting,
  type Candidate,
  type Completion,
} from "../cli/completion.ts";
import { countLeadingFlags, VERBS } from "../cli/guide.ts";
import { clientNames } from "../clients/registry.ts";
import type { Command, LoadVerb, Outcome } from "../command.ts";
import { sessionNames } from "../ledger/read.ts";
import { visible } from "../lib/escape.ts";
import { entriesOf } from "../lib/path-facts.ts";
import { bookOf } from "../skills/columns.ts";
import { discoverSkills } from "../skills/discover.ts";
import { withoutDisabled } from "../skills/permissions.ts";
import { rankSkills } from "../skills/rank.ts";
import { bySignificance, type Skill } from "../skills/skill.ts";
import { openWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { SCHEMA_NAMES } from "./schema.ts";

const ASKED = "candidates";
const SHELLS = Object.keys(COMPLETION_SCRIPTS);

/**
 * Prints the script for a shell. As `candidates`, which the scripts call with the words typed so far, prints one
 * candidate per line with its summary after a tab, and none if files are expected.
 *
 * @error  not_found for an unknown shell; `candidates` never fails
 */
export const command: Command = {
  meta: { name: "completions", description: "Print a shell completion script." },
  args: {
    shell: { type: "positional", description: `${SHELLS.join(", ")}; the scripts call '${ASKED} -- WORDS'` },
    ...HELP_ARGS,
  },
  maxOperands: Number.POSITIVE_INFINITY,
  async run(world, { operands }, loadVerb = () => undefined): Promise<Outcome> {
    const [shell = "", ...words] = operands;
    if (shell === ASKED) return tellCandidates(world, words, loadVerb);
    const script = Object.hasOwn(COMPLETION_SCRIPTS, shell) ? COMPLETION_SCRIPTS[shell] : undefined;
    if (script === undefined) return notFound(`unknown shell '${visible(shell)}'; one of ${SHELLS.join(", ")}`);
    world.write(script);
    return "ok";
  },
};

async function tellCandidates(world: World, words: readonly string[], loadVerb: LoadVerb): Promise<Outcome> {
  const candidates = await candidatesFor(world, words, loadVerb);
  world.write(candidates.map(({ word, summary = "" }) => `${visible(word)}\t${visible(summary)}\n`).join(""));
  // No warnings while the user is typing.
  world.takeWarnings();
  return "ok";
}

async function candidatesFor(
  world: World,
  words: readonly string[],
  loadVerb: LoadVerb,
): Promise<readonly Candidate[]> {
  const found = findVerb(VERBS, words.slice(Math.min(countLeadingFlags(words), words.length - 1)));
  const current = words.at(-1) ?? "";
  if ("candidates" in found) return fitting(found.candidates, current);
  const loaded = await loadVerb(found.verb);
  if (loaded === undefined) return [];
  const args = loaded.command.args as Parameters<typeof completeWords>[0];
  const { completion, kept } = completeWords(args, found.rest);
  const begun = current.slice(kept.length);
  if (completion.kind === "skill") return skillsFor(world, begun);
  const known = completion.kind === "words" ? completion.words : await lookAround(world, completion.kind);
  return fitting(known, begun).map(({ word, ...rest }) => Object.assign(rest, { word: kept + word }));
}

/** Candidates that depend on what exists now: sessions, skills, … */
async function lookAround(
  world: World,
  kind: Exclude<Completion["kind"], "words" | "skill">,
): Promise<readonly Candidate[]> {
  switch (kind) {
    case "file":
      return [];
    case "client":
      return clientNames().map((word) => ({ word }));
    case "shell":
      return SHELLS.map((word) => ({ word }));
    case "definition":
      return definitionsHere(await here(world));
    case "schema":
      return SCHEMA_NAMES.map((word) => ({ word }));
    case "rule":
      return RULES.map(({ id, summary }) => ({ word: id, summary }));
    case "session":
      return [...sessionNames(await here(world), world.home).keys()].map((word) => ({ word }));
    case "context": {
      const contexts = [...sessionNames(await here(world), world.home).values()].flat();
      return [...new Set(contexts)].map((word) => ({ word }));
    }
  }
}

/** The skills whose names begin with it; if there are none, those that a search finds, best first. */
async function skillsFor(world: World, current: string): Promise<readonly Candidate[]> {
  const workspace = await here(world);
  const { book } = await discoverSkills(world, workspace);
  const skills = bySignificance(withoutDisabled(book.all(), workspace.settings.skills.disabled));
  const asCandidate = ({ name, description }: Skill) => ({ word: name, summary: description });
  const begun = fitting(skills.map(asCandidate), current);
  if (begun.length > 0) return begun;
  const query = { text: current, path: undefined };
  return rankSkills(bookOf(skills), query, workspace.settings.skills.search.defaultLimit).results.map(({ skill }) =>
    asCandidate(skill),
  );
}

/** The agent definitions that can be named without their directory. */
async function definitionsHere({ root }: Workspace): Promise<readonly Candidate[]> {
  const { DEFINITIONS } = await import("../agent/definition/load.ts");
  const directories = entriesOf(join(root.directory, DEFINITIONS)).filter((entry) => entry.isDirectory());
  return directories.map(({ name }) => ({ word: name }));
}

function here(world: World): Promise<Workspace> {
  const key = { session: "", context: "" };
  return openWorkspace(world, { cwd: undefined, root: undefined, noState: true, key });
}
