import { resolve } from "node:path";
import { repositoryBase } from "../check/print.ts";
import { OUTPUT_ARGS, PLACE_ARGS, notFound, textFlag, usage } from "../cli/args.ts";
import { showProgress } from "../cli/progress.ts";
import { ownProfile } from "../clients/choose.ts";
import { loadProfiles, loadRecordReaders } from "../clients/registry.ts";
import { diskFacts, factsWithin } from "../clients/tree-facts.ts";
import type { Command, Invocation, Outcome } from "../command.ts";
import { readMemory } from "../instructions/memory-text.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { isDirectory, isRegularFile, realPathOf, statOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { anyOf } from "../lib/words.ts";
import { FAILURES, isFailure, renderAudit, renderAuditGithub, type Failure } from "../report/audit-text.ts";
import { auditContext, indexTexts, moved, readTexts, recognise, recordFiles, type Audited } from "../report/audit.ts";
import { surveyProject, type Project } from "../report/explain.ts";
import type { Audit } from "../report/schema.ts";
import { discoverSkills } from "../skills/discover.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * @input  transcripts: clients' records of sessions
 * @effect with `--html` writes that file
 * @error  usage for a file that is not such a record, and if the page can't be written; findings if a write was made without what `--fail-on` names
 */
export const command: Command = {
  meta: {
    name: "audit",
    description: "Show whether the model had the instruction files that applied each time it wrote.",
  },
  args: {
    transcript: {
      type: "positional",
      valueHint: "TRANSCRIPT…",
      description: "the record of a session: Claude Code's transcript or Codex's rollout",
    },
    "fail-on": {
      type: "enum",
      options: [...FAILURES, "never"],
      description:
        "exit 1 if a write lacked a file that applied (missing), or had only its name (named), another version (stale) or a part of it (cut); default never",
    },
    at: {
      type: "string",
      valueHint: "REV",
      description: "compare with the instruction files of this commit; default those in the working tree",
    },
    format: {
      type: "enum",
      options: ["text", "json", "github"],
      description: "how to print it; github: annotations of the writes that lacked something",
    },
    html: { type: "string", valueHint: "FILE", description: "write an HTML page to FILE instead" },
    ...PLACE_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: Number.POSITIVE_INFINITY,
  async run(world, invocation): Promise<Outcome> {
    const { flags, operands } = invocation;
    if (operands.length === 0) return usage("'codelia audit' needs a transcript; see 'codelia audit --help'");
    const asked = textFlag(flags["format"]);
    if (flags["json"] === true && asked !== undefined && asked !== "json") {
      return usage("'--json' and '--format' contradict each other");
    }
    const sessions: Audit["sessions"] = [];
    let base = "";
    for (const operand of operands) {
      const audited = await auditSession(world, invocation, operand);
      if ("code" in audited) return audited;
      sessions.push(audited.session);
      base = audited.base;
    }
    const audit: Audit = { sessions };
    const failure = (textFlag(flags["fail-on"]) ?? "never") as Failure | "never";
    const page = textFlag(flags["html"]);
    if (page !== undefined) {
      const { writeAuditPage } = await import("../report/page/audit-page.ts");
      const outcome = writeAuditPage(world, audit, page);
      if (outcome !== "ok") return outcome;
    } else if (flags["json"] === true || asked === "json") world.write(jsonLine(audit));
    else if (asked === "github") {
      world.write(renderAuditGithub(audit, failure === "never" ? "cut" : failure, failure !== "never", base));
    } else world.write(renderAudit(audit));
    const writes = sessions.flatMap(({ contexts }) => contexts.flatMap((context) => context.writes));
    return failure !== "never" && writes.some((write) => isFailure(write, failure)) ? "findings" : "ok";
  },
};

async function auditSession(world: World, invocation: Invocation, operand: string) {
  const path = realPathOf(resolve(world.cwd(), operand));
  if (path === undefined) return notFound(`'${visible(operand)}' does not exist`);
  const readers = await loadRecordReaders();
  const found = isRegularFile(path) ? recognise(path, readers) : undefined;
  if (found === undefined) {
    return usage(`'${visible(operand)}' is not a session record of ${anyOf(readers.map(({ title }) => title))}`);
  }
  const { flags } = invocation;
  const asked = textFlag(flags["cwd"]);
  if (asked === undefined && !isDirectory(found.cwd)) {
    return usage(
      `'${visible(operand)}' was recorded in '${visible(found.cwd)}', which does not exist; name the tree with '--cwd'`,
    );
  }
  const placed = { ...invocation, flags: { ...flags, cwd: asked ?? found.cwd } };
  return inWorkspace(world, placed, async (workspace) => {
    const revision = textFlag(flags["at"]);
    const tree = revision === undefined ? undefined : await treeAt(world, workspace, revision);
    if (tree !== undefined && "kind" in tree) return usage(`'--at' can't be used: ${visible(tree.reason)}`);
    const inSession = (each: string) => moved(each, workspace.cwd, found.cwd);
    const skills = await skillsIn(world, workspace);
    const own = tree === undefined ? await ownFilesOf(world, workspace, found.title) : undefined;
    const index = indexTexts(
      tree?.texts ?? new Map([...(own?.texts ?? []), ...presentTexts(world, workspace)]),
      readTexts(skills.map((skill) => skill.path)),
      inSession,
    );
    const records = recordFiles(path, found.record);
    const progress = progressOf(world, flags["quiet"] === true, records);
    const audited: Audited = {
      reader: found.record,
      index,
      recordedCwd: found.cwd,
      tree,
      skills: skills.map((skill) => ({ ...skill, path: inSession(skill.path) })),
      skillCounts: new Map(skills.map((skill) => [inSession(skill.path), { listed: 0, loaded: 0 }])),
      ownFor: own?.applyingTo,
      advance: progress?.add,
    };
    const contexts = [];
    for (const file of records) contexts.push(await auditContext(world, workspace, audited, file));
    progress?.end();
    const counts = skills.map(({ name, path: at }) => {
      const { listed, loaded } = audited.skillCounts.get(inSession(at)) ?? { listed: 0, loaded: 0 };
      return { name, path: at, listed, loaded };
    });
    const session = { record: path, client: found.title, root: workspace.root.directory, contexts, skills: counts };
    return { session, base: repositoryBase(world, workspace) };
  });
}

async function treeAt(world: World, workspace: Workspace, revision: string) {
  const { readTreeAt } = await import("../report/tree-at.ts");
  return readTreeAt(world, workspace, revision);
}

function presentTexts(world: World, workspace: Workspace): ReadonlyMap<string, string> {
  return readTexts(pathsIn(surveyProject(world, workspace, [ownProfile(world, workspace)])));
}

/** The files that clients read anywhere in a project, each once. */
function pathsIn({ places }: Project): string[] {
  const paths = places.flatMap(({ clients }) => clients.flatMap(({ files }) => files.map((file) => file.path)));
  return [...new Set(paths)];
}

/** The instruction files of a client's own that it reads below the start of a session, as its model gets them. */
async function ownFilesOf(world: World, workspace: Workspace, title: string) {
  const profile = (await loadProfiles()).find((each) => each.title === title);
  if (profile?.loadsFor === undefined) return undefined;
  const facts = factsWithin(workspace.root.directory, diskFacts(world));
  const paths = pathsIn(surveyProject(world, workspace, [profile], [], facts));
  const inside = paths.filter((path) => isInside(workspace.root.directory, path));
  const texts = new Map([...readTexts(inside)].map(([path, text]) => [path, readMemory(text).text]));
  const applyingTo = (path: string) =>
    (profile.loadsFor?.(workspace.cwd, path, world, facts).files ?? []).flatMap((file) =>
      file.saysNothing || file.skill !== undefined ? [] : file.path,
    );
  return { texts, applyingTo };
}

/** The project's skills; the user's own are not part of the tree. */
async function skillsIn(world: World, workspace: Workspace) {
  if (!workspace.settings.skills.enabled) return [];
  const { book } = await discoverSkills(world, workspace);
  const own = book.all().filter(({ scope }) => scope === "repo");
  return own.map(({ name, description, path }) => ({ name, description, path }));
}

const MEGABYTE = 1024 * 1024;

function progressOf(world: World, isQuiet: boolean, records: readonly string[]) {
  const all = records.reduce((sum, record) => sum + (statOf(record)?.size ?? 0), 0);
  const inMegabytes = (bytes: number) => Math.round(bytes / MEGABYTE);
  return showProgress(world, isQuiet, (bytes) => `${inMegabytes(bytes)} of ${inMegabytes(all)} MB`);
}
