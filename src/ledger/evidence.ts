import { join } from "node:path";
import { disk } from "../lib/fs.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Change } from "./changes.ts";
import { findContext, type ContextKey } from "./contexts.ts";
import { owedTo } from "./delivery.ts";
import { appendLines } from "./late.ts";
import type { LedgerLocation } from "./location.ts";
import { evidencePath, readLedger, viewSession } from "./read.ts";
import type { Evidence, Session, SkillNews } from "./schema.ts";

/**
 * Evidence for a person: how each context came to know its files and skills. Lines are appended to a file of each
 * session, only when something new is recorded, and no call ever reads them to decide. A line that can't be written is
 * lost, and nothing else.
 */

/** Nothing is appended beyond this size. A session that is told of 500 files has about 80 KB. */
const MAX_BYTES = 256 * 1024;

export type News = Pick<Evidence, "files" | "skills" | "edit">;

type KnownFile = NonNullable<News["files"]>[number];

/**
 * What a change says about how the context knows files and skills.
 *
 * @input  session: after the change
 */
export function newsOf(change: Change, session: Session | undefined, context: string): News {
  switch (change.kind) {
    case "begin":
    case "cover":
    case "resume":
      return filesTold(change.told);
    case "deliver": {
      const owed = owedTo(findContext(session, context)) ?? {};
      const isComplete = (path: string) => Object.hasOwn(change.given, path) && !Object.hasOwn(owed, path);
      return filesTold(change.files.filter(({ path }) => isComplete(path)));
    }
    case "load-skill":
      return { skills: [["loaded", change.skill.path]] };
    case "merge": {
      // A sub-agent that begins with its parent's history.
      const { loadedVersions } = findContext(change.session, context);
      const files = Object.entries(loadedVersions).map(([path, { named, mtimeMs, sizeBytes }]): KnownFile => {
        return [named ? "named" : "given", path, mtimeMs, sizeBytes];
      });
      return files.length === 0 ? {} : { files };
    }
    case "end":
      return {};
  }
}

function filesTold(told: Extract<Change, { kind: "cover" }>["told"]): News {
  const files: KnownFile[] = [];
  for (const { how, path, version } of told) {
    if (how !== undefined) files.push([how, path, version.mtimeMs, version.sizeBytes]);
  }
  return files.length === 0 ? {} : { files };
}

/**
 * Appends what a context came to know.
 *
 * @input  epoch: of the context; tree: of the ledger
 * @effect a line in the session's file, if it has room
 */
export function addEvidence(
  world: World,
  location: LedgerLocation,
  key: ContextKey,
  { epoch, tree }: Pick<Evidence, "epoch" | "tree">,
  news: News,
): void {
  if (news.files === undefined && news.skills === undefined) return;
  const line: Evidence = { at: world.now(), session: key.session, tree, context: key.context, epoch, ...news };
  const directory = join(location.directory, "sessions");
  try {
    const there = disk.look(directory);
    if (there === undefined) disk.makeDirectory(directory);
    // A link may lead anywhere.
    else if (!there.isDirectory()) return;
  } catch {
    return;
  }
  appendLines(evidencePath(location, key.session), `${JSON.stringify(line)}\n`, MAX_BYTES);
}

/**
 * Appends what a context came to know without being told, if its session is in a ledger.
 *
 * @effect reads the ledger
 */
export function noteEvidence(world: World, { key, noState, root, userDirectories }: Workspace, news: News): void {
  if (noState || (news.files === undefined && news.skills === undefined)) return;
  const { location, session } = viewSession(root.directory, key.session, userDirectories, world.home);
  const read = session === undefined ? undefined : readLedger(location);
  if (read?.kind !== "ledger") return;
  const { epoch } = findContext(session, key.context);
  addEvidence(world, location, key, { epoch, tree: read.ledger.tree }, news);
}

export function noteSkills(world: World, workspace: Workspace, how: SkillNews, paths: readonly string[]): void {
  if (paths.length > 0) noteEvidence(world, workspace, { skills: paths.map((path) => [how, path]) });
}
