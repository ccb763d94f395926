import { join } from "node:path";
import { disk } from "../lib/fs.ts";

const FILE = "agent.json";

/**
 * The agent definitions of a directory that has a `.agents`: the directories with an `agent.json` below `.agents/agents`.
 *
 * @output canonical where `directory` is
 * @effect lists; follows no link
 * @error  none: what can't be looked into has none
 */
export function agentDefinitionsOf(directory: string): string[] {
  const place = join(directory, ".agents", "agents");
  try {
    if (disk.look(join(directory, ".agents"))?.isDirectory() !== true || disk.look(place) === undefined) return [];
    const names = disk.list(place).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    return names.map((name) => join(place, name)).filter((path) => disk.look(join(path, FILE)) !== undefined);
  } catch {
    return [];
  }
}
