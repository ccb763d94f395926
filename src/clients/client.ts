import type { FoundFile, UnusableReason } from "../instructions/chain.ts";
import type { Reach, ReachedFile } from "../report/schema.ts";

/**
 * What a client tells its hooks, in words of our own: the only form in which the rest of the program knows of clients.
 * Types only.
 */
export interface ClientEvent {
  /** As the client calls it, for the answer. */
  readonly name: string;
  readonly session: string;
  /** `main`, or a sub-agent's id. */
  readonly context: string;
  /** The directory that relative paths of the event start from. */
  readonly cwd: string;
  readonly what: EventKind;
  /** A context that the client begins without the instructions that it gives others there. */
  readonly isBare?: boolean;
}

export type EventKind =
  /**
   * A context that knows nothing yet, or has forgotten all of it. `inherits`: it begins with its parent's history.
   * `once`: another entry of ours may answer the same event, and a context that is known has begun.
   */
  | { readonly kind: "begin"; readonly inherits: boolean; readonly once?: boolean }
  /** A context with its history, after a while. */
  | { readonly kind: "resume" }
  /** A context has forgotten, and this event can tell it nothing. */
  | { readonly kind: "forget" }
  /** `begins`: a context that is not known yet begins with it, because the client may have said nothing before. */
  | { readonly kind: "prompt"; readonly text: string; readonly begins?: boolean }
  | { readonly kind: "before-tool"; readonly tool: string; readonly input: unknown }
  /** `answer`: what the model was given, in the client's own shape, where it says so. */
  | { readonly kind: "after-tool"; readonly tool: string; readonly input: unknown; readonly answer: unknown }
  /** A tool has run, and what applies to what it touched can be told only now. */
  | { readonly kind: "tool"; readonly tool: string; readonly input: unknown; readonly answer: unknown }
  /** The model has finished; `isContinued`: a hook of this event has had it go on before. */
  | { readonly kind: "stop"; readonly message: string; readonly isContinued: boolean }
  /** A sub-agent's context is over. */
  | { readonly kind: "end-of-context" }
  /** The session is over, for now. */
  | { readonly kind: "end-of-session" };

/** Those that a workspace has to do with. */
export type PlacedEvent = Exclude<EventKind, { readonly kind: "stop" }>;

export interface SkillTool {
  /** The skill that a call loads; undefined for any other tool. */
  nameIn(tool: string, input: unknown): string | undefined;
  /** The directories that such skills are in. */
  directories(cwd: string, place: ProfilePlace): readonly string[];
}

export interface Continuation {
  /** The answer that has the model go on with a text. */
  answer(text: string): string;
  /** How often in a row the client heeds that. */
  readonly max: number;
}

export interface Client {
  readonly name: string;
  readonly title: string;
  /** What our reminders are called: some clients change the usual name. */
  readonly element: "system-reminder" | "codelia-reminder";
  /** The event in a hook's input, or undefined for one that does not concern us. */
  readEvent(input: Readonly<Record<string, unknown>>): ClientEvent | undefined;
  /** The answer that gives the model a text. */
  tell(event: ClientEvent, text: string): string;
  /** The answer that keeps a tool from running, with a reason for the model; only where the client documents one. */
  refuse?(event: ClientEvent, reason: string): string;
  /** The answer that lets the user decide whether it runs, where the client can ask. */
  ask?(event: ClientEvent, question: string): string;
  /** The tool that loads skills of the client's own, where it has one. */
  readonly skillTool?: SkillTool;
  /** How the model is had to go on where it has finished; only where the client documents it. */
  readonly continuation?: Continuation;
  /** What the client loads by itself, where it has no profile that says it. */
  readonly native?: NativeLoads;
  /** Whether an answer is within the client's limit. */
  fits(answer: string): boolean;
}

/**
 * What stands in a tree, asked for as it is needed. Whoever answers remembers: a profile asks again for every session
 * it judges. Paths are absolute and lexical; links are followed as the system does.
 */
export interface TreeFacts {
  /** What a name leads to; undefined where nothing has it. */
  at(path: string): Found | undefined;
  /** A path with every link resolved; undefined where nothing is there. */
  realPath(path: string): string | undefined;
  /** The names in a directory as the file system gives them; none where there is no directory. */
  list(directory: string): readonly string[];
  /** A file's first bytes, as many as it has of these. */
  start(path: string, bytes: number): Uint8Array;
  /** A file of JSON or TOML as data; undefined for one that is not there or can't be read. */
  data(path: string): unknown;
}

export type Found =
  | (FoundFile & { readonly isLink: boolean })
  | { readonly kind: "directory"; readonly realPath: string }
  | { readonly kind: "unusable"; readonly reason: Exclude<UnusableReason, "link-outside-root"> }
  /** A chain of links without an end: an error to those who take a dangling link for nothing. */
  | { readonly kind: "loop" };

/** Whose machine it is. */
export interface ProfilePlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a client reads by itself. Pure, given the facts. */
export interface ClientProfile {
  readonly name: string;
  readonly title: string;
  /** The names that it reads in every directory of a project. */
  readonly names: readonly string[];
  /** Those that its settings add, for sessions that begin in a directory. */
  moreNames(cwd: string, place: ProfilePlace, facts: TreeFacts): readonly string[];
  /** It knows a directory by the name that the user gave, links kept; the others are processes, which know none. */
  readonly goesByNames: boolean;
  /** What it makes of the files for a session that begins in a directory. */
  reach(cwd: string, place: ProfilePlace, facts: TreeFacts): ClientReach;
  /** The directories whose skills it lists to its model; codelia lists those that it finds itself. */
  skillPlaces?(cwd: string, place: ProfilePlace, facts: TreeFacts): readonly string[];
}

/** A reach without whose it is. */
export type ClientReach = Omit<Reach, "client">;

/** What a tool is used on. */
export interface Touch {
  readonly tool: string;
  readonly path: string;
}

/** What a client gives its model by itself, and when. Pure, given the facts. */
export interface NativeLoads {
  /** Of the files, where a context begins in a directory. */
  reach(cwd: string, place: ProfilePlace, facts: TreeFacts): Pick<Reach, "files">;
  /** What comes with a tool's result, for a session that began in a directory. */
  onTouch(cwd: string, touch: Touch, place: ProfilePlace, facts: TreeFacts): readonly ReachedFile[];
}

/** A client that puts files into its model's context by itself. */
export interface NativeClient extends ClientProfile {
  /** As in `NativeLoads`. */
  onTouch: NativeLoads["onTouch"];
  /** What the model reads of them, in the client's own words; "" where it reads nothing. */
  text(reach: ClientReach, facts: TreeFacts): string;
  skillPlaces(cwd: string, place: ProfilePlace, facts: TreeFacts): readonly string[];
}

/** What a file of a client's folder exports; its names are in the registry. */
export type Part<Whole extends { readonly name: string; readonly title: string }> = Omit<Whole, "name" | "title">;
