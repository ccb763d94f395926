import type { Command, Outcome, Problem } from "./command.ts";
import { parseFlags, flagNames, type ParsedFlags } from "./core/flags.ts";
import { didYouMean } from "./core/nearest.ts";
import { CodeliaError, exitOf, type ExitName } from "./errors.ts";
import type { World } from "./world.ts";

interface Verb {
  readonly summary: string;
  readonly load: () => Promise<{ command: Command }>;
}
interface Group {
  readonly summary: string;
  readonly verbs: Readonly<Record<string, Verb>>;
}

/** Every verb. A verb's code is loaded when it is called: nothing here may import a command. */
const VERBS: Readonly<Record<string, Verb | Group>> = {
  "init-context": {
    summary: "print the instructions and skills that apply in a directory, and begin a context",
    load: () => import("./commands/init-context.ts"),
  },
  resolve: {
    summary: "name the instruction files that apply to a path and were not told yet",
    load: () => import("./commands/resolve.ts"),
  },
  "resume-diff": {
    summary: "say what changed since this context was last told",
    load: () => import("./commands/resume-diff.ts"),
  },
  session: {
    summary: "see or forget what was told",
    verbs: {
      list: { summary: "what each context of each session was told", load: () => import("./commands/session-list.ts") },
      reset: { summary: "forget what a session was told", load: () => import("./commands/session-reset.ts") },
    },
  },
  config: {
    summary: "show every effective setting and where it comes from",
    load: () => import("./commands/config.ts"),
  },
  trim: {
    summary: "cut standard input to a limit, and keep the whole",
    load: () => import("./commands/trim.ts"),
  },
  schema: {
    summary: "print a JSON Schema",
    load: () => import("./commands/schema.ts"),
  },
  skills: {
    summary: "list, search and load skills",
    verbs: {
      list: { summary: "every skill, and every skill that is broken", load: () => import("./commands/skills-list.ts") },
      search: { summary: "the skills that fit a query, best first", load: () => import("./commands/skills-search.ts") },
      load: { summary: "one skill's text, once per context", load: () => import("./commands/skills-load.ts") },
    },
  },
};

const HELP_WORDS = new Set(["--help", "-h", "help"]);

/**
 * @input  world: the process
 * @output how the program ends, by name
 * @effect those of the command that was called; help and errors are printed here and nowhere else
 * @ensures never throws
 */
export async function run(world: World): Promise<ExitName> {
  const json = world.argv.includes("--json");
  try {
    return conclude(world, json, await dispatch(world));
  } catch (error) {
    return conclude(world, json, error instanceof CodeliaError ? error : asInternal(error));
  }
}

async function dispatch(world: World): Promise<Outcome> {
  const [first, ...afterFirst] = world.argv;
  if (first === "--version" || first === "-V") return printVersion(world);
  if (first === undefined || HELP_WORDS.has(first)) return overview(world, "codelia", VERBS, first !== undefined);
  if (!Object.hasOwn(VERBS, first)) throw unknownVerb(first, "", VERBS);
  const entry = VERBS[first] as Verb | Group;
  if (!("verbs" in entry)) return runVerb(world, "codelia", entry, afterFirst);

  const [second, ...afterSecond] = afterFirst;
  const group = `codelia ${first}`;
  if (second === undefined || HELP_WORDS.has(second)) return overview(world, group, entry.verbs, second !== undefined);
  if (!Object.hasOwn(entry.verbs, second)) throw unknownVerb(second, `${first} `, entry.verbs);
  return runVerb(world, group, entry.verbs[second] as Verb, afterSecond);
}

async function runVerb(world: World, parent: string, verb: Verb, argv: readonly string[]): Promise<Outcome> {
  const { command } = await verb.load();
  world.trace("loaded", { verb: command.meta.name });
  const end = argv.indexOf("--");
  const before = end < 0 ? argv : argv.slice(0, end);
  if (before.includes("--help") || before.includes("-h")) return printHelp(world, parent, command);
  if (before.includes("--version")) return printVersion(world);
  const parsed = parseFlags(argv, command.args);
  if (parsed.kind !== "ok") throw flagError(parsed, command);
  const extra = parsed.operands[command.maxOperands];
  if (extra !== undefined) throw usage(`${parent} ${command.meta.name} takes no '${extra}'; see its --help`);
  return command.run(world, parsed);
}

async function overview(
  world: World,
  name: string,
  verbs: Readonly<Record<string, { summary: string }>>,
  isAsked: boolean,
): Promise<Outcome> {
  const { printOverview } = await import("./commands/help.ts");
  return printOverview(world, name, verbs, isAsked);
}

/** citty renders the help, its one use. Its colours are left out: help is read in pipes as often as in terminals. */
async function printHelp(world: World, parent: string, { meta, args }: Command): Promise<Outcome> {
  const { renderUsage } = await import("citty");
  const help = await renderUsage({ meta, args }, { meta: { name: parent } });
  // eslint-disable-next-line no-control-regex -- the escape sequences are what is removed
  world.write(`${help.replaceAll(/\u001B\[\d+m/g, "").replaceAll(/ +$/gm, "")}\n`);
  return "ok";
}

async function printVersion(world: World): Promise<Outcome> {
  const manifest = await import("../package.json", { with: { type: "json" } });
  world.write(`${manifest.default.version}\n`);
  return "ok";
}

function conclude(world: World, json: boolean, outcome: Outcome): ExitName {
  if (typeof outcome === "string") return outcome;
  const { code, message, details } = outcome;
  if (json) world.write(`${JSON.stringify({ error: { code, message, ...details } })}\n`);
  world.complain(`codelia: ${message}\n`);
  world.trace("error", { code, message });
  return exitOf(code);
}

function unknownVerb(typed: string, group: string, verbs: Readonly<Record<string, unknown>>): CodeliaError {
  const names = Object.keys(verbs);
  const hint = didYouMean(typed, names) || `; one of ${names.join(", ")}`;
  return new CodeliaError("unknown_command", `unknown command '${group}${typed}'${hint}`);
}

function flagError(parsed: Exclude<ParsedFlags, { kind: "ok" }>, command: Command): CodeliaError {
  const see = `; see 'codelia ${command.meta.name} --help'`;
  switch (parsed.kind) {
    case "unknown_flag": {
      const hint = didYouMean(parsed.flag, flagNames(command.args)) || see;
      return new CodeliaError("unknown_flag", `unknown flag '${parsed.flag}'${hint}`);
    }
    case "missing_value":
      return usage(`'${parsed.flag}' needs a value${see}`);
    case "unexpected_value":
      return usage(`'${parsed.flag}' takes no value${see}`);
    case "bad_choice":
      return usage(`'${parsed.flag}' can't be '${parsed.value}'; one of ${parsed.choices.join(", ")}`);
  }
}

function usage(message: string): CodeliaError {
  return new CodeliaError("usage", message);
}

function asInternal(error: unknown): Problem {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: "internal", message: `internal error, please report it: ${stack}` };
}
