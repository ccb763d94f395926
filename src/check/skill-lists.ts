import { basename, dirname, join } from "node:path";
import type { ClientProfile, NativeClient, TreeFacts } from "../clients/client.ts";
import { loadProfiles } from "../clients/registry.ts";
import { seenSkills, type ListedSkill, type ShownSkill, type SkillListing } from "../clients/skill-listing.ts";
import { diskFacts, factsWithin } from "../clients/tree-facts.ts";
import { limitParsing } from "../lib/parse-limit.ts";
import { isInside, withSlashes } from "../lib/paths.ts";
import { groupBy } from "../lib/sorting.ts";
import { isTable, type Table } from "../lib/table.ts";
import { lossyText } from "../lib/text.ts";
import { counted } from "../lib/words.ts";
import { parseYaml } from "../lib/yaml.ts";
import { HEADER_READ_BYTES, readLooseHeader, readPlainHeader, splitHeader } from "../skills/header.ts";
import type { World } from "../world.ts";
import type { Finding } from "./findings.ts";
import { otherProjects } from "./other-projects.ts";
import { finding } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";

/** With more, nobody counts on what the list says. */
const MAX_SKILLS = 5000;
/** A client that shortens descriptions by more characters on average leaves too little of some. */
const TOLERATED_LOSS = 100;
const MAX_NAMED = 3;

/**
 * The rule `client-list-full`: what clients leave out of the list of a project's skills that they give their model. The
 * user's own skills don't count.
 *
 * @param hooked the names of the clients that have codelia's hooks, which tell what is left out of skills that codelia finds
 */
export async function checkSkillLists(
  world: World,
  scene: CheckScene,
  clients: readonly ClientProfile[],
  hooked: ReadonlySet<string>,
): Promise<FamilyCheck> {
  const { root, walked, workspace } = scene;
  const facts = factsWithin(root, diskFacts(world));
  const read = headerReader(world, facts);
  const isOfAnother = otherProjects(root);
  const places = [...new Set([root, ...walked.skillDirectories])]
    .filter((place) => place === root || !isOfAnother(`${place}/.agents`))
    .toSorted((left, right) => left.length - right.length);
  const natives = (await loadProfiles()).filter(({ name }) => clients.some((client) => client.name === name));
  const findings = natives.flatMap((client) => {
    const full: string[] = [];
    return places.flatMap((place) => {
      // A session further down has these skills too.
      if (full.some((above) => isInside(above, place))) return [];
      const listing = client.skillListing(place, { home: world.home, env: world.env }, facts);
      if (listing?.show === undefined) return [];
      const skills = skillsIn(listing, scene, facts, read);
      const { directories } = workspace.settings.skills;
      const isTold = ({ path }: ShownSkill) => {
        const real = withSlashes(facts.realPath(path) ?? path);
        return hooked.has(client.name) && directories.some((own) => real.includes(`/${own}/`));
      };
      const shown = listing.show(skills).filter((skill) => !isTold(skill));
      const concerns = new Set(skills.flatMap(({ path }) => [path, facts.realPath(path) ?? path]));
      if (listing.setting !== undefined) concerns.add(join(place, listing.setting[1]));
      const where = place === root ? "" : `in '${place}', `;
      const found = fullList({ client, listing, skills, shown, where, concerns: [...concerns] });
      if (found.length > 0) full.push(place);
      return found;
    });
  });
  return { findings, checked: [] };
}

type HeaderReader = (path: string) => Table | undefined;

/** Reads the header of a skill as its author meant it; undefined if there is none. */
function headerReader(world: World, facts: TreeFacts): HeaderReader {
  const limited = limitParsing(world);
  const known = new Map<string, Table | undefined>();
  function read(path: string): Table | undefined {
    const text = lossyText(facts.start(path, HEADER_READ_BYTES));
    const split = splitHeader(text, text.length < HEADER_READ_BYTES);
    if (split.kind !== "header") return undefined;
    const plain = readPlainHeader(split.header);
    if (plain !== undefined) return plain;
    const parsed = limited(() => parseYaml(split.header));
    return parsed.kind === "data" && isTable(parsed.data) ? parsed.data : readLooseHeader(split.header);
  }
  return (path) => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path);
  };
}

/** The project's skills that a client lists, each once. */
function skillsIn(
  listing: SkillListing,
  { root, walked }: Pick<CheckScene, "root" | "walked">,
  facts: TreeFacts,
  read: HeaderReader,
): ListedSkill[] {
  const directories = listing.directories.filter((directory) => isInside(root, directory));
  const isFollowed = (real: string) => isInside(root, real);
  const { seen = [] } = seenSkills(isFollowed, { ...listing, directories }, facts, MAX_SKILLS) ?? {};
  const unique = new Map(seen.filter(({ path }) => !walked.isIgnored(path)).map((skill) => [skill.realPath, skill]));
  return [...unique.values()].flatMap(({ path, place }) => {
    const header = read(path);
    return header === undefined ? [] : [{ path, place, header }];
  });
}

interface CheckedList {
  readonly client: NativeClient;
  readonly listing: SkillListing;
  readonly skills: readonly ListedSkill[];
  readonly shown: readonly ShownSkill[];
  /** How the message begins. */
  readonly where: string;
  readonly concerns: readonly string[];
}

function fullList({ client, listing, skills, shown, where, concerns }: CheckedList): Finding[] {
  const { name, title } = client;
  const { setting } = listing;
  const lost = shown.filter((skill) => skill.entry === undefined || skill.shown < skill.wanted);
  const out = lost.filter(({ entry }) => entry === undefined);
  const bare = lost.filter((skill) => skill.entry !== undefined && skill.shown === 0);
  const short = lost.filter((skill) => skill.shown > 0);
  const loss = lost.reduce((sum, skill) => sum + skill.wanted - skill.shown, 0);
  if (out.length + bare.length === 0 && loss <= TOLERATED_LOSS * shown.length) return [];
  const of = `of ${counted(shown.length, "skill")}`;
  const longest = Math.max(...short.map((skill) => skill.shown));
  const what = [
    ...(out.length === 0 ? [] : [`leaves out ${out.length} ${of} (${named(out)})`]),
    ...(bare.length === 0 ? [] : [`lists ${bare.length} ${of} without a description (${named(bare)})`]),
    ...(short.length === 0
      ? []
      : [`cuts ${short.length} ${of} to ${longest} characters of description (${named(short)})`]),
  ];
  const verbose = shown.toSorted((left, right) => right.wanted - left.wanted).slice(0, MAX_NAMED);
  const shorten = out.length > 0 ? "" : `shorten the longest descriptions (${named(verbose)}), `;
  const raise = setting === undefined ? "" : `, or raise '${setting[0]}' in '${setting[1]}'`;
  const byPlace = groupBy(lost, ({ path }) => skills.find((skill) => skill.path === path)?.place ?? dirname(path));
  const [[place] = [""]] = [...byPlace].toSorted(([, left], [, right]) => right.length - left.length);
  return [
    finding("client-list-full", {
      path: place,
      about: name,
      message: `${where}${title} ${what.join(" and ")}: its list of skills has no room for more`,
      remedy: `${shorten}remove skills that nobody needs${raise}`,
      places: lost.map(({ path }) => path),
      concerns,
    }),
  ];
}

/** "'a', 'b', 'c' and 2 more" */
function named(skills: readonly ShownSkill[]): string {
  const first = skills.slice(0, MAX_NAMED).map(({ path }) => `'${basename(dirname(path))}'`);
  return `${first.join(", ")}${skills.length > MAX_NAMED ? ` and ${skills.length - MAX_NAMED} more` : ""}`;
}
