/** An expression of which recheck does not prove that it takes time in proportion, and why that does no harm. */
export interface ListedExpression {
  /** From `src/`. */
  readonly file: string;
  /** How it begins; of one that is put together as the program runs, what it becomes. */
  readonly beginning: string;
  /** As many characters at most does it get. */
  readonly most: number;
  /** What bounds them, and why it is not written in another way. */
  readonly why: string;
  /** The worst that can be thought of: what is repeated between two texts. A test has it take so many characters. */
  readonly worst: readonly [before: string, part: string, behind: string];
}

const KIB = 1024;

export const LISTED: readonly ListedExpression[] = [
  {
    file: "check/lost-links.ts",
    beginning: "/^(?!@)(?:\\.{1,2}\\/)*(?:[\\w.@-]+\\/)*[\\w.@-]+$/",
    most: KIB,
    why: "a file of more than MAX_LENGTH is not asked; what is in front of the slashes may be read in two ways",
    worst: ["", "../", "!"],
  },
  {
    file: "check/mention-context.ts",
    beginning: "/^`[\\s*_)]*(?:[\\w-]+\\s){0,3}(?:would be|",
    most: 80,
    why: "it gets MAX_AFTER characters after a path",
    worst: ["`", "in their ", "x"],
  },
  {
    file: "check/mention-context.ts",
    beginning: "/:(?=[\\s*_]*$)/",
    most: 200,
    why: "it gets 200 characters before a path",
    worst: ["", ": ", "a"],
  },
  {
    file: "check/mention-context.ts",
    beginning: "/\\b(?:(?:creat(?:es?|ed|ing)|",
    most: 200,
    why: "it gets 200 characters before a path; words and blanks in front of each other are what it is about",
    worst: ["", "add the ", "!"],
  },
  {
    file: "check/path-mentions.ts",
    beginning: "/(?::\\d+(?:-\\d+)?)+$/",
    most: 512,
    why: "a code span of more than MAX_SPAN is not asked",
    worst: ["a", ":1-1", "a"],
  },
  {
    file: "lib/markdown/paths.ts",
    beginning: "/^[^\\s/@]+@[^\\s/@]+\\.(?!",
    most: KIB,
    why: "a target of more than MAX_TARGET is not asked; which endings are a file's is easiest said so",
    worst: ["a@", "a.", "1"],
  },
  {
    file: "lib/words.ts",
    beginning: "/\\B(?=(?:\\d{3})+$)/g",
    most: 21,
    why: "it gets a number of ours",
    worst: ["", "1", ""],
  },
  {
    file: "agent/schema.ts",
    beginning: "/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_-]*$/",
    most: 256 * KIB,
    why: "it looks ahead once, over nine characters; as a part of a JSON Schema it has to be one expression",
    worst: ["a", "a", "!"],
  },
  {
    file: "config/schema.ts",
    beginning: "/^(?!\\.{1,2}$)[^/\\\\\\0]+$/",
    most: 64 * KIB,
    why: "it looks ahead once, over two characters; as a part of a JSON Schema it has to be one expression",
    worst: ["", "a", "/"],
  },
  {
    file: "instructions/body.ts",
    beginning: "/<(?=[\\s",
    most: 1024 * KIB,
    why: "no bracket is among what it passes over: it looks ahead from each bracket to the next one at most",
    worst: ["<a", "\u200B", "<"],
  },
  {
    file: "instructions/body.ts",
    beginning: "/[[\\p{Cc}",
    most: 1024 * KIB,
    why: "one character at a time; recheck doesn't read differences of classes, here and below",
    worst: ["", "a", ""],
  },
  {
    file: "instructions/body.ts",
    beginning: "/(?<=^|[\\n",
    most: 1024 * KIB,
    why: "it looks ahead from the beginning of a line to that line's end at most",
    worst: ["", "\n\u200B", "Instructions from "],
  },
  {
    file: "lib/escape.ts",
    beginning: "/#(?=#\\w*",
    most: 1024 * KIB,
    why: "no # is among what it passes over: it looks ahead from each to the next one at most",
    worst: ["#", "#a", "#"],
  },
];
