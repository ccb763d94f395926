import type { FoundFile, UnusableReason } from "../instructions/chain.ts";
import type { FileVersion } from "../lib/fs.ts";
import type { Table } from "../lib/table.ts";
import type { SkillListing } from "./skill-listing.ts";
import type { Reach, ReachedFile } from "../report/schema.ts";

// What the rest of the program knows of any client.

/** What a client tells a hook, in our own words. */
export interface ClientEvent {
  /** The client's name for it; some answers must repeat it. */
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
  /** How it arrived, if not through a process of its own. */
  readonly channel?: "mod" | "mcp";
  /** The instruction files that the context has from us in another way, in these versions. */
  readonly given?: GivenVersions;
  /** The client's own record of the session, if the event names it. */
  readonly transcript?: string | undefined;
  /** What that record calls the tool call that the event is about. */
  readonly call?: string | undefined;
}

export type GivenVersions = ReadonlyMap<string, Pick<FileVersion, "mtimeMs" | "sizeBytes">>;

export type EventKind =
  /**
   * A context that knows nothing yet, or was reset. `inherits`: it begins with its parent's history. `once`: another
   * entry of ours may answer the same event, so a known context has already begun. `isApart`: the answer does not become
   * part of the history, which a known context still has.
   */
  | { readonly kind: "begin"; readonly inherits: boolean; readonly once?: boolean; readonly isApart?: boolean }
  /** A context goes on with its history. */
  | { readonly kind: "resume" }
  /** A context was reset, and the answer to this event does not reach it. */
  | { readonly kind: "forget" }
  /** `begins`: it may be the first event of its context. */
  | { readonly kind: "prompt"; readonly text: string; readonly begins?: boolean }
  | { readonly kind: "before-tool"; readonly tool: string; readonly input: unknown }
  /** `answer`: what the model was given, in the client's own form, if the client reports it whole. */
  | { readonly kind: "after-tool"; readonly tool: string; readonly input: unknown; readonly answer?: unknown }
  /** A tool has run; only now can the model be told what applies to the files it touched. */
  | { readonly kind: "tool"; readonly tool: string; readonly input: unknown; readonly answer: unknown }
  /** The model has stopped. `isContinued`: a hook already made it continue. */
  | { readonly kind: "stop"; readonly message: string; readonly isContinued: boolean }
  /** A sub-agent's context has ended. */
  | { readonly kind: "end-of-context" }
  /** The session has ended, perhaps to be resumed. */
  | { readonly kind: "end-of-session" };

/** The events for which a workspace is opened. */
export type PlacedEvent = Exclude<EventKind, { readonly kind: "stop" }>;

export interface SkillTool {
  /** The skill that a call loads; undefined for other tools. */
  nameIn(tool: string, input: unknown): string | undefined;
  /** The directories that such skills are in. */
  directories(cwd: string, user: UserEnvironment): readonly string[];
}

export interface Continuation {
  /** The answer that makes the model continue with a text. */
  answer(text: string): string;
  /** The answer that shows the user a text, and may make the model continue with another. */
  notice(user: string, model: string | undefined): string;
  /** How many times in a row the client obeys it. */
  readonly max: number;
}

export interface Client {
  readonly name: string;
  readonly title: string;
  /** The element of our reminders: some clients escape the usual one. */
  readonly element: "system-reminder" | "codelia-reminder";
  /** Reads the event in a hook's input; undefined if we don't handle it. */
  readEvent(input: Readonly<Record<string, unknown>>): ClientEvent | undefined;
  /**
   * The same input from the arguments of a hook that calls a tool of `codelia mcp`, as the client fills in a template;
   * `meta`: its own data about the call.
   */
  readCall?(given: Readonly<Record<string, unknown>>, meta: Readonly<Record<string, unknown>>): Table;
  /** The answer that gives the model a text. */
  tell(event: ClientEvent, text: string): string;
  /** The answer that blocks a tool, with a reason for the model, if the client documents one. */
  refuse?(event: ClientEvent, reason: string): string;
  /** The answer that lets the user decide, if the client can ask. */
  ask?(event: ClientEvent, question: string): string;
  /** The client's own tool for skills. */
  readonly skillTool?: SkillTool;
  /** How to make the model continue after it stopped, if the client documents that. */
  readonly continuation?: Continuation;
  /** The event of a session's start can tell its model nothing; the first after a tool does. */
  readonly startsUntold?: true;
  /**
   * Of what a hook says about a tool call, its model hears only why the call is refused. With `resolver.gate` it is told
   * what applies in that way, once, and makes the call again; otherwise with the prompts alone.
   */
  readonly refusesToTell?: true;
  /** When a session is resumed, its model hears nothing before the next prompt, and gets no file anew. */
  readonly resumesUntold?: true;
  /** It may compact between a call and the model's next words, so that text told with the call is lost. */
  readonly compactsAfterCall?: true;
  /** Its own instruction files, which it loads for some touches only. */
  readonly own?: OwnNames;
  /** What the client loads by itself, if it has no profile. */
  readonly native?: NativeLoads;
  /** The limit for one text. */
  readonly limit: TextLimit;
  /**
   * The files that the client itself has given since the context began anew, with their texts, from the last part of
   * its record of the session.
   */
  restoredIn?(transcript: string): Promise<readonly RestoredFile[]>;
}

/** Where its own instruction files may be. */
export interface OwnNames {
  /** In directories of a project, below the one where the session began. */
  readonly names: readonly string[];
  /** The directories for rules and skills, which may be for some files only, in those of a project. */
  readonly directories: readonly string[];
  /** The user's own directory for rules. */
  homeRules(user: UserEnvironment): string;
  /** Of rules and skills: the patterns in a text, and whether they match a file. */
  conditions(): Promise<{
    pathsOf(text: string): readonly string[];
    matchesRule(paths: readonly string[], base: string, file: string): boolean;
  }>;
}

/** The client's own instruction files for a path. */
export interface OwnFiles {
  readonly files: readonly OwnFile[];
  /** Directories of rules or skills that hold nothing more to be told. */
  readonly settled: readonly string[];
}

export interface OwnFile {
  readonly path: string;
  readonly directory: string;
  /** The model need not be told of it. */
  readonly saysNothing: boolean;
  /** The name, if it is a skill. */
  readonly skill?: string;
}

export interface RestoredFile {
  readonly path: string;
  readonly text: string;
}

/** A client measures the text that it is given, not the JSON around it. */
export interface TextLimit {
  readonly max: number;
  measure(text: string): number;
}

/**
 * What a profile asks about a tree. Answers are cached, because it asks again for every session. Paths are absolute;
 * links are followed as the system does.
 */
export interface TreeFacts {
  /** What a path leads to; undefined if there is nothing. */
  at(path: string): Found | undefined;
  /** A path with its links resolved; undefined if there is nothing. */
  realPath(path: string): string | undefined;
  /** The names in a directory in the order of the file system; empty if it is not a directory. */
  list(directory: string): readonly string[];
  /** The first bytes of a file, up to a limit. */
  start(path: string, bytes: number): Uint8Array;
  /** The data of a JSON or TOML file; undefined if it can't be read. */
  data(path: string): unknown;
}

export type Found =
  | (FoundFile & { readonly isLink: boolean })
  | { readonly kind: "directory"; readonly realPath: string }
  | { readonly kind: "unusable"; readonly reason: Exclude<UnusableReason, "link-outside-root"> }
  /** A loop of links: an error for some clients that ignore a dangling link. */
  | { readonly kind: "loop" };

/** The user's home and environment. */
export interface UserEnvironment {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Which instruction files a client reads by itself. */
export interface ClientProfile {
  readonly name: string;
  readonly title: string;
  /** The names that it reads in every directory of a project. */
  readonly names: readonly string[];
  /** The names that only it reads and that are shared in the project, its main one first. */
  readonly ownNames?: readonly string[];
  /** The names that its settings add, for a session that begins in a directory. */
  moreNames(cwd: string, user: UserEnvironment, facts: TreeFacts): readonly string[];
  /**
   * Whether it keeps links in the path of its working directory. A process that the client starts sees the real path.
   */
  readonly goesByNames: boolean;
  /** What becomes of the files for a session that begins in a directory. */
  reach(cwd: string, user: UserEnvironment, facts: TreeFacts): ClientReach;
  /** Where it looks for skills in directories of a project besides `.agents/skills`, with `/`. */
  readonly ownSkills?: readonly string[];
  /** The directories whose skills it lists to its model; codelia lists those that it finds itself. */
  skillDirectories?(cwd: string, user: UserEnvironment, facts: TreeFacts): readonly string[];
}

/** A reach without the client's name. */
export type ClientReach = Omit<Reach, "client">;

/** The path that a tool is used on, or that a prompt mentions. */
export interface Touch {
  readonly tool: string;
  readonly path: string;
  /**
   * `mention`: there is no tool; `reading`: the tool is a shell whose command does nothing but read this one file;
   * `listing`: one whose command does nothing but list directories.
   */
  readonly how?: "mention" | "reading" | "listing";
}

/** Which instruction files a client gives its model by itself, and when. */
export interface NativeLoads {
  /** As in `ClientProfile`. */
  readonly ownNames?: readonly string[];
  /** When a context begins in a directory. */
  reach(cwd: string, user: UserEnvironment, facts: TreeFacts): Pick<Reach, "files">;
  /** With a tool's result, in a session that began in a directory. */
  onTouch(cwd: string, touch: Touch, user: UserEnvironment, facts: TreeFacts): readonly ReachedFile[];
  /** It loads a file with a tool's result once in a session, and not again after a compaction. */
  readonly loadsOnce?: true;
  /** The files whose paths it names to its model after a tool call, the first time that one touches their scope. */
  namesOn?(cwd: string, touch: Touch, user: UserEnvironment, facts: TreeFacts): readonly string[];
  /** It tells its model itself that files which it loaded when the session began have changed. */
  readonly tellsChanges?: true;
  /** What it would load if the model read a path with the tool for files, in a session that began in a directory. */
  loadsFor?(cwd: string, path: string, user: UserEnvironment, facts: TreeFacts): OwnFiles;
  /** The skills that it lists with a tool's result: those for some files only, and those of directories further down. */
  listsWith?(cwd: string, touch: Touch, user: UserEnvironment, facts: TreeFacts): readonly string[];
  /** Of these, the skills of directories between where a session began and a path. */
  listsBelow?(cwd: string, path: string, facts: TreeFacts): readonly string[];
  /**
   * How it lists skills in a session that begins in a directory; undefined if it lists none, or that is not certain.
   */
  skillListing?(cwd: string, user: UserEnvironment, facts: TreeFacts): SkillListing | undefined;
}

/** The profile of a client that gives instruction files to its model by itself. */
export interface NativeClient extends ClientProfile {
  /** As in `NativeLoads`. */
  onTouch: NativeLoads["onTouch"];
  readonly loadsOnce?: true;
  namesOn?(...asked: Parameters<NonNullable<NativeLoads["namesOn"]>>): readonly string[];
  readonly tellsChanges?: true;
  loadsFor?(...asked: Parameters<NonNullable<NativeLoads["loadsFor"]>>): OwnFiles;
  listsWith?(...asked: Parameters<NonNullable<NativeLoads["listsWith"]>>): readonly string[];
  listsBelow?(...asked: Parameters<NonNullable<NativeLoads["listsBelow"]>>): readonly string[];
  skillListing: NonNullable<NativeLoads["skillListing"]>;
  /** The text that the model gets, in the client's wording; "" for nothing. */
  text(reach: ClientReach, facts: TreeFacts): string;
  skillDirectories(cwd: string, user: UserEnvironment, facts: TreeFacts): readonly string[];
}

/** What a file in a client's folder exports. The registry adds the names. */
export type Part<Whole extends { readonly name: string; readonly title: string }> = Omit<Whole, "name" | "title">;
