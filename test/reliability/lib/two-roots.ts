import type { Entry } from "../../support/temp-tree.ts";
import type { CallOptions, Ending } from "./call.ts";
import type { Stage } from "./stage.ts";

export const OTHER_MTIME = Date.UTC(2029, 0, 1);

/** A second repository beside the stage's own. */
export const OTHER: Readonly<Record<string, Entry>> = {
  "other/.git/": { dir: true },
  "other/AGENTS.md": { text: "Rules of the other.\n", mtimeMs: OTHER_MTIME },
};

type Options = Partial<CallOptions>;

export function ask(
  stage: Stage,
  session: string,
  more: readonly string[] = [],
  options: Options = {},
): Promise<Ending> {
  return stage.run(["resolve", "--session", session, ...more, ...stage.paths], options);
}

export function askOther(stage: Stage, session: string, options: Options = {}): Promise<Ending> {
  return stage.run(["resolve", "--session", session, "x.ts"], { ...options, cwd: stage.tree.path("other") });
}

/** Begins the main context anew, in the stage's own root. */
export function compact(stage: Stage, session: string, options: Options = {}): Promise<Ending> {
  return stage.run(["init-context", "--session", session], options);
}

export function otherFile(stage: Stage): string {
  return stage.tree.path("other/AGENTS.md");
}
