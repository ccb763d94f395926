import type { Reach, ReachedFile } from "../report/reach.ts";
import type { FoundFile, UnusableReason } from "../instructions/chain.ts";

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
  reach(cwd: string, place: ProfilePlace, facts: TreeFacts): Reach;
}

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
  text(reach: Reach, facts: TreeFacts): string;
  /** The directories whose skills it lists to its model. */
  skillPlaces(cwd: string, place: ProfilePlace, facts: TreeFacts): readonly string[];
}
