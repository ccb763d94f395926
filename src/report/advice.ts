import type { Settings } from "../config/settings.ts";
import type { Advice } from "./report-schema.ts";
import type { Usage } from "./usage.ts";

/** What follows from how files and skills were used. Pure. */

/** With fewer contexts, that one never needed a file says little. */
const ENOUGH_CONTEXTS = 5;
/** A file that is not read in this share of the contexts that were told its name is worth a setting. */
const UNREAD_SHARE = 0.3;
/** What happened once is no habit. */
const LEAST = 2;

/** @input resolver: the effective settings; what they already do is not advised */
export function adviceFrom(
  { sessions, contexts, files, skills }: Usage,
  resolver: Settings["agents"]["resolver"],
): Advice[] {
  if (sessions === 0) {
    const text = "No session of this project is recorded in this time: install codelia's hooks, then work as usual";
    return [{ kind: "no-sessions", text, subjects: [], command: "codelia install" }];
  }
  const advice: Advice[] = [];
  const add = (kind: Advice["kind"], text: string, subjects: readonly { readonly path: string }[]) => {
    if (subjects.length > 0) advice.push({ kind, text, subjects: subjects.map(({ path }) => path) });
  };
  const isOften = (part: number, whole: number) => part >= LEAST && part >= whole * UNREAD_SHARE;
  if (resolver.delivery === "paths") {
    add(
      "named-not-read",
      "named and often not read; 'agents.resolver.delivery: escalate' gives the text of such a file with the first write in its scope",
      files.filter(({ contexts: { unread, named } }) => isOften(unread, named)),
    );
  }
  if (resolver.gate === "off") {
    add(
      "named-with-edit",
      "first named when the agent was already writing there; 'agents.resolver.gate: edit' has it read such a file before it writes",
      files.filter(({ contexts: { editFirst, named } }) => isOften(editFirst, named)),
    );
  }
  if (contexts < ENOUGH_CONTEXTS) return advice;
  add(
    "never-applied",
    `applied in none of ${contexts} contexts; see whether the code that it is for still exists`,
    files.filter(({ contexts: { all }, isGone }) => all === 0 && !isGone),
  );
  const idle = skills.filter(({ loaded }) => loaded === 0);
  add(
    "skill-not-loaded",
    "found and never loaded; say in its description what it does, and when to use it",
    idle.filter(({ found }) => found > 0),
  );
  add(
    "skill-not-found",
    `neither found nor loaded in ${contexts} contexts; put the words of the tasks that it is for into its description, or disable it`,
    idle.filter(({ found }) => found === 0),
  );
  return advice;
}
