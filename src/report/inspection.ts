import { gatherInstructions, instructionFacts, targetsOf } from "../instructions/gather.ts";
import { locateLedger } from "../ledger/location.ts";
import { readLedger } from "../ledger/read.ts";
import type { Context, Ledger } from "../ledger/schema.ts";
import { visible } from "../lib/escape.ts";
import { counted } from "../lib/words.ts";
import { chooseCatalogue } from "../skills/catalogue.ts";
import { withoutDisabled } from "../skills/permissions.ts";
import { discoverSkills } from "../skills/discover.ts";
import { asLoadError, bySignificance, withId } from "../skills/skill.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { effectiveValues, renderValues, unusedConfigs } from "./values.ts";

type Inspection = Awaited<ReturnType<typeof inspect>>;
type InspectedFile = Inspection["instructions"]["files"][number];
type InspectedSkills = NonNullable<Inspection["skills"]>;

/** What applies in a directory: root, settings, instruction files, what was told, skills. */
export async function inspect(world: World, workspace: Workspace, withSkills: boolean) {
  const { cwd, root, layers } = workspace;
  return {
    cwd,
    root,
    config: { unusable: unusedConfigs(workspace), values: effectiveValues(layers) },
    instructions: await inspectInstructions(world, workspace),
    ledger: inspectLedger(world, workspace),
    ...(withSkills && { skills: await inspectSkills(world, workspace) }),
  };
}

async function inspectInstructions(world: World, workspace: Workspace) {
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
      // A blank file is never told.
      return { path, origin, mtimeMs, sizeBytes, isBlank: facts.isBlank(file) };
    }),
    passedOver,
  };
}

function inspectLedger(world: World, { root, userDirectories }: Workspace) {
  const location = locateLedger(root.directory, userDirectories, world.home);
  const read = readLedger(location);
  return {
    directory: location.directory,
    // Why the existing file is not used.
    problem: read.kind === "foreign" ? read.reason : null,
    sessions: read.kind === "ledger" ? read.ledger.sessions : {},
  };
}

async function inspectSkills(world: World, workspace: Workspace) {
  const { enabled, disabled, initial } = workspace.settings.skills;
  if (!enabled) return { skills: [], errors: [], warnings: [], truncated: false, initial: 0, disabled };
  const { book, errors, warnings, truncated } = await discoverSkills(world, workspace);
  const skills = bySignificance(withoutDisabled(book.all(), disabled));
  return {
    skills: skills.map(withId),
    errors: errors.map(asLoadError),
    warnings: warnings.map(asLoadError),
    truncated,
    // How many of them, from the start, a context is told when it begins.
    initial: chooseCatalogue(skills, initial).skills.length,
    disabled,
  };
}

/** The inspection as text. */
export function renderInspection({ cwd, root, config, instructions, ledger, skills }: Inspection): string {
  const reason = root.marker === undefined ? root.reason : `${root.reason} ${root.marker}`;
  const sessions = renderSessions(ledger.sessions);
  return [
    `cwd: ${visible(cwd)}\n`,
    `root: ${visible(root.directory)} (${visible(reason)})\n`,
    section("settings", renderValues(config.values) + asLines(config.unusable.map((path) => `not in use: ${path}`))),
    section(
      "instruction files",
      asLines([
        ...instructions.files.map(fileLine),
        ...instructions.passedOver.map(({ path, reason: why, by }) => `${path} (${why}${by ? ` by ${by}` : ""})`),
      ]),
    ),
    section(
      `ledger in ${visible(ledger.directory)}`,
      ledger.problem === null ? sessions : `not in use: ${visible(ledger.problem)}\n`,
    ),
    skills === undefined ? "" : section(skillsTitle(skills), skillLines(skills)),
  ].join("");
}

function section(title: string, body: string): string {
  return `\n${title}:\n${body === "" ? "(none)\n" : body}`;
}

function asLines(texts: readonly string[]): string {
  return texts.map((text) => `${visible(text)}\n`).join("");
}

function fileLine({ path, origin, mtimeMs, sizeBytes, isBlank }: InspectedFile): string {
  const what = [...(origin === "home" ? ["home"] : []), counted(sizeBytes, "byte"), `mtime: ${mtimeMs}`];
  return `${path} (${[...what, ...(isBlank ? ["blank"] : [])].join(", ")})`;
}

function skillsTitle({ skills, initial, truncated }: InspectedSkills): string {
  return `skills, ${initial} of ${skills.length} in the initial catalogue${truncated ? "; a limit ended the search" : ""}`;
}

function skillLines({ skills, errors, warnings, disabled }: InspectedSkills): string {
  return asLines([
    ...skills.map(({ name, scope, path }) => `${name} (${scope}) ${path}`),
    ...errors.map(({ path, message }) => `error ${path}: ${message}`),
    ...warnings.map(({ path, message }) => `warning ${path}: ${message}`),
    ...disabled.map((name) => `disabled ${name}`),
  ]);
}

/** What each context of each session was told, as text. */
export function renderSessions(sessions: Ledger["sessions"]): string {
  const lines: string[] = [];
  for (const [id, session] of Object.entries(sessions)) {
    lines.push(`${visible(id)}  in ${visible(session.cwd)}`);
    for (const [name, context] of Object.entries(session.contexts)) lines.push(...describeContext(name, context));
  }
  return lines.map((line) => `${line}\n`).join("");
}

function describeContext(name: string, context: Context): string[] {
  const files = Object.entries(context.loadedVersions).map(
    ([path, { mtimeMs, named }]) => `    ${named ? "named" : "told"} ${visible(path)} (mtime: ${mtimeMs})`,
  );
  const skills = Object.entries(context.loadedSkills).map(
    ([path, skill]) => `    ${skill.n > 0 ? "loaded" : "had loaded"} ${visible(path)} (mtime: ${skill.mtimeMs})`,
  );
  return [`  ${visible(name)}, epoch ${context.epoch}`, ...files, ...skills];
}
