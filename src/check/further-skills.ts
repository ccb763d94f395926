import { basename, dirname, join } from "node:path";
import { withSkillsOnlyIn } from "../clients/own-names.ts";
import type { SkillProblem } from "../skills/skill.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { publishedSkills, surveyPublished } from "./published-skills.ts";
import { surveyFrom, type Surveyed } from "./skill-survey.ts";
import { seenIn, type WalkedRepository } from "./walk.ts";

export interface FurtherSkills {
  readonly surveyed: readonly Surveyed[];
  /** The names of the directories of published ones. */
  readonly published: readonly string[];
  /** The directories that they are in. */
  readonly directories: readonly string[];
}

/**
 * The skills of a project that codelia tells nobody of: those of single clients, and those that it publishes. Clients ask
 * less of their headers.
 *
 * @param ownSkills where clients look for skills, from each directory
 */
export async function furtherSkills(
  world: World,
  workspace: Workspace,
  walked: WalkedRepository,
  ownSkills: readonly string[],
): Promise<FurtherSkills> {
  const nobody = { ...world, home: "" };
  const isSeen = seenIn(walked);
  const places = walked.skillDirectories.filter((place) => ownSkills.some((name) => isSeen(place, name)));
  const ofClients = await surveyFrom(nobody, withSkillsOnlyIn(ownSkills, workspace), places);
  const known = new Set(ofClients.map(({ path }) => path));
  const { paths, directories } = publishedSkills(workspace.root.directory, walked);
  const published = await surveyPublished(
    world,
    paths.filter((path) => !known.has(path)),
  );
  const own = places.flatMap((place) =>
    ownSkills.filter((name) => isSeen(place, name)).map((name) => join(place, name)),
  );
  return {
    surveyed: [...ofClients, ...published].map(asOfClient),
    published: paths.map((path) => basename(dirname(path))),
    directories: own.concat(directories.filter((path) => isSeen(path, "."))),
  };
}

/** Clients ask less of the headers of their own skills, and their fields are their own. */
function asOfClient(surveyed: Surveyed): Surveyed {
  const problems: SkillProblem[] = [];
  for (const problem of surveyed.problems) {
    if (problem.rule === "skill-header") problems.push({ ...problem, severity: "warning" });
    else if (!FREE_IN_CLIENTS.has(problem.rule) && !isLinkToOtherName(problem)) problems.push(problem);
  }
  return { ...surveyed, problems, duplicate: undefined };
}

/** A SKILL.md may be a link to any file, which clients read as they read others. */
function isLinkToOtherName({ rule, message }: SkillProblem): boolean {
  return rule === "skill-unreadable" && message.startsWith("it is a link to '");
}

const FREE_IN_CLIENTS: ReadonlySet<string> = new Set([
  "skill-name",
  "skill-name-directory",
  "skill-description",
  "skill-field",
]);
