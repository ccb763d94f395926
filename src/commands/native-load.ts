import type { InstructionFile } from "../core/chain.ts";
import type { Host, HostEvent } from "../core/hooks/host.ts";
import type { NativeQuestion } from "../core/hooks/native.ts";
import { gatherEvidence } from "../io/host-evidence.ts";
import { filesUpwards, markedDirectories, withImports } from "../io/native-facts.ts";
import type { Workspace } from "../io/workspace.ts";
import type { World } from "../world.ts";

type AskedFile = Pick<InstructionFile, "path" | "directory" | "version" | "identity">;

/** What the client itself has given the model of files: some of them whole, of others a part, or nothing for their length. */
export interface NativeStart {
  readonly whole: ReadonlySet<string>;
  /** Path → bytes given. */
  readonly cut: ReadonlyMap<string, number>;
}

/**
 * The instruction files that the client itself gives a context where it begins, as far as that is certain.
 *
 * @effect reads the client's settings
 * @error  none
 */
export async function nativeStart(
  world: World,
  workspace: Workspace,
  host: Host,
  event: HostEvent,
  files: readonly AskedFile[],
): Promise<NativeStart> {
  if (files.length === 0 || event.isBare === true) return { whole: new Set(), cut: new Map() };
  const question = await ask(world, workspace, host, files);
  if (question === undefined) return { whole: new Set(), cut: new Map() };
  return { whole: host.native.atStart(question), cut: host.native.cutAtStart?.(question) ?? new Map() };
}

/**
 * Those that it gives the model whole with a tool's result.
 *
 * @input  touch: the tool, and where it is used
 * @effect reads the client's settings
 * @error  none
 */
export async function nativelyLoaded(
  world: World,
  workspace: Workspace,
  host: Host,
  event: HostEvent,
  files: readonly AskedFile[],
  touch: { readonly tool: string; readonly directory: string },
): Promise<ReadonlySet<string>> {
  if (files.length === 0) return new Set();
  const question = await ask(world, workspace, host, files, touch.directory);
  if (question === undefined) return new Set();
  const came = host.native.onTouch(question, touch.tool);
  if (event.isBare !== true) return came;
  // What comes with a start did not come here, and comes with no tool.
  const never = host.native.atStart(question);
  return new Set([...came].filter((path) => !never.has(path)));
}

/** Undefined where something that decides could not be read. */
async function ask(
  world: World,
  workspace: Workspace,
  { native: profile }: Host,
  files: readonly AskedFile[],
  touched?: string,
): Promise<NativeQuestion | undefined> {
  const place = { cwd: workspace.cwd, root: workspace.root.directory, home: world.home, env: world.env };
  const settingsFiles = profile.settingsOf(place);
  const { data, texts, unread } = await gatherEvidence({
    data: settingsFiles,
    texts: [place.cwd, ...(touched === undefined ? [] : [touched])].flatMap((directory) =>
      filesUpwards(directory, profile.silencers),
    ),
  });
  // Telling what the client tells too repeats it; leaving out what the client does not tell would lose it.
  if (unread.length > 0) return undefined;
  const settings = settingsFiles.map((path) => data.get(path));
  const importsIn = profile.importsIn ?? (() => []);
  return {
    ...place,
    files: files.map(({ path, directory, version, identity }) => {
      return { path, directory, sizeBytes: version.sizeBytes, identity };
    }),
    settings,
    speaking: texts,
    brought: new Map([...texts].map((path) => [path, withImports(path, place.root, place.home, importsIn)])),
    marked: markedDirectories(place.cwd, profile.markersOf(settings)),
  };
}
