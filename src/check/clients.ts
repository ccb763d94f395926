import { dirname, sep, basename } from "node:path";
import type { ClientProfile } from "../clients/client.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import type { ReachedFile } from "../report/schema.ts";
import type { World } from "../world.ts";
import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";

/**
 * The rules about what clients read of the instruction files. Each file is checked for a session that begins in its
 * directory: a client reads it there at the latest, and a session that begins deeper reads no more of it.
 */
export function checkClients(world: World, scene: CheckScene, clients: readonly ClientProfile[]): FamilyCheck {
  const facts = diskFacts(world);
  const place = { home: world.home, env: world.env };
  const findings = clients.flatMap((client) =>
    [...bySession(client, scene)].flatMap(([directory, paths]) => {
      const { files, budget } = client.reach(directory, place, facts);
      return unreadFiles({
        client,
        limitBytes: budget?.limitBytes,
        own: files.filter(({ path }) => paths.has(path)),
        all: files.map(({ path }) => path),
      });
    }),
  );
  return { findings, checked: [] };
}

/** The files by the directory that they are for: a client may keep them in a subdirectory of its own. */
function bySession({ names }: ClientProfile, { instructions }: CheckScene): Map<string, Set<string>> {
  const sessions = new Map<string, Set<string>>();
  for (const { path } of instructions.candidates) {
    const longest = names
      .filter((name) => path.endsWith(sep + name))
      .toSorted((left, right) => right.length - left.length)[0];
    const directory = longest === undefined ? dirname(path) : path.slice(0, -longest.length - 1);
    sessions.set(directory, (sessions.get(directory) ?? new Set()).add(path));
  }
  return sessions;
}

/** What a client does with the files of a directory when a session begins in it. */
interface ReachedDirectory {
  readonly client: { readonly name: string; readonly title: string };
  readonly limitBytes: number | undefined;
  /** Files of the directory itself. */
  readonly own: readonly ReachedFile[];
  /** All files that the client looks at. */
  readonly all: readonly string[];
}

/** The files of a directory of which a client gives its model only a part, or nothing. */
function unreadFiles({ client, limitBytes, own, all }: ReachedDirectory): Finding[] {
  return own.flatMap((file) => {
    const { path, status, reason, by, bytesShown, bytesTotal } = file;
    const place = { path, about: client.name, concerns: all };
    const limit = limitBytes === undefined ? "" : ` of ${limitBytes} bytes`;
    switch (status) {
      case "cut": {
        const message = `${client.title} reads ${bytesShown} of its ${bytesTotal} bytes: its budget${limit} ends here`;
        return [finding("instructions-cut", { ...place, message, remedy: SHORTEN })];
      }
      case "left-out": {
        const why = reason === "file-limit" ? "it reads no more files" : `its budget${limit} is spent before`;
        const message = `${client.title} reads none of its ${bytesTotal} bytes: ${why}`;
        return [finding("instructions-left-out", { ...place, message, remedy: SHORTEN })];
      }
      case "shadowed": {
        // A duplicate is read under its other name, and a name that is tried after others is meant to give way.
        if (by === undefined || reason === "duplicate" || reason === "earlier-name") return [];
        const message = `${client.title} does not read it, because of '${by}'`;
        const name = basename(path);
        const remedy =
          dirname(by) === dirname(path)
            ? `import it there ('@${name}'), or make one of them a link to the other`
            : `put a '${basename(by)}' beside it that imports it ('@${name}')`;
        return [finding("instructions-shadowed", { ...place, message, remedy })];
      }
      case "loaded":
      case "skipped":
        return [];
    }
  });
}

const SHORTEN = "shorten it or the files above it";
