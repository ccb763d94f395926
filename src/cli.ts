import type { Command, Outcome, Problem } from "./command.ts";
import { parseFlags } from "./cli/flags.ts";
import { withoutEnd } from "./lib/text.ts";
import { CodeliaError, exitOf, type ExitName } from "./errors.ts";
import type { World } from "./world.ts";
import { jsonLine, visible } from "./lib/escape.ts";

/**
 * @input  world: the process
 * @output how the program ends, by name
 * @effect those of the command that was called; help and errors are printed here and nowhere else
 * @ensures never throws
 */
export async function run(world: World): Promise<ExitName> {
  const json = world.argv.includes("--json");
  try {
    const outcome = await dispatch(world);
    return typeof outcome === "string" ? outcome : conclude(world, json, outcome);
  } catch (error) {
    return conclude(world, json, error instanceof CodeliaError ? error : asInternal(error));
  }
}

function dispatch(world: World): Outcome | Promise<Outcome> {
  const [first = "", second = "", ...rest] = world.argv;
  if (first === "--version" || first === "-V") return printVersion(world);
  const verb = loadVerb(first);
  if (verb !== undefined) return runVerb(world, "codelia", verb, world.argv.slice(1));
  const inGroup = loadVerb(`${first} ${second}`);
  if (inGroup !== undefined) return runVerb(world, `codelia ${first}`, inGroup, rest);
  if (first === "skills" && canPick(world, second)) {
    return runVerb(world, "codelia", import("./commands/skills-pick.ts"), world.argv.slice(1));
  }
  return import("./cli/guide.ts").then(({ guide }) => guide(world, world.argv));
}

/**
 * The code of a verb, loaded when it is called: nothing here may import a command otherwise. A `switch`, because a
 * table of functions would be made anew by every call. What each verb is for stands in `commands/guide.ts`.
 */
export function loadVerb(words: string): Promise<{ command: Command }> | undefined {
  switch (words) {
    case "resolve":
      return import("./commands/resolve.ts");
    case "hook":
      return import("./commands/hook.ts");
    default:
      return loadRarerVerb(words);
  }
}

/** Apart, because a function costs what is in it as soon as it is called once. */
function loadRarerVerb(words: string): Promise<{ command: Command }> | undefined {
  switch (words) {
    case "init-context":
      return import("./commands/init-context.ts");
    case "resume-diff":
      return import("./commands/resume-diff.ts");
    case "session list":
      return import("./commands/session-list.ts");
    case "session reset":
      return import("./commands/session-reset.ts");
    case "explain":
      return import("./commands/explain.ts");
    case "inspect":
      return import("./commands/inspect.ts");
    case "config":
      return import("./commands/config.ts");
    case "install":
      return import("./commands/install.ts");
    case "uninstall":
      return import("./commands/uninstall.ts");
    case "doctor":
      return import("./commands/doctor.ts");
    case "mcp":
      return import("./commands/mcp.ts");
    case "check":
      return import("./commands/check.ts");
    case "trim":
      return import("./commands/trim.ts");
    case "completions":
      return import("./commands/completions.ts");
    case "plugins":
      return import("./commands/plugins.ts");
    case "trust":
      return import("./commands/trust.ts");
    case "schema":
      return import("./commands/schema.ts");
    case "agent validate":
      return import("./commands/agent-validate.ts");
    case "agent run":
      return import("./commands/agent-run.ts");
    case "agent start":
      return import("./commands/agent-start.ts");
    case "agent status":
      return import("./commands/agent-status.ts");
    case "agent stop":
      return import("./commands/agent-stop.ts");
    case "skills list":
      return import("./commands/skills-list.ts");
    case "skills search":
      return import("./commands/skills-search.ts");
    case "skills load":
      return import("./commands/skills-load.ts");
    case "skills check":
      return import("./commands/skills-check.ts");
    default:
      return undefined;
  }
}

/** Whether `skills` without a verb has someone to show its skills to; otherwise, and for its help, it is a group. */
function canPick(world: World, second: string): boolean {
  if (second === "--help" || second === "-h" || (second !== "" && !second.startsWith("-"))) return false;
  return world.env["TERM"] !== "dumb" && world.isTerminal("stdin") && world.isTerminal("stderr");
}

async function runVerb(
  world: World,
  parent: string,
  verb: Promise<{ command: Command }>,
  argv: readonly string[],
): Promise<Outcome> {
  const { command } = await verb;
  world.trace("loaded", { verb: command.meta.name });
  const end = argv.indexOf("--");
  const before = end < 0 ? argv : argv.slice(0, end);
  if (before.includes("--help") || before.includes("-h")) return printHelp(world, parent, command);
  if (before.includes("--version")) return printVersion(world);
  const parsed = parseFlags(argv, command.args);
  if (parsed.kind !== "ok") {
    const { flagProblem } = await import("./cli/flag-problem.ts");
    return flagProblem(parsed, command);
  }
  const extra = parsed.operands[command.maxOperands];
  if (extra !== undefined) {
    return { code: "usage", message: `${parent} ${command.meta.name} takes no '${extra}'; see its --help` };
  }
  return command.run(world, parsed, loadVerb);
}

async function printHelp(world: World, parent: string, { meta, args }: Command): Promise<Outcome> {
  const { renderUsage } = await import("citty");
  const help = await renderUsage({ meta, args }, { meta: { name: parent } });
  // eslint-disable-next-line no-control-regex -- the escape sequences are what is removed
  const lines = help.replaceAll(/\u001B\[\d+m/g, "").split("\n");
  world.write(`${lines.map((line) => withoutEnd(line, " ")).join("\n")}\n`);
  return "ok";
}

async function printVersion(world: World): Promise<Outcome> {
  const manifest = await import("../package.json", { with: { type: "json" } });
  world.write(`${manifest.default.version}\n`);
  return "ok";
}

function conclude(world: World, json: boolean, { code, message, details }: Problem): ExitName {
  // What it prints is for a client that calls it with every step: a command line that is none must not be in the way.
  const isHook = world.argv[0] === "hook";
  if (json && !isHook) world.write(jsonLine({ error: { code, message, ...details } }));
  world.complain(`codelia: ${visible(message)}\n`);
  world.trace("error", { code, message });
  return isHook ? "ok" : exitOf(code);
}

function asInternal(error: unknown): Problem {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: "internal", message: `internal error, please report it: ${stack.replaceAll(/\n\s*/g, " ")}` };
}
