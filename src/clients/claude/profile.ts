import { basename, dirname, join } from "node:path";
import { MAX_IMPORT_DEPTH } from "../../instructions/imports.ts";
import { matchesPath } from "../../lib/brace-glob.ts";
import { isInside, ladder, wholeLadder, withSlashes } from "../../lib/paths.ts";
import { valueAt } from "../../lib/table.ts";
import type { ReachedFile } from "../../report/schema.ts";
import type { NativeClient, Part, UserEnvironment, TreeFacts } from "../client.ts";
import { treeOfLinked } from "../loading-rules.ts";
import { loaded, sizeOf } from "../reached.ts";
import {
  memoryAt,
  readMemoryFiles,
  rulesIn,
  saysSomething,
  type Exclusion,
  type MemoryRules,
  type MemoryStep,
} from "./memory.ts";
import { ownFiles, skillsFor, skillsIn, type RulesPlace, type SkillPlaces } from "./own-files.ts";
import { listingOptions, ROOM_SETTING, roomFor, shownInClaude } from "./listing.ts";
import { loaderIn, type Loader } from "./loader.ts";
import { configDirectory, LOCAL_MEMORY, managedDirectory, MEMORIES, RULES, SKILLS, stateFile } from "./files.ts";

const AGENTS = ["AGENTS.md", join(".claude", "AGENTS.md")];
/** The limit for the patterns of all settings together, in characters: each is matched against each file. */
const MAX_GLOBS = 16_384;
/** The tools that load files further down, and the only one of them that also loads AGENTS.md. */
const LOADING_TOOLS: ReadonlySet<string> = new Set(["Read", "Edit", "Write"]);
const AGENTS_TOOL = "Read";
/** A longer file that is mentioned may be given in part. */
const MAX_MENTIONED_BYTES = 20_000;
const OPENING =
  "Codebase and user instructions are shown below. Be sure to adhere to these instructions. IMPORTANT: These instructions OVERRIDE any default behavior and you MUST follow them exactly as written.";

/**
 * Claude Code, as of 2.1.326. It reads an administrator's files, the user's files, then the files of each directory
 * from the file system's root down to the working directory, each followed by its imports. It reads AGENTS.md only if
 * no CLAUDE.md in these directories has any text. Links in the path of the working directory are resolved first.
 */
export const profile: Part<NativeClient> & Required<Pick<NativeClient, "listsBelow">> = {
  goesByNames: false,
  names: [...MEMORIES, LOCAL_MEMORY, ...AGENTS],
  ownNames: MEMORIES,
  ownSkills: [SKILLS],
  moreNames: () => [],
  reach(lexical, user, facts) {
    const session = sessionIn(lexical, user, facts);
    const files = readMemoryFiles(startSteps(session, facts), session, facts);
    return { cwd: session.cwd, root: null, budget: null, files };
  },
  onTouch(lexical, { tool, path, how }, user, facts) {
    if (!LOADING_TOOLS.has(tool) && how === undefined) return [];
    const nested = readWith(path, tool === AGENTS_TOOL || how === "mention", sessionIn(lexical, user, facts), facts);
    const size = how === "mention" ? sizeOf(facts.at(path)) : 0;
    // The text of a mentioned file comes with the prompt.
    return size > 0 && size <= MAX_MENTIONED_BYTES ? [loaded(path, "project", size), ...nested] : nested;
  },
  loadsFor(lexical, path, user, facts) {
    const session = sessionIn(lexical, user, facts);
    const own = ownFiles(readWith(path, true, session, facts), rulesPlaces(session, path), session, facts);
    const places = projectSkills(session.cwd, facts);
    const skills = skillsFor(session.cwd, path, places, facts);
    const empty = skillsBelow(session.cwd, path).filter((directory) => {
      return facts.at(directory)?.kind === "directory" && skillsIn(directory, places.tree, facts).length === 0;
    });
    return { files: [...own.files, ...skills.files], settled: [...own.settled, ...skills.settled, ...empty] };
  },
  listsWith(lexical, { tool, path, how }, _, facts) {
    if (!LOADING_TOOLS.has(tool) && how !== "mention") return [];
    const cwd = facts.realPath(lexical) ?? lexical;
    const { files } = skillsFor(cwd, path, projectSkills(cwd, facts), facts);
    return [...files.map((skill) => skill.path), ...profile.listsBelow(lexical, path, facts)];
  },
  listsBelow(lexical, path, facts) {
    const cwd = facts.realPath(lexical) ?? lexical;
    const tree = treeOf(cwd, facts);
    return skillsBelow(cwd, path).flatMap((directory) => skillsIn(directory, tree, facts).map((skill) => skill.path));
  },
  skillDirectories(lexical, user, facts) {
    const cwd = facts.realPath(lexical) ?? lexical;
    return [...projectSkills(cwd, facts).directories, join(configDirectory(user), "skills")];
  },
  skillListing(lexical, user, facts) {
    const cwd = facts.realPath(lexical) ?? lexical;
    const directories = profile.skillDirectories(cwd, user, facts);
    const options = listingOptions([...settingsFor(cwd, user, facts).layers.values()], user);
    return {
      directories,
      levels: 1,
      skips: ["user-only-loosely", "conditional"],
      isSkipped: ({ path }) => options.isSetTo(basename(dirname(path)), "off", "user-invocable-only"),
      room: roomFor(options),
      over: "drops",
      show: (skills) => shownInClaude(skills, directories, options),
      setting: ROOM_SETTING,
    };
  },
  text({ files }, facts) {
    const shown = files.filter(({ bytesShown }) => bytesShown > 0);
    if (shown.length === 0) return "";
    const byPath = new Map(shown.map((file) => [file.path, file]));
    const texts = shown.map((file) => {
      const { text } = memoryAt(file.path, file.bytesTotal, facts);
      return `Contents of ${file.path} (${labelOf(file, byPath)}):\n\n${text}`;
    });
    return `<system-reminder>\n${[OPENING, ...texts].join("\n\n")}\n</system-reminder>`;
  },
};

/** Where the directories between that of a session and a file may have skills. */
function skillsBelow(cwd: string, path: string): string[] {
  if (!isInside(cwd, path)) return [];
  return ladder(cwd, dirname(path))
    .slice(1)
    .map((directory) => join(directory, SKILLS));
}

function projectSkills(cwd: string, facts: TreeFacts): SkillPlaces {
  const tree = treeOf(cwd, facts);
  return { directories: ladder(tree, cwd).map((directory) => join(directory, SKILLS)), tree };
}

/** What it reads with a file that it did not read at the start of the session; nothing for a file elsewhere. */
function readWith(path: string, withAgents: boolean, session: Session, facts: TreeFacts): readonly ReachedFile[] {
  if (!isInside(session.cwd, path)) return [];
  const start = startSteps(session, facts);
  const further = ladder(session.cwd, dirname(path))
    .slice(1)
    .flatMap((directory) => {
      // Further down, a CLAUDE.md hides AGENTS.md only in its own directory.
      const silence = session.silence ?? silenceIn([directory], session, facts);
      const steps = stepsIn(directory, silence, session, facts);
      return withAgents ? steps : steps.filter((step) => !joinAll(directory, AGENTS).includes(step.path));
    });
  const before = new Set(readMemoryFiles(start, session, facts).map(keyOf));
  const all = readMemoryFiles([...start, ...further], { ...session, touched: path }, facts);
  return all.filter((file) => !before.has(keyOf(file)));
}

function keyOf({ path, status, reason }: ReachedFile): string {
  return `${path}\0${status}\0${reason ?? ""}`;
}

/** The directories of rules, and those that their patterns are relative to. */
function rulesPlaces({ cwd, own }: Session, path: string): RulesPlace[] {
  const directories = [...wholeLadder(cwd), ...ladder(cwd, dirname(path)).slice(1)];
  return [
    { place: join(own, "rules"), ruleFor: cwd },
    ...directories.map((directory) => ({ place: join(directory, RULES), ruleFor: directory })),
  ];
}

/** An imported file has the label of the file that imports it. */
function labelOf(file: ReachedFile, byPath: ReadonlyMap<string, ReachedFile>): string {
  let named = file;
  while (named.origin === "import") {
    const above = byPath.get(named.by ?? "");
    if (above === undefined) break;
    named = above;
  }
  if (named.origin === "managed") return "organization-managed policy instructions";
  if (named.origin === "home") return "user's private global instructions for all projects";
  return named.path.endsWith(LOCAL_MEMORY)
    ? "user's private project instructions, not checked in"
    : "project instructions, checked into the codebase";
}

function memory(paths: readonly string[], origin: ReachedFile["origin"], isFree: boolean): MemoryStep[] {
  return paths.map((path) => ({ path, origin, isFree }));
}

interface Session extends Options {
  readonly cwd: string;
  readonly home: string;
  readonly own: string;
  readonly maxDepth: number;
  /** Why AGENTS.md is not read in any directory. */
  readonly silence: MemoryStep["refused"];
}

function sessionIn(lexical: string, user: UserEnvironment, facts: TreeFacts): Session {
  const cwd = facts.realPath(lexical) ?? lexical;
  const options = readOptions(cwd, user, facts);
  const { isOff, mode, by } = options.loader;
  const session = { ...options, cwd, home: user.home, own: configDirectory(user), maxDepth: MAX_IMPORT_DEPTH };
  const isWithout = isOff || mode === "claude-md" || mode === "managed-only";
  const silence = isWithout ? { reason: "switched-off" as const, by } : silenceIn(wholeLadder(cwd), session, facts);
  return { ...session, silence };
}

function silenceIn(
  directories: readonly string[],
  { own, isOther, exclusionOf, loader }: Omit<Session, "silence">,
  facts: TreeFacts,
): MemoryStep["refused"] {
  if (loader.mode === "claude-md-and-agents-md") return undefined;
  const speaking = directories
    .flatMap((directory) => joinAll(directory, [...(isOther(directory) ? [] : MEMORIES), LOCAL_MEMORY]))
    .find((path) => path !== join(own, "CLAUDE.md") && exclusionOf(path) === undefined && saysSomething(path, facts));
  return speaking === undefined ? undefined : { reason: "silenced", by: speaking };
}

function startSteps(session: Session, facts: TreeFacts): MemoryStep[] {
  const { cwd, own, loader } = session;
  const managed = managedDirectory(facts);
  const isHere = (path: string) => isInside(cwd, path);
  return [
    ...memory([join(managed, "CLAUDE.md")], "managed", false),
    ...rulesIn(join(managed, RULES), cwd, isHere, "managed", facts),
    ...refuse(
      [
        ...memory([join(own, "CLAUDE.md")], "home", true),
        ...rulesIn(join(own, "rules"), cwd, isHere, "home", facts),
        ...wholeLadder(cwd).flatMap((directory) => stepsIn(directory, session.silence, session, facts)),
      ],
      loader.mode === "managed-only" ? { reason: "switched-off", by: loader.by } : undefined,
    ),
  ];
}

function stepsIn(directory: string, silence: MemoryStep["refused"], options: Options, facts: TreeFacts): MemoryStep[] {
  const at = (...names: readonly string[]) => memory(joinAll(directory, names), "project", false);
  const checkedIn = options.isOther(directory) ? { reason: "other-worktree" as const } : undefined;
  const shared = at(...MEMORIES).concat(rulesIn(join(directory, RULES), directory, options.isWithin, "project", facts));
  return refuse(shared, checkedIn).concat(at(LOCAL_MEMORY), refuse(at(...AGENTS), checkedIn ?? silence));
}

function joinAll(directory: string, names: readonly string[]): string[] {
  return names.map((name) => join(directory, name));
}

function refuse(steps: readonly MemoryStep[], refused: MemoryStep["refused"]): MemoryStep[] {
  return steps.map((step) => (refused === undefined ? step : { ...step, refused }));
}

interface Options {
  readonly exclusionOf: MemoryRules["exclusionOf"];
  readonly loader: Loader;
  /** Whether a file may be imported: outside the project only if the user approved it. */
  readonly isWithin: (realPath: string) => boolean;
  /** Whether a directory belongs to the main working tree, not to the session's linked one. */
  readonly isOther: (directory: string) => boolean;
}

function readOptions(cwd: string, user: UserEnvironment, facts: TreeFacts): Options {
  const tree = treeOf(cwd, facts);
  const { layers, personal } = settingsFor(cwd, user, facts);
  const globs = [...layers.values()]
    .flatMap((layer) => valueAt(layer, "claudeMdExcludes") ?? [])
    .filter((glob) => typeof glob === "string");
  const mainTree = mainTreeOf(tree, facts);
  return {
    exclusionOf: exclusions(globs),
    loader: loaderIn(layers, personal),
    isWithin: (path) => isInside(cwd, path) || mayLeave([cwd, tree], user, facts),
    isOther: (directory) => mainTree !== undefined && isInside(mainTree, directory) && !isInside(tree, directory),
  };
}

interface Settings {
  /** The data of each file, in the order in which they overrule each other. */
  readonly layers: ReadonlyMap<string, unknown>;
  /** The files of the user and of an administrator. */
  readonly personal: readonly string[];
}

function settingsFor(cwd: string, user: UserEnvironment, facts: TreeFacts): Settings {
  const mine = join(configDirectory(user), "settings.json");
  const managed = join(managedDirectory(facts), "managed-settings.json");
  const places = [
    mine,
    join(cwd, ".claude", "settings.json"),
    // A session below the root reads the user's own settings in the root, but not the shared ones.
    ...[...new Set([treeOf(cwd, facts), cwd])].map((directory) => join(directory, ".claude", "settings.local.json")),
    managed,
  ];
  return { layers: new Map(places.map((path) => [path, facts.data(path)])), personal: [mine, managed] };
}

/** A pattern that we can't read may exclude a file. A hook then tells the file: at worst it is repeated, never lost. */
function exclusions(globs: readonly string[]): MemoryRules["exclusionOf"] {
  const known = new Map<string, Exclusion | undefined>();
  const isTooMuch = globs.reduce((sum, glob) => sum + glob.length + 1, 0) > MAX_GLOBS;

  function match(path: string): Exclusion | undefined {
    if (isTooMuch) return "maybe-excluded";
    const verdicts = new Set(globs.map((glob) => matchesPath(glob, withSlashes(path))));
    return verdicts.has(true) ? "excluded" : verdicts.has(undefined) ? "maybe-excluded" : undefined;
  }

  return (path) => {
    if (!known.has(path)) known.set(path, match(path));
    return known.get(path);
  };
}

/** Whether the user lets one of these projects import files from elsewhere. */
function mayLeave(projects: readonly string[], user: UserEnvironment, facts: TreeFacts): boolean {
  const state = facts.data(stateFile(user));
  const approval = "hasClaudeMdExternalIncludesApproved";
  return projects.some((project) => valueAt(state, "projects", project, approval) === true);
}

/** The repository's working tree, or the directory itself if there is none. */
function treeOf(cwd: string, facts: TreeFacts): string {
  return wholeLadder(cwd).findLast((directory) => facts.at(join(directory, ".git")) !== undefined) ?? cwd;
}

/** The main working tree of a linked one, if it contains the linked one. */
function mainTreeOf(tree: string, facts: TreeFacts): string | undefined {
  const main = treeOfLinked(tree, facts);
  return main !== undefined && main !== tree && isInside(main, tree) ? main : undefined;
}
