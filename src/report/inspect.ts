import { effectiveValues } from "./effective-values.ts";
import type { Inspection, InspectedSkills } from "./inspection.ts";
import { chooseCatalogue } from "../skills/catalogue.ts";
import { withoutDisabled } from "../skills/disabled.ts";
import { bySignificance } from "../skills/order.ts";
import { asLoadError, withId } from "../skills/skill.ts";
import type { World } from "../world.ts";
import { gatherInstructions, targetsOf } from "../instructions/gather-instructions.ts";
import { instructionFacts } from "../instructions/facts.ts";
import { readLedger } from "../ledger/ledger-read.ts";
import { discoverSkills } from "../skills/discover.ts";
import { findStatePlace } from "../ledger/state-place.ts";
import type { Workspace } from "../workspace.ts";

/**
 * @input  withSkills: also the catalogue
 * @effect reads; remembers what it read of skills
 * @error  none
 */
export async function inspect(world: World, workspace: Workspace, withSkills: boolean): Promise<Inspection> {
  const { cwd, root, layers, configProblems } = workspace;
  return {
    cwd,
    root,
    config: { unusable: Object.keys(configProblems), values: effectiveValues(layers) },
    instructions: await inspectInstructions(world, workspace),
    ledger: inspectLedger(world, workspace),
    ...(withSkills ? { skills: await inspectSkills(world, workspace) } : {}),
  };
}

async function inspectInstructions(world: World, workspace: Workspace): Promise<Inspection["instructions"]> {
  const { files, passedOver, home } = await gatherInstructions(world, workspace, targetsOf(workspace, [workspace.cwd]));
  const facts = instructionFacts(world);
  const homeFile = home.find((file) => !facts.isBlank(file));
  const all =
    homeFile === undefined ? files : [homeFile, ...files.filter((file) => file.identity !== homeFile.identity)];
  return {
    files: all.map((file) => {
      const { path, version } = file;
      const { mtimeMs, sizeBytes } = version;
      const origin = file === homeFile ? "home" : "project";
      return { path, origin, mtimeMs, sizeBytes, isBlank: facts.isBlank(file) };
    }),
    passedOver,
  };
}

function inspectLedger(world: World, { root, places }: Workspace): Inspection["ledger"] {
  const place = findStatePlace(root.directory, places, world.home);
  const read = readLedger(place);
  return {
    directory: place.directory,
    problem: read.kind === "foreign" ? read.reason : null,
    sessions: read.kind === "ledger" ? read.ledger.sessions : {},
  };
}

async function inspectSkills(world: World, workspace: Workspace): Promise<InspectedSkills> {
  const { enabled, disabled, initial } = workspace.settings.skills;
  if (!enabled) return { skills: [], errors: [], warnings: [], truncated: false, initial: 0, disabled };
  const { book, errors, warnings, truncated } = await discoverSkills(world, workspace);
  const skills = bySignificance(withoutDisabled(book.all(), disabled));
  return {
    skills: skills.map(withId),
    errors: errors.map(asLoadError),
    warnings: warnings.map(asLoadError),
    truncated,
    initial: chooseCatalogue(skills, initial).skills.length,
    disabled,
  };
}
