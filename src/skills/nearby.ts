import { basename, dirname } from "node:path";
import { framed } from "../instructions/elements.ts";
import { nameInShell } from "../lib/programs.ts";
import type { Announcement } from "../instructions/tell.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { chooseCatalogue, extendSkills } from "./catalogue.ts";
import { discoverSkills } from "./discover.ts";
import { withoutDisabled } from "./permissions.ts";
import { distinctForms, FORMS, inForm, listLines, NAMES } from "./listing.ts";
import { calling, GROUPS_RULE } from "./render.ts";
import { bySignificance, type Skill } from "./skill.ts";

/** The skills of directories that a session comes to after its start, by directory. */
export interface NearbySkills {
  readonly skills: ReadonlyMap<string, readonly Skill[]>;
  readonly limits: Workspace["settings"]["skills"]["initial"];
  /** How a shell calls codelia. */
  readonly program: string;
  /** The paths of those that the client itself lists with a later touch. */
  readonly later?: readonly string[];
}

/**
 * Finds the skills of some directories, without those that the context's start has listed.
 *
 * @param start where the context began
 * @param listed finds the paths of skills that the client itself lists
 */
export async function gatherNearby(
  world: World,
  workspace: Workspace,
  places: readonly string[],
  start: string,
  listed: (skills: readonly Skill[]) => Promise<ReadonlySet<string>>,
): Promise<NearbySkills> {
  const { disabled, initial } = workspace.settings.skills;
  const atStart = await discoverSkills(world, { ...workspace, cwd: start });
  const known = new Set(atStart.book.all().map(({ path }) => path));
  const skills = new Map<string, readonly Skill[]>();
  for (const place of places) {
    const { book } = await discoverSkills(world, { ...workspace, cwd: place });
    const own = book
      .all()
      .filter(({ path, scope, distance }) => scope === "repo" && distance === 0 && !known.has(path));
    const extended = await extendSkills(world, workspace, bySignificance(withoutDisabled(own, disabled)));
    const elsewhere = await listed(extended);
    skills.set(
      place,
      extended.filter(({ path }) => !elsewhere.has(path)),
    );
  }
  return { skills, limits: initial, program: nameInShell(world, "codelia") };
}

const HEADING =
  "More skills apply here. Load one before you begin a task that its description fits: codelia skills load &lt;path&gt;.\n";
/** A group may be this large. */
const SKILLS_IN_GROUP = 2000;

/**
 * The longest text about the skills of these directories that fits: with descriptions, with shortened ones, with the
 * directory given once, or names alone. If none fits, nothing is covered, and the next touch tries again.
 */
export function announceSkills(
  { skills, limits, program, later = [] }: NearbySkills,
  places: readonly string[],
  fits: (text: string) => boolean,
): Announcement {
  const found = places.flatMap((place) => skills.get(place) ?? []);
  const below = later.filter((path) => places.includes(dirname(dirname(path))));
  if (found.length + below.length === 0) return { text: "", covered: places };
  const { skills: shown, figures, isGrouped } = chooseCatalogue(found, limits, true);
  const more =
    figures.leftOut === 0
      ? ""
      : `${figures.leftOut} more are not shown: codelia skills list --cwd &lt;directory&gt;.\n`;
  const heading = found.length === 0 ? "" : calling(program, HEADING);
  const frame = (lines: string, others: string) =>
    framed("skills_nearby", heading + lines + calling(program, more) + others);
  for (const lines of versionsOf(shown, isGrouped === true)) {
    for (const others of laterTexts(below)) {
      const text = frame(lines, others);
      if (fits(text)) return { text, covered: places };
    }
  }
  return { text: "", covered: [] };
}

const LATER = "are listed to you once you read or edit a file here with a tool other than the shell";

/** The names of the skills that the client itself lists later, or how many they are. */
function laterTexts(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [""];
  const shown = paths.map((path) => ({ name: basename(dirname(path)), description: "", path, scope: "repo" as const }));
  const names = listLines(shown, NAMES, SKILLS_IN_GROUP).join("");
  return [`These skills ${LATER}:\n${names}`, `${paths.length} more skills ${LATER}.\n`];
}

function* versionsOf(skills: readonly Skill[], mustGroup: boolean): Generator<string> {
  if (skills.length === 0) return yield "";
  for (const form of distinctForms(skills, FORMS)) {
    if (mustGroup && !form.isGrouped) continue;
    const lines = listLines(inForm(skills, form), form, SKILLS_IN_GROUP);
    yield (form.isGrouped ? `${GROUPS_RULE}\n` : "") + lines.join("");
  }
}
