import type { InstructionFile } from "../core/chain.ts";
import type { Host } from "../core/hooks/host.ts";
import { gatherEvidence } from "../io/host-evidence.ts";
import { filesUpwards, markedDirectories } from "../io/native-facts.ts";
import type { Workspace } from "../io/workspace.ts";
import type { World } from "../world.ts";

/**
 * The instruction files that the client itself gives the model, as far as that is certain.
 *
 * @input  start: where the working directory's own are looked up, or what a tool touches; tool: undefined where a context
 *         begins
 * @effect reads the client's settings
 * @error  none
 */
export async function nativelyLoaded(
  world: World,
  workspace: Workspace,
  host: Host,
  files: readonly Pick<InstructionFile, "path" | "directory" | "version">[],
  touch?: { readonly tool: string; readonly directory: string },
): Promise<ReadonlySet<string>> {
  if (files.length === 0) return new Set();
  const profile = host.native;
  const place = { cwd: workspace.cwd, root: workspace.root.directory, home: world.home, env: world.env };
  const settingsFiles = profile.settingsOf(place);
  const { data, texts, unread } = await gatherEvidence({
    data: settingsFiles,
    texts: [place.cwd, ...(touch === undefined ? [] : [touch.directory])].flatMap((directory) =>
      filesUpwards(directory, profile.silencers),
    ),
  });
  // Telling what the client tells too repeats it; leaving out what the client does not tell would lose it.
  if (unread.length > 0) return new Set();
  const settings = settingsFiles.map((path) => data.get(path));
  const question = {
    ...place,
    files: files.map(({ path, directory, version }) => ({ path, directory, sizeBytes: version.sizeBytes })),
    settings,
    speaking: texts,
    marked: markedDirectories(place.cwd, profile.markersOf(settings)),
  };
  return touch === undefined ? profile.atStart(question) : profile.onTouch(question, touch.tool);
}
