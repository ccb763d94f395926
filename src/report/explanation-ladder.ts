import type { Explanation } from "./explanation.ts";
import type { ReachedFile } from "./reach.ts";

/** One candidate, and what each client makes of it. */
export interface LadderFile {
  readonly path: string;
  /** In the order of the clients; undefined: this client does not know the name. */
  readonly reached: readonly (ReachedFile | undefined)[];
}

export interface LadderRung {
  readonly directory: string;
  readonly files: readonly LadderFile[];
}

/** The candidates of all clients by directory: those above first, the user's and administrator's own before them all. */
export function ladderOf({ clients, directory }: Pick<Explanation, "clients" | "directory">): LadderRung[] {
  const paths = new Map<string, (ReachedFile | undefined)[]>();
  for (const [index, { files }] of clients.entries()) {
    for (const file of files) {
      const reached = paths.get(file.path) ?? clients.map(() => undefined);
      reached[index] = file;
      paths.set(file.path, reached);
    }
  }
  const rungs = new Map<string, LadderFile[]>();
  for (const [path, reached] of paths) {
    const rung = directoryOf(path, reached);
    rungs.set(rung, [...(rungs.get(rung) ?? []), { path, reached }]);
  }
  const isAbove = (rung: string) => directory === rung || directory.startsWith(rung.endsWith("/") ? rung : `${rung}/`);
  return [...rungs]
    .map(([rung, files]) => ({ directory: rung, files }))
    .toSorted(
      (left, right) =>
        Number(isAbove(left.directory)) - Number(isAbove(right.directory)) ||
        (isAbove(left.directory) ? left.directory.length - right.directory.length : 0),
    );
}

/** A file below `.claude` belongs to the directory that `.claude` is in. */
function directoryOf(path: string, reached: readonly (ReachedFile | undefined)[]): string {
  const parent = path.slice(0, Math.max(1, path.lastIndexOf("/")));
  const isProject = reached.some((file) => file?.origin === "project");
  const inner = isProject ? parent.indexOf("/.claude") : -1;
  return inner > 0 && /^\/\.claude(?:\/|$)/.test(parent.slice(inner)) ? parent.slice(0, inner) : parent;
}
