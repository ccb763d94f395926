import type { FoundFile, UnusableReason } from "../instructions/chain.ts";
import type { Reach, ReachedFile } from "../report/schema.ts";

// What the rest of the program knows of a client, whichever it is.

/** What a client tells a hook, in our own words. */
export interface ClientEvent {
  /** The client's name for it, which the answer may have to repeat. */
  readonly name: string;
  readonly session: string;
  /** `main`, or a sub-agent's id. */
  readonly context: string;
  /** The directory that relative paths are relative to. */
  readonly cwd: string;
  readonly what: EventKind;
  /** Why a context begins, in the client's words. */
  readonly cause?: string;
  /** The client begins this context without the instruction files that it gives others. */
  readonly isBare?: boolean;
}

export type EventKind =
  /**
   * A context that knows nothing yet, or has forgotten everything. `inherits`: it begins with its parent's history.
   * `once`: another entry of ours may answer the same event, so a context that is known has begun already.
   */
  | { readonly kind: "begin"; readonly inherits: boolean; readonly once?: boolean }
  /** A context goes on with its history. */
  | { readonly kind: "resume" }
  /** A context has forgotten everything, and the answer to this event does not reach it. */
  | { readonly kind: "forget" }
  /** `begins`: it may be the first event of its context. */
  | { readonly kind: "prompt"; readonly text: string; readonly begins?: boolean }
  | { readonly kind: "before-tool"; readonly tool: string; readonly input: unknown }
  /** `answer`: what the model was given, in the client's own form, if it says so. */
  | { readonly kind: "after-tool"; readonly tool: string; readonly input: unknown; readonly answer: unknown }
  /** A tool has run, and only now can the model be told what applies to the files that it touched. */
  | { readonly kind: "tool"; readonly tool: string; readonly input: unknown; readonly answer: unknown }
  /** The model has finished. `isContinued`: a hook has made it go on before. */
  | { readonly kind: "stop"; readonly message: string; readonly isContinued: boolean }
  /** A sub-agent's context is over. */
  | { readonly kind: "end-of-context" }
  /** The session is over, for now. */
  | { readonly kind: "end-of-session" };

/** The events for which a workspace is opened. */
export type PlacedEvent = Exclude<EventKind, { readonly kind: "stop" }>;

export interface SkillTool {
  /** The skill that a call loads; undefined for another tool. */
  nameIn(tool: string, input: unknown): string | undefined;
  /** The directories that such skills are in. */
  directories(cwd: string, place: ProfilePlace): readonly string[];
}

export interface Continuation {
  /** The answer that makes the model go on with a text. */
  answer(text: string): string;
  /** How often in a row the client follows that. */
  readonly max: number;
}

export interface Client {
  readonly name: string;
  readonly title: string;
  /** The element of our reminders: some clients escape the usual one. */
  readonly element: "system-reminder" | "codelia-reminder";
  /** The event in a hook's input; undefined for one that does not concern us. */
  readEvent(input: Readonly<Record<string, unknown>>): ClientEvent | undefined;
  /** The answer that gives the model a text. */
  tell(event: ClientEvent, text: string): string;
  /** The answer that keeps a tool from running, with a reason for the model, if the client documents one. */
  refuse?(event: ClientEvent, reason: string): string;
  /** The answer that lets the user decide, if the client can ask. */
  ask?(event: ClientEvent, question: string): string;
  /** The client's own tool for skills. */
  readonly skillTool?: SkillTool;
  /** How to make the model go on when it has finished, if the client documents that. */
  readonly continuation?: Continuation;
  /** What the client loads by itself, if it has no profile. */
  readonly native?: NativeLoads;
  /** What it takes of one text. */
  readonly limit: TextLimit;
}

/** A client counts the text that it is given, not the JSON around it. */
export interface TextLimit {
  readonly max: number;
  measure(text: string): number;
}

/**
 * What a profile asks about a tree. The answers are remembered, because it asks again for every session. Paths are
 * absolute; links are followed as the system does.
 */
export interface TreeFacts {
  /** What a path leads to; undefined if there is nothing. */
  at(path: string): Found | undefined;
  /** A path with its links resolved; undefined if there is nothing. */
  realPath(path: string): string | undefined;
  /** The names in a directory in the order of the file system; none if it is no directory. */
  list(directory: string): readonly string[];
  /** The first bytes of a file, at most so many. */
  start(path: string, bytes: number): Uint8Array;
  /** The data of a JSON or TOML file; undefined if it can't be read. */
  data(path: string): unknown;
}

export type Found =
  | (FoundFile & { readonly isLink: boolean })
  | { readonly kind: "directory"; readonly realPath: string }
  | { readonly kind: "unusable"; readonly reason: Exclude<UnusableReason, "link-outside-root"> }
  /** A loop of links, which is an error for some to whom a dangling link is nothing. */
  | { readonly kind: "loop" };

/** The user's home and environment. */
export interface ProfilePlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Which instruction files a client reads by itself. */
export interface ClientProfile {
  readonly name: string;
  readonly title: string;
  /** The names that it reads in every directory of a project. */
  readonly names: readonly string[];
  /** The names that its settings add, for a session that begins in a directory. */
  moreNames(cwd: string, place: ProfilePlace, facts: TreeFacts): readonly string[];
  /** Whether it keeps links in the path of its working directory. A process of its own finds itself at the real path. */
  readonly goesByNames: boolean;
  /** What becomes of the files for a session that begins in a directory. */
  reach(cwd: string, place: ProfilePlace, facts: TreeFacts): ClientReach;
  /** The directories whose skills it lists to its model; codelia lists those that it finds itself. */
  skillPlaces?(cwd: string, place: ProfilePlace, facts: TreeFacts): readonly string[];
}

/** A reach without the client's name. */
export type ClientReach = Omit<Reach, "client">;

/** The path that a tool is used on. */
export interface Touch {
  readonly tool: string;
  readonly path: string;
}

/** Which instruction files a client gives its model by itself, and when. */
export interface NativeLoads {
  /** When a context begins in a directory. */
  reach(cwd: string, place: ProfilePlace, facts: TreeFacts): Pick<Reach, "files">;
  /** With a tool's result, in a session that began in a directory. */
  onTouch(cwd: string, touch: Touch, place: ProfilePlace, facts: TreeFacts): readonly ReachedFile[];
}

/** The profile of a client that gives instruction files to its model by itself. */
export interface NativeClient extends ClientProfile {
  /** As in `NativeLoads`. */
  onTouch: NativeLoads["onTouch"];
  /** The text that the model gets, as the client words it; "" for nothing. */
  text(reach: ClientReach, facts: TreeFacts): string;
  skillPlaces(cwd: string, place: ProfilePlace, facts: TreeFacts): readonly string[];
}

/** What a file of a client's folder exports. The registry adds the names. */
export type Part<Whole extends { readonly name: string; readonly title: string }> = Omit<Whole, "name" | "title">;
