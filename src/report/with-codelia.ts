import { OWN_PROFILE } from "../clients/raw-profile.ts";
import type { Settings } from "../config/settings.ts";
import { shareBudget } from "../instructions/chain.ts";
import type { Place } from "./project.ts";
import type { ReachedFile } from "./schema.ts";

/**
 * What each client's model gets of a session's files where codelia's hooks are installed: what the client reads by
 * itself, and from codelia the rest of its own chain, within its own budget. Files that the client gives whole take
 * nothing from that budget.
 *
 * @input  place: with codelia itself among the clients; identityOf: the same for two names of one file
 */
export function withCodelia(
  place: Place,
  limits: Settings["agents"]["initial"],
  identityOf: (path: string) => string,
): Place {
  const own = place.clients.find(({ client }) => client === OWN_PROFILE)?.files ?? [];
  const offered = own.filter(({ status }) => status === "loaded" || status === "cut" || status === "left-out");
  const clients = place.clients.map((reach) => {
    if (reach.client === OWN_PROFILE) return reach;
    const whole = new Set(reach.files.filter(({ status }) => status === "loaded").map(({ path }) => identityOf(path)));
    const missing = offered.filter(({ path }) => !whole.has(identityOf(path)));
    const given = new Map(shared(missing, limits).map((file) => [file.path, file]));
    const files = reach.files.map((file) => {
      const better = given.get(file.path);
      return better !== undefined && better.bytesShown > file.bytesShown ? better : file;
    });
    const named = new Set(reach.files.map(({ path }) => path));
    const added = offered
      .filter(({ path }) => !named.has(path))
      .map((file) => given.get(file.path) ?? asDuplicate(file));
    return { ...reach, files: [...files, ...added] };
  });
  return { ...place, clients };
}

/** The client gives it under another name. */
function asDuplicate(file: ReachedFile): ReachedFile {
  return { ...file, status: "shadowed", reason: "duplicate", bytesShown: 0 };
}

/** The user's own file has a budget of its own. */
function shared(files: readonly ReachedFile[], limits: Settings["agents"]["initial"]): ReachedFile[] {
  const project = files.filter(({ origin }) => origin !== "home");
  const shares = shareBudget(
    project.map(({ bytesTotal }) => bytesTotal),
    limits,
  );
  return [
    ...files.filter(({ origin }) => origin === "home"),
    ...project.map((file, index) => withShown(file, shares[index]?.shownBytes ?? 0)),
  ];
}

function withShown(file: ReachedFile, bytesShown: number): ReachedFile {
  if (bytesShown >= file.bytesTotal) return { ...file, status: "loaded", reason: "reads-it", bytesShown };
  return { ...file, status: bytesShown === 0 ? "left-out" : "cut", reason: "budget", bytesShown };
}
