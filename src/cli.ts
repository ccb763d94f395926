import type { Command, Outcome, Problem } from "./command.ts";
import { parseFlags } from "./cli/args.ts";
import { CodeliaError, exitOf, type ExitName } from "./errors.ts";
import type { World } from "./world.ts";
import { jsonLine, visible } from "./lib/escape.ts";

/** The code of each verb, loaded when it is called. `cli/guide.ts` has their summaries. */
const VERBS: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  resolve: () => import("./commands/resolve.ts"),
  hook: () => import("./commands/hook.ts"),
  "init-context": () => import("./commands/init-context.ts"),
  "resume-diff": () => import("./commands/resume-diff.ts"),
  "session list": () => import("./commands/session-list.ts"),
  "session reset": () => import("./commands/session-reset.ts"),
  init: () => import("./commands/init.ts"),
  report: () => import("./commands/report.ts"),
  audit: () => import("./commands/audit.ts"),
  explain: () => import("./commands/explain.ts"),
  preview: () => import("./commands/preview.ts"),
  inspect: () => import("./commands/inspect.ts"),
  config: () => import("./commands/config.ts"),
  install: () => import("./commands/install.ts"),
  uninstall: () => import("./commands/uninstall.ts"),
  doctor: () => import("./commands/doctor.ts"),
  mcp: () => import("./commands/mcp.ts"),
  check: () => import("./commands/check.ts"),
  rule: () => import("./commands/rule.ts"),
  trim: () => import("./commands/trim.ts"),
  completions: () => import("./commands/completions.ts"),
  plugins: () => import("./commands/plugins.ts"),
  trust: () => import("./commands/trust.ts"),
  schema: () => import("./commands/schema.ts"),
  "agent new": () => import("./commands/agent-new.ts"),
  "agent validate": () => import("./commands/agent-validate.ts"),
  "agent run": () => import("./commands/agent-run.ts"),
  "agent start": () => import("./commands/agent-start.ts"),
  "agent status": () => import("./commands/agent-status.ts"),
  "agent stop": () => import("./commands/agent-stop.ts"),
  "skills list": () => import("./commands/skills-list.ts"),
  "skills search": () => import("./commands/skills-search.ts"),
  "skills load": () => import("./commands/skills-load.ts"),
  "skills check": () => import("./commands/skills-check.ts"),
};

/**
 * Runs the verb that the arguments name. Help and errors are printed only here.
 *
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

export function loadVerb(words: string): Promise<{ command: Command }> | undefined {
  return Object.hasOwn(VERBS, words) ? VERBS[words]?.() : undefined;
}

function dispatch(world: World): Outcome | Promise<Outcome> {
  const [first = "", second = "", ...rest] = world.argv;
  const verb = loadVerb(first);
  if (verb !== undefined) return runVerb(world, "codelia", verb, world.argv.slice(1));
  const inGroup = loadVerb(`${first} ${second}`);
  if (inGroup !== undefined) return runVerb(world, `codelia ${first}`, inGroup, rest);
  if (first === "skills" && canPick(world, second)) {
    return runVerb(world, "codelia", import("./commands/skills-pick.ts"), world.argv.slice(1));
  }
  return dispatchOther(world);
}

/** Command lines that begin without a verb. */
async function dispatchOther(world: World): Promise<Outcome> {
  const [first = "", second] = world.argv;
  if (/^(--version|-v|version)$/i.test(first)) return printVersion(world);
  if (first === "help" && second !== undefined) return dispatch({ ...world, argv: [...world.argv.slice(1), "--help"] });
  if (first.startsWith("-")) {
    const { flagsBehindVerb } = await import("./cli/guide.ts");
    const argv = flagsBehindVerb(world.argv);
    if (argv !== world.argv) return dispatch({ ...world, argv });
  }
  if (world.argv.length === 0 && world.isTerminal("stdin") && world.isTerminal("stdout")) {
    const outcome = await runVerb(world, "codelia", import("./commands/init.ts"), ["--show"]);
    world.complain("'codelia help' lists all commands\n");
    return outcome;
  }
  const { guide } = await import("./cli/guide.ts");
  return guide(world, world.argv);
}

/** Whether `skills` without a verb can open the picker. If not, or with --help, it is a group of verbs. */
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
    const { flagProblem } = await import("./cli/guide.ts");
    return flagProblem(parsed, command);
  }
  if (parsed.operands.length > command.maxOperands) {
    const extra = parsed.operands[command.maxOperands];
    const name = `${parent} ${command.meta.name}`.replace("codelia ", "");
    return { code: "usage", message: `'${name}' takes no '${extra}'; see its --help` };
  }
  return command.run(world, parsed, loadVerb);
}

async function printHelp(world: World, parent: string, { meta, args }: Command): Promise<Outcome> {
  const [{ renderUsage }, { EXAMPLES }, { layOutHelp }] = await Promise.all([
    import("citty"),
    import("./cli/examples.ts"),
    import("./cli/help.ts"),
  ]);
  const help = await renderUsage({ meta, args }, { meta: { name: parent } });
  const isSeen = world.isTerminal("stdout");
  const columns = isSeen ? (await import("./cli/terminal.ts")).outputColumns() : Number.POSITIVE_INFINITY;
  const usage = layOutHelp(help, columns);
  const example = EXAMPLES[`${parent} ${meta.name}`.replace("codelia ", "")];
  world.write(example === undefined ? `${usage}\n` : `${usage}\n\nEXAMPLE\n\n  ${example}\n`);
  return "ok";
}

async function printVersion(world: World): Promise<Outcome> {
  const { ownVersion } = await import("./cli/version.ts");
  world.write(`${await ownVersion()}\n`);
  return "ok";
}

function conclude(world: World, json: boolean, { code, message, details }: Problem): ExitName {
  // A client calls a hook at every step, so even an invalid command line must not block it.
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
