import type { Entry, TempTree } from "../../support/temp-tree.ts";

/** The commands that meet each hostile tree; `commands.ts` says how each is called. */
export type CommandName =
  | "init-context"
  | "resolve"
  | "resume-diff"
  | "hook claude, start"
  | "hook claude, tool"
  | "hook codex, start"
  | "hook codex, tool"
  | "skills list"
  | "skills search"
  | "skills load"
  | "skills check"
  | "inspect"
  | "config"
  | "session list"
  | "doctor"
  | "check"
  | "preview"
  | "explain"
  | "install"
  | "uninstall";

/** What a command must do, beyond what every command must always do (`judge.ts`). */
export interface Expected {
  /** How it ends; default as `commands.ts` says. */
  readonly exit?: number;
  /** In standard output; `{tree}` is the tree's root. */
  readonly shows?: readonly string[];
  /** Not in standard output. */
  readonly hides?: readonly string[];
  /** On standard error. */
  readonly says?: RegExp;
}

/** Something that a clone may hold, and what must happen. */
export interface HostileCase {
  readonly what: string;
  /** Put over the tree that all cases have. */
  readonly entries?: Readonly<Record<string, Entry>>;
  /** What no table can hold. */
  readonly plant?: (tree: TempTree) => Disposable | void | Promise<Disposable | void>;
  /** Why it can't be planted on this machine. */
  readonly skip?: string | undefined;
  /** Called as a user whom permissions bind. */
  readonly isUnprivileged?: true;
  /** Where the commands are called, from the tree's root; default `repo`. */
  readonly cwd?: string;
  /** What a tool touches, from there; default `a/x.ts`. */
  readonly touched?: string;
  /** Which skill is loaded; default `good`. */
  readonly skill?: string;
  /** The root's instructions don't come: by default they come in `init-context`. */
  readonly isWithoutRules?: true;
  /** Takes long to plant: played only with all commands. */
  readonly isHeavy?: true;
  /** Played in the short form too, wherever it stands in its table. */
  readonly isAlwaysPlayed?: true;
  /** The only commands it is played with. */
  readonly commands?: readonly CommandName[];
  /** How long one call may take. */
  readonly withinMs?: number;
  readonly expected?: Partial<Readonly<Record<CommandName, Expected>>>;
}

/** Stands in every file outside the project that a case may lead to, and in nothing that may be printed. */
export const SECRET = "hunter2-secret";
/** Made by any code of the clone's that is run; anywhere. */
export const EVIDENCE = "taken-over";
