import type { Outcome, Command, Problem } from "../command.ts";
import { didYouMean } from "../lib/words.ts";
import type { World } from "../world.ts";
import { COMMON_ARGS, findFlag, flagNames, usage, type ParsedFlags } from "./args.ts";
import { WHERE_TO_START } from "./examples.ts";

interface Group {
  readonly summary: string;
  readonly verbs: Summaries;
  /** What the group does without a verb. */
  readonly alone?: string;
}

/** What each verb does. A test compares the names with the verbs that can be called. */
export const VERBS: Readonly<Record<string, string | Group>> = {
  "init-context": "print the instructions and skills that apply in a directory, and begin a context",
  resolve: "name the instruction files that apply to a path and have not been told yet",
  "resume-diff": "say what changed since this context was last told",
  session: {
    summary: "show or forget what contexts were told",
    verbs: { list: "show what each context was told", reset: "forget what a session was told" },
  },
  check: "find problems in a repository's instructions, skills, config and hooks",
  rule: "explain a rule of check, or list all rules",
  hook: "answer a client's hook: event on stdin, JSON on stdout",
  preview: "show what a session is given where it begins, and what an edit adds",
  init: "show what agents read here and what they miss, and offer to install hooks",
  report: "show which instruction files and skills reached sessions, and what each costs",
  audit: "show whether the model had the instruction files that applied each time it wrote",
  explain: "show which instruction files each client reads for a path, and why not the others",
  inspect: "show the effective root, settings, instruction files, ledger and skills",
  install: "add codelia's hooks to a coding agent's settings",
  uninstall: "remove codelia's hooks from a coding agent's settings",
  doctor: "check that the hooks are installed and work",
  mcp: "run an MCP server on stdin/stdout",
  config: "show every effective setting and where it comes from",
  trim: "cut stdin to a limit and keep the whole in a file",
  plugins: "list plugins, or try one",
  trust: "trust what a project's config asks for or an agent definition runs",
  schema: "print a JSON Schema",
  completions: "print a shell completion script",
  agent: {
    summary: "check and run agent definitions",
    verbs: {
      new: "write a starter definition",
      validate: "find errors in a definition without running it",
      run: "run a definition to its end",
      start: "guide a client's session through a definition",
      status: "show the runs of this project",
      stop: "end a run",
    },
  },
  skills: {
    summary: "list, search, load and check skills",
    verbs: {
      list: "list all skills, broken ones too",
      search: "find skills that match a query, best first",
      load: "print a skill's text, once per context",
      check: "find problems in skills",
    },
    alone: "On a terminal, 'codelia skills' alone opens a picker that searches, enables and disables skills.",
  },
};

/** The verbs by task, for the overview. */
const JOBS: readonly (readonly [job: string, verbs: readonly string[]])[] = [
  ["See what agents read", ["init", "explain", "preview", "audit", "report", "inspect", "config"]],
  ["Connect a coding agent", ["install", "uninstall", "doctor", "hook", "mcp"]],
  ["Find problems", ["check", "rule"]],
  ["Use in scripts", ["init-context", "resolve", "resume-diff", "skills", "session", "trim"]],
  ["Run agent definitions", ["agent", "trust"]],
  ["Extend", ["plugins", "schema", "completions"]],
];

const HELP_WORDS = new Set(["--help", "-h", "help"]);

/**
 * Answers a command line without a verb: with the overview of the program or of a group of verbs, or with the verb that
 * was probably meant.
 */
export function guide(world: World, argv: readonly string[]): Outcome | Promise<Outcome> {
  const [first, second] = argv;
  if (first === undefined || HELP_WORDS.has(first)) return overview(world, renderProgram(), first);
  const entry = Object.hasOwn(VERBS, first) ? VERBS[first] : undefined;
  if (entry === undefined || typeof entry === "string") {
    return unknown(first, "", Object.keys(VERBS), WHERE_TO_START);
  }
  const { verbs, alone } = entry;
  if (second === undefined || HELP_WORDS.has(second)) {
    const text = renderOverview(`codelia ${first}`, [["Commands", verbs]]);
    return overview(world, alone === undefined ? text : `${text}${alone}\n`, second);
  }
  return unknown(second, `${first} `, Object.keys(verbs), `one of ${Object.keys(verbs).join(", ")}`);
}

function renderProgram(): string {
  const sections = JOBS.map(([job, names]): Section => [job, Object.fromEntries(names.map(summaryOf))]);
  return renderOverview("codelia", sections);
}

function summaryOf(name: string): [name: string, summary: string] {
  const entry = VERBS[name] ?? "";
  return [name, typeof entry === "string" ? entry : entry.summary];
}

/** Prints help to standard output if the user asked for it, else to standard error; wrapped on a terminal. */
async function overview(world: World, text: string, asked: string | undefined): Promise<Outcome> {
  const [write, isSeen] =
    asked === undefined ? [world.complain, world.isTerminal("stderr")] : [world.write, world.isTerminal("stdout")];
  if (isSeen) {
    const { displayOf, hangingLines } = await import("./display.ts");
    write(hangingLines(displayOf(world), text));
  } else write(text);
  return asked === undefined ? "usage" : "ok";
}

function unknown(typed: string, group: string, names: readonly string[], wayOut: string): Outcome {
  const hint = didYouMean(typed, names) || `; ${wayOut}`;
  return { code: "unknown_command", message: `unknown command '${group}${typed}'${hint}` };
}

/** Names of verbs, each with what it is for. */
type Summaries = Readonly<Record<string, string>>;

type Section = readonly [title: string, verbs: Summaries];

/** The overview of a program or of a group of verbs: one line each. */
function renderOverview(name: string, sections: readonly Section[]): string {
  const width = Math.max(...sections.flatMap(([, verbs]) => Object.keys(verbs).map((verb) => verb.length)));
  const lines = sections.flatMap(([title, verbs]) => [
    `${title}:`,
    ...Object.entries(verbs).map(([verb, summary]) => `  ${verb.padEnd(width)}  ${summary}`),
    "",
  ]);
  return [
    `Usage: ${name} <command> [flags]`,
    "",
    ...lines,
    `'${name} <command> --help' shows a command's flags and an example; 'codelia --version' shows the version.`,
    "",
  ].join("\n");
}

/** Moves the flags before a verb to after it: `-C DIR --json skills list` becomes `skills list -C DIR --json`. */
export function flagsBehindVerb(argv: readonly string[]): readonly string[] {
  const end = countLeadingFlags(argv);
  const [first, second, ...others] = argv.slice(end);
  if (first === undefined) return argv;
  const flags = argv.slice(0, end);
  const isInGroup = typeof VERBS[first] === "object" && second !== undefined && !second.startsWith("-");
  const rest = second === undefined ? [] : [second, ...others];
  return isInGroup ? [first, second, ...flags, ...others] : [first, ...flags, ...rest];
}

/** How many words the flags before a verb take, with their values. */
export function countLeadingFlags(argv: readonly string[]): number {
  let end = 0;
  while (argv[end]?.startsWith("-")) end += takesNextWord(argv[end] as string) ? 2 : 1;
  return end;
}

function takesNextWord(word: string): boolean {
  const name = findFlag(word, COMMON_ARGS);
  return name !== undefined && COMMON_ARGS[name as keyof typeof COMMON_ARGS].type === "string";
}

const SEE_HELP = "; see its --help";

/** Says what is wrong with a command line, and what was probably meant. */
export function flagProblem(parsed: Exclude<ParsedFlags, { kind: "ok" }>, command: Command): Problem {
  const { flag } = parsed;
  switch (parsed.kind) {
    case "unknown_flag": {
      // A flag of other commands is not a typo.
      const isCommon = Object.hasOwn(COMMON_ARGS, flag.slice(2));
      const hint = isCommon ? "" : didYouMean(flag, flagNames(command.args));
      return { code: "unknown_flag", message: `unknown flag '${flag}'${hint || SEE_HELP}` };
    }
    case "missing_value":
      return usage(`'${flag}' needs a value${SEE_HELP}`);
    case "unexpected_value":
      return usage(`'${flag}' takes no value${SEE_HELP}`);
    case "bad_choice":
      return usage(`'${flag}' can't be '${parsed.value}'; one of ${parsed.choices.join(", ")}`);
  }
}
