import { HELP_ARGS, usage } from "../cli/args.ts";
import {
  completeWords,
  COMPLETION_SCRIPTS,
  findVerb,
  fitting,
  type Candidate,
  type Completion,
} from "../cli/completion.ts";
import { VERBS } from "../cli/guide.ts";
import { CLIENT_NAMES } from "../clients/registry.ts";
import type { Command, LoadVerb, Outcome } from "../command.ts";
import { sessionNames } from "../ledger/read.ts";
import { visible } from "../lib/escape.ts";
import { withoutDisabled } from "../skills/permissions.ts";
import { discoverSkills } from "../skills/discover.ts";
import { bySignificance } from "../skills/skill.ts";
import { openWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { SCHEMA_NAMES } from "./schema.ts";

const ASKED = "candidates";
const SHELLS = Object.keys(COMPLETION_SCRIPTS);

/**
 * Prints the script for a shell; or, as `candidates`, which the scripts call with the words typed so far, one candidate a
 * line with its summary after a tab, and none where files are meant.
 *
 * @error  usage for an unknown shell; asking for candidates never fails
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
    if (script === undefined) return usage(`unknown shell '${visible(shell)}'; one of ${SHELLS.join(", ")}`);
    world.write(script);
    return "ok";
  },
};

async function tellCandidates(world: World, words: readonly string[], loadVerb: LoadVerb): Promise<Outcome> {
  const candidates = fitting(await candidatesFor(world, words, loadVerb), words.at(-1) ?? "");
  world.write(candidates.map(({ word, summary = "" }) => `${visible(word)}\t${visible(summary)}\n`).join(""));
  // No warnings while someone is typing.
  world.takeWarnings();
  return "ok";
}

async function candidatesFor(
  world: World,
  words: readonly string[],
  loadVerb: LoadVerb,
): Promise<readonly Candidate[]> {
  const found = findVerb(VERBS, words);
  if ("candidates" in found) return found.candidates;
  const loaded = await loadVerb(found.verb);
  if (loaded === undefined) return [];
  const completion = completeWords(loaded.command.args as Parameters<typeof completeWords>[0], found.rest);
  return completion.kind === "words" ? completion.words : lookAround(world, completion.kind);
}

/** Candidates that depend on what exists now: sessions, skills, … */
async function lookAround(world: World, kind: Exclude<Completion["kind"], "words">): Promise<readonly Candidate[]> {
  switch (kind) {
    case "file":
      return [];
    case "client":
      return CLIENT_NAMES.map((word) => ({ word }));
    case "schema":
      return SCHEMA_NAMES.map((word) => ({ word }));
    case "session":
      return [...sessionNames(await here(world), world.home).keys()].map((word) => ({ word }));
    case "context": {
      const contexts = [...sessionNames(await here(world), world.home).values()].flat();
      return [...new Set(contexts)].map((word) => ({ word }));
    }
    case "skill": {
      const workspace = await here(world);
      const { book } = await discoverSkills(world, workspace);
      const skills = withoutDisabled(book.all(), workspace.settings.skills.disabled);
      return bySignificance(skills).map(({ name, description }) => ({ word: name, summary: description }));
    }
  }
}

function here(world: World): Promise<Workspace> {
  const key = { session: "", context: "" };
  return openWorkspace(world, { cwd: undefined, root: undefined, noState: true, key });
}
