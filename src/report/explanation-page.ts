import { resolve } from "node:path";
import type { Outcome } from "../command.ts";
import type { ClientProfile } from "../clients/client-profile.ts";
import { instructionPlaces } from "./instruction-places.ts";
import { pageDigest } from "./page-digest.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import type { Workspace } from "../workspace.ts";
import { writeWhole } from "../lib/write-file.ts";
import { visible } from "../lib/escape.ts";
import { renderExplanationPage } from "./page-explanation-page.ts";
import type { Explanation } from "./explanation.ts";
import type { World } from "../world.ts";

/**
 * Writes the page of a project: every directory with instruction files, and what sessions that begin there read.
 *
 * @input  explanation: of the directory that is shown first; page: where the file goes, from the process's directory
 * @effect the file
 * @error  usage where it can't be written
 */
export function writeExplanationPage(
  world: World,
  { root, settings }: Workspace,
  clients: readonly ClientProfile[],
  explanation: Explanation,
  page: string,
): Outcome {
  const facts = diskFacts(world);
  const place = { home: world.home, env: world.env };
  const names = clients.flatMap((client) => [...client.names, ...client.moreNames(root.directory, place, facts)]);
  const found = instructionPlaces(root.directory, names, settings.agents.ignore);
  const directories = [...new Set([...found.directories, explanation.directory])].toSorted();
  const html = renderExplanationPage(
    {
      root: root.directory,
      truncated: found.truncated,
      start: explanation.directory,
      clients: clients.map(({ name, title }) => ({ name, title })),
      places: directories.map((directory) => ({
        directory,
        clients: clients.map((client) => ({ title: client.title, ...client.reach(directory, place, facts) })),
      })),
    },
    pageDigest,
  );
  const path = resolve(world.cwd(), page);
  const written = writeWhole(world, path, html);
  if (written.kind === "written") return "ok";
  return { code: "usage", message: `page '${visible(path)}' can't be written (${written.errno})` };
}
