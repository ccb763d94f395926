import type { Outcome } from "../command.ts";
import { didYouMean } from "../lib/nearest.ts";
import type { World } from "../world.ts";

interface Group {
  readonly summary: string;
  readonly verbs: Summaries;
  /** What the group does without a verb. */
  readonly alone?: string;
}

/** What each verb is for; a group is a table of its own. A test holds the names to those that can be called. */
export const VERBS: Readonly<Record<string, string | Group>> = {
  "init-context": "print the instructions and skills that apply in a directory, and begin a context",
  resolve: "name the instruction files that apply to a path and were not told yet",
  "resume-diff": "say what changed since this context was last told",
  session: {
    summary: "see or forget what was told",
    verbs: { list: "what each context of each session was told", reset: "forget what a session was told" },
  },
  check: "say what is wrong with a repository's instructions, skills, config and hooks, for people and for CI",
  hook: "answer a client's hook: its event on standard input, its JSON on standard output",
  explain: "show what each client reads of the instruction files for a path, and why not the others",
  inspect: "show all that codelia goes by here: root, settings, files, ledger, skills",
  install: "register the hooks in a coding agent's settings",
  uninstall: "take the hooks out of a coding agent's settings",
  doctor: "say whether the hooks are in place and work",
  mcp: "serve the model the same by the Model Context Protocol, on standard input and output",
  config: "show every effective setting and permission rule, and where it comes from",
  trim: "cut standard input to a limit, and keep the whole",
  plugins: "list the plugins: what is run, whether it is trusted, how its calls went; or try one",
  trust: "allow what a project's config asks for, or what an agent definition runs",
  schema: "print a JSON Schema",
  completions: "print what makes a shell complete codelia's words",
  agent: {
    summary: "check and run agent definitions",
    verbs: {
      validate: "what is wrong with a definition; nothing is run",
      run: "one run, driven to its end with a real engine",
      start: "a client's session is guided through a definition, by its Stop hook",
      status: "the runs of this project, and how they stand",
      stop: "end a run",
    },
  },
  skills: {
    summary: "list, search, load and check skills",
    verbs: {
      list: "every skill, and every skill that is broken",
      search: "the skills that fit a query, best first",
      load: "one skill's text, once per context",
      check: "what is wrong with skills, for people and for CI",
    },
    alone:
      "On a terminal 'codelia skills' alone finds a skill as you type, enables and disables it, and prints how to load it.",
  },
};

const HELP_WORDS = new Set(["--help", "-h", "help"]);

/**
 * For a command line that names no verb: the overview of the program or of a group of verbs, or what was probably
 * meant.
 *
 * @input  argv: its first words name no verb
 * @output ok for help that was asked for, usage for help that was not
 * @effect prints
 * @error  unknown_command
 */
export function guide(world: World, argv: readonly string[]): Outcome {
  const [first, second] = argv;
  if (first === undefined || HELP_WORDS.has(first)) return overview(world, "codelia", summariesOf(VERBS), first);
  const entry = Object.hasOwn(VERBS, first) ? VERBS[first] : undefined;
  if (entry === undefined || typeof entry === "string") return unknown(first, "", Object.keys(VERBS));
  if (second === undefined || HELP_WORDS.has(second))
    return overview(world, `codelia ${first}`, entry.verbs, second, entry.alone);
  return unknown(second, `${first} `, Object.keys(entry.verbs));
}

function summariesOf(verbs: typeof VERBS): Summaries {
  return Object.fromEntries(
    Object.entries(verbs).map(([name, entry]) => [name, typeof entry === "string" ? entry : entry.summary]),
  );
}

/** Asked for, help is data; forced on someone who named no verb, it is chatter. */
function overview(
  world: World,
  name: string,
  summaries: Summaries,
  asked: string | undefined,
  alone?: string,
): Outcome {
  const text = renderOverview(name, summaries);
  if (asked === undefined) world.complain(text);
  else world.write(alone === undefined ? text : `${text}${alone}\n`);
  return asked === undefined ? "usage" : "ok";
}

function unknown(typed: string, group: string, names: readonly string[]): Outcome {
  const hint = didYouMean(typed, names) || `; one of ${names.join(", ")}`;
  return { code: "unknown_command", message: `unknown command '${group}${typed}'${hint}` };
}

/** Names of verbs, each with what it is for. */
export type Summaries = Readonly<Record<string, string>>;

/** The overview of a program or of a group of verbs: one line each. */
export function renderOverview(name: string, verbs: Summaries): string {
  const width = Math.max(...Object.keys(verbs).map((verb) => verb.length));
  const lines = Object.entries(verbs).map(([verb, summary]) => `  ${verb.padEnd(width)}  ${summary}`);
  return [
    `Usage: ${name} <command> [flags]`,
    "",
    "Commands:",
    ...lines,
    "",
    `'${name} <command> --help' shows a command's flags; 'codelia --version' the version.`,
    "",
  ].join("\n");
}
