/** What a client loads by itself. Types only; each host's profile is pure. */
export interface NativeProfile {
  /** The client's own settings files, those that win last. */
  settingsOf(place: NativePlace): readonly string[];
  /** Files that, where they say something, have a say in what is loaded. */
  readonly silencers: readonly string[];
  /** What makes a directory the client's root. */
  markersOf(settings: readonly unknown[]): readonly string[];
  /** The files that the model has whole when a context begins. */
  atStart(question: NativeQuestion): ReadonlySet<string>;
  /** Those that it was given only a part of, or nothing, for their length: path → bytes given. */
  cutAtStart?(question: NativeQuestion): ReadonlyMap<string, number>;
  /** The files that a silencer's text has the client load with it, as the text names them. */
  importsIn?(text: string): readonly string[];
  /** The files that it gets whole when a tool touches what they apply to. */
  onTouch(question: NativeQuestion, tool: string): ReadonlySet<string>;
}

export interface NativePlace {
  readonly cwd: string;
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface NativeQuestion extends NativePlace {
  /** The instruction files that apply, root first. */
  readonly files: readonly NativeFile[];
  /** Those of `settingsOf`, as data; undefined for one that is not there or not readable. */
  readonly settings: readonly unknown[];
  /** The silencers that say something, in the directory asked about and above it. */
  readonly speaking: ReadonlySet<string>;
  /** The files whose text comes with each of these: itself, and what it imports. */
  readonly brought: ReadonlyMap<string, readonly { readonly path: string; readonly identity: string }[]>;
  /** Directories with a marker. */
  readonly marked: ReadonlySet<string>;
}

export interface NativeFile {
  readonly path: string;
  readonly directory: string;
  readonly sizeBytes: number;
  readonly identity: string;
}
