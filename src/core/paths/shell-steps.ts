/** What a command line says, in the order in which a shell would come across it. */
export type ShellStep =
  | ShellCommand
  /** A subshell or a substitution begins or ends: a `cd` inside ends with it. */
  | { readonly kind: "scope"; readonly opens: boolean }
  /** The end of a list; a list in the background was a subshell too. */
  | { readonly kind: "end"; readonly inBackground: boolean }
  | ShellLoop
  /** The end of its body. */
  | { readonly kind: "done"; readonly at: number };

/** Its body begins, and is run once for each word; without words it is no `for`, and runs once. */
export type ShellLoop = {
  readonly kind: "loop";
  readonly name: string;
  readonly words: readonly Word[];
  /** Where in its text. */
  readonly at: number;
};

export type ShellCommand = {
  readonly kind: "command";
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  readonly heredocs: readonly Heredoc[];
  readonly hereString: Word | undefined;
  readonly isPiped: boolean;
};

export type Assignment = { readonly name: string; readonly words: readonly Word[] };

export type Redirect = { readonly access: "read" | "write"; readonly word: Word };

/** Its body is filled in when the lexer comes to the lines below the command. */
export type Heredoc = { body: string };

export type Word = readonly WordPart[];

export type WordPart =
  /** Quotes are gone; in plain text `*`, `{a,b}` and a leading `~` have their meaning. */
  { readonly kind: "plain" | "quoted"; readonly text: string } | ShellVariable | { readonly kind: "unknown" };

/** The name, which no variable can have, of what git calls the top of the tree. */
export const GIT_ROOT = "git root";

export type ShellVariable = {
  readonly kind: "variable";
  readonly name: string;
  readonly isQuoted: boolean;
  /** What it stands for where nothing is known of it: `${name:-default}`. */
  readonly fallback?: Word;
};
