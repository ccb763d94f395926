import type { Settings } from "../config/settings.ts";
import type { Evidence, Knowing } from "../ledger/schema.ts";
import type { Report, ReportedFile, ReportedSkill, Advice } from "./schema.ts";

/** What the evidence of sessions says about instruction files and skills, and what to do about it. Pure. */

/** An instruction file that exists. */
interface PresentFile {
  readonly path: string;
  readonly sizeBytes: number;
}

export interface PresentSkill {
  readonly name: string;
  readonly path: string;
}

type Usage = Pick<Report, "sessions" | "contexts" | "bytesPerSession" | "tokensPerSession" | "files" | "skills">;

/** What one context knew of one file. */
interface Known {
  readonly ways: Set<Knowing>;
  /** The text came after the name. */
  isReadAfter: boolean;
  /** It was first named with a call that wrote in its scope. */
  isEditFirst: boolean;
}

interface FileUse {
  readonly contexts: Map<string, Known>;
  readonly sessions: Set<string>;
  /** Texts that were counted: one for each epoch of a context and version. */
  readonly texts: Set<string>;
  bytes: number;
  lastSize: number;
}

const BYTES_PER_TOKEN = 4;

/** @input evidence: in the order of each session */
export function usageOf(
  evidence: readonly Evidence[],
  present: readonly PresentFile[],
  skills: readonly PresentSkill[],
): Usage {
  const [sessions, contexts] = [new Set<string>(), new Set<string>()];
  const uses = new Map<string, FileUse>(present.map(({ path }) => [path, newUse()]));
  const heard = { found: new Map<string, Set<string>>(), loaded: new Map<string, Set<string>>() };
  for (const each of evidence) {
    const context = `${each.session}\0${each.context}`;
    sessions.add(each.session);
    contexts.add(context);
    for (const [how, path, mtimeMs, sizeBytes] of each.files ?? []) {
      const use = uses.get(path) ?? newUse();
      uses.set(path, use);
      use.sessions.add(each.session);
      use.lastSize = sizeBytes;
      noteFile(use, context, how, each.edit === true);
      const text = `${context}\0${each.epoch}\0${mtimeMs}`;
      if (how === "named" || how === "written" || use.texts.has(text)) continue;
      use.texts.add(text);
      use.bytes += sizeBytes;
    }
    for (const [how, name] of each.skills ?? []) {
      const set = heard[how].get(name) ?? new Set();
      heard[how].set(name, set.add(context));
    }
  }
  const sizes = new Map(present.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const files = [...uses].map(([path, use]) => reportedFile(path, use, sizes.get(path)));
  const all = [...uses.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    sessions: sessions.size,
    contexts: contexts.size,
    ...perSession(all, sessions.size),
    files: files.toSorted((left, right) => (left.path < right.path ? -1 : 1)),
    skills: skills.map((skill) => reportedSkill(skill, heard)),
  };
}

function newUse(): FileUse {
  return { contexts: new Map(), sessions: new Set(), texts: new Set(), bytes: 0, lastSize: 0 };
}

function noteFile({ contexts }: FileUse, context: string, how: Knowing, isEdit: boolean): void {
  const known = contexts.get(context);
  if (known === undefined) {
    contexts.set(context, { ways: new Set([how]), isReadAfter: false, isEditFirst: how === "named" && isEdit });
    return;
  }
  if (how !== "named" && how !== "written" && known.ways.has("named")) known.isReadAfter = true;
  known.ways.add(how);
}

function reportedFile(path: string, { contexts, sessions, bytes, lastSize }: FileUse, size?: number): ReportedFile {
  const all = [...contexts.values()];
  const named = all.filter(({ ways }) => ways.has("named"));
  const unread = named.filter(({ ways }) => !ways.has("given") && !ways.has("native") && !ways.has("read"));
  const count = (how: Knowing) => all.filter(({ ways }) => ways.has(how)).length;
  return {
    path,
    isGone: size === undefined,
    sizeBytes: size ?? lastSize,
    contexts: {
      all: all.length,
      native: count("native"),
      given: count("given"),
      named: named.length,
      readAfter: named.filter(({ isReadAfter }) => isReadAfter).length,
      editFirst: named.filter(({ isEditFirst }) => isEditFirst).length,
      unread: unread.length,
    },
    ...perSession(bytes, sessions.size),
  };
}

/** A client's own tool says only a skill's name. */
function reportedSkill(
  { name, path }: PresentSkill,
  { found, loaded }: { readonly [how in "found" | "loaded"]: ReadonlyMap<string, ReadonlySet<string>> },
): ReportedSkill {
  const contexts = new Set([...(loaded.get(path) ?? []), ...(loaded.get(name) ?? [])]);
  return { name, path, found: found.get(path)?.size ?? 0, loaded: contexts.size };
}

function perSession(bytes: number, sessions: number): { bytesPerSession: number; tokensPerSession: number } {
  const average = sessions === 0 ? 0 : bytes / sessions;
  return { bytesPerSession: Math.round(average), tokensPerSession: Math.ceil(average / BYTES_PER_TOKEN) };
}

/** With fewer contexts, a file that none of them needed says little. */
const ENOUGH_CONTEXTS = 5;
/** Advise a setting if at least this share of the contexts that were told a file's name never read it. */
const UNREAD_SHARE = 0.3;
/** Fewer occurrences are not a pattern. */
const LEAST = 2;

/**
 * What to do about files and skills that are not used.
 *
 * @input resolver: the effective settings; what they already do is not advised
 */
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
