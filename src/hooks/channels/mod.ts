import type { ClientEvent, GivenVersions } from "../../clients/client.ts";
import { UNLIMITED } from "../../clients/events.ts";
import type { Client } from "../../clients/client.ts";
import { decodeBody, defuse } from "../../instructions/body.ts";
import { instructionFacts } from "../../instructions/gather.ts";
import { findContext, MAIN_CONTEXT } from "../../ledger/contexts.ts";
import { viewSession } from "../../ledger/read.ts";
import { jsonLine } from "../../lib/escape.ts";
import { isTable, type Table } from "../../lib/table.ts";
import { lossyText } from "../../lib/text.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { chainOf } from "../start.ts";

// What a module that runs inside a client (`hooks/plugin/mod`) asks where a context begins. Its texts have no limit, and
// the client treats instruction files as its own project instructions, which it also gives sub-agents.

/** Sent by a module that was loaded after the session had begun. */
const LATE_START = "PromptContext";

/** A file that the client gives for us. */
interface PlacedFile {
  readonly path: string;
  readonly kind: "project";
  readonly content: string;
  readonly mtimeMs: number;
  readonly sizeBytes: number;
}

export interface ModSetting {
  readonly world: World;
  readonly client: Client;
  readonly event: ClientEvent;
  /** What else the event knows once there is a workspace. */
  readonly prepare: (workspace: Workspace) => Promise<Pick<ClientEvent, "given">>;
  /** Prints the rest, unless it was printed with an answer. */
  readonly conclude: () => void;
}

/**
 * How an event from a module differs; undefined for one that we don't handle.
 *
 * @effect none yet; `prepare` reads what applies, `conclude` prints
 */
export function readModEvent(world: World, client: Client, input: Table): ModSetting | undefined {
  const isLate = input["hook_event_name"] === LATE_START;
  const event = client.readEvent(isLate ? { ...input, hook_event_name: "SessionStart", source: "resume" } : input);
  if (event === undefined) return undefined;
  const sent: ClientEvent = { ...event, channel: "mod" };
  let files: readonly PlacedFile[] = [];
  const addition = () => (files.length === 0 ? undefined : { instructionFiles: files });
  let isSaid = false;
  const own: World = {
    ...world,
    write(data) {
      const more = addition();
      isSaid = true;
      return world.write(more === undefined ? data : merged(data, more));
    },
  };
  return {
    world: own,
    client: { ...client, limit: UNLIMITED },
    event: sent,
    async prepare(workspace) {
      const { kind } = event.what;
      if (event.context !== MAIN_CONTEXT) {
        return kind === "begin" && event.isBare !== true ? { given: versionsIn(input["given"]) } : {};
      }
      if (kind !== "begin" && kind !== "resume") return {};
      files = await filesFor(world, workspace, client, event);
      if (kind === "resume") files = notDelivered(world, workspace, files);
      return { given: versionsIn(files) };
    },
    conclude() {
      const more = isSaid ? undefined : addition();
      if (more !== undefined) world.write(jsonLine(more));
    },
  };
}

/** The files that apply in the working directory, whole and not given by the client itself. */
async function filesFor(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
): Promise<readonly PlacedFile[]> {
  const { bundle, files } = await chainOf(world, workspace, client, event, instructionFacts(world));
  const versions = new Map(files.map(({ path, version }) => [path, version]));
  return (bundle?.parts ?? []).flatMap(({ path, bytes, sizeBytes }): PlacedFile[] => {
    const version = versions.get(path);
    // The user's own file, and what the budget cuts, are told in our own words.
    if (version === undefined || bytes.length < sizeBytes) return [];
    const { mtimeMs } = version;
    return [{ path, kind: "project", content: defuse(decodeBody(bytes)), mtimeMs, sizeBytes: version.sizeBytes }];
  });
}

/** Without those that hooks have delivered to the context, or have yet to: these are in the session's record. */
function notDelivered(
  world: World,
  { key, root, userDirectories }: Workspace,
  files: readonly PlacedFile[],
): readonly PlacedFile[] {
  const { session } = viewSession(root.directory, key.session, userDirectories, world.home);
  const due = findContext(session, key.context).delivery?.due ?? {};
  return files.filter(({ path }) => !Object.hasOwn(due, path));
}

function versionsIn(given: unknown): GivenVersions {
  const versions = new Map<string, { mtimeMs: number; sizeBytes: number }>();
  for (const each of Array.isArray(given) ? given : []) {
    if (!isTable(each)) continue;
    const { path, mtimeMs, sizeBytes } = each;
    if (typeof path === "string" && typeof mtimeMs === "number" && typeof sizeBytes === "number") {
      versions.set(path, { mtimeMs, sizeBytes });
    }
  }
  return versions;
}

function merged(data: string | Uint8Array, more: object): string {
  const text = typeof data === "string" ? data : lossyText(data);
  return jsonLine({ ...JSON.parse(text), ...more });
}
