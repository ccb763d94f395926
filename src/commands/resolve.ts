import { COMMON_ARGS, expandOperands, usage } from "../cli/args.ts";
import type { Command, Outcome } from "../command.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import type { Pending } from "../instructions/pending.ts";
import type { ResolvedAgents } from "../instructions/schema.ts";
import { remainingSentence, reminderText, reminderMessage, tellPaths, type Message } from "../instructions/tell.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { inWorkspace } from "../workspace.ts";
import type { World } from "../world.ts";

const MAX_STDIN_BYTES = 8 * 1024 * 1024;

/**
 * @input  paths: files or directories, existing or not; `-` reads them from standard input
 * @effect the ledger: what was printed is covered
 * @error  usage without a path
 */
export const command: Command = {
  meta: {
    name: "resolve",
    description: "Name the instruction files that apply to the paths and that this context has not been told yet.",
  },
  args: {
    path: {
      type: "positional",
      valueHint: "…",
      description:
        "files, directories or patterns, existing or not; '-' reads paths from standard input, separated by newline or NUL",
    },
    ...COMMON_ARGS,
  },
  maxOperands: Number.POSITIVE_INFINITY,
  run(world, invocation) {
    const { operands } = invocation;
    if (operands.length === 0) return usage("resolve needs a path; see 'codelia resolve --help'");
    if (operands.includes("")) return usage("'' is not a path; is a variable unset?");
    const piped = operands.includes("-") ? readPiped(world) : [];
    if (piped === undefined) return usage("standard input holds more than 8 MiB of paths");
    const typed = operands.filter((operand) => operand !== "-");
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const json = invocation.flags["json"] === true;
      const { enabled, resolver } = workspace.settings.agents;
      const { noState } = workspace;
      const named = await expandOperands(workspace.cwd, typed);
      if (named.kind === "too-many") return usage(named.reason);
      const paths = [...named.paths, ...piped];
      const say = (pending: Pending) => (json ? asJson(pending, noState) : inWords(pending, noState));
      const printed = enabled && resolver.enabled && (await tellPaths(world, workspace, paths, say));
      if (json && !printed) world.write(renderJson([]));
      return "ok";
    });
  },
};

function inWords(pending: Pending, noState: boolean): Message | undefined {
  return reminderMessage("agents.resolve.paths", reminderText("system-reminder", pending, noState), (text) => text);
}

function asJson({ tell, remaining, gone }: Pending, noState: boolean): Message {
  // The JSON schema has fields for files only.
  const notes = gone.map((path) => `'${visible(path)}' is no longer in force`);
  if (remaining > 0) notes.push(remainingSentence(remaining, noState));
  return { text: renderJson(tell), notes };
}

function renderJson(files: readonly InstructionFile[]): string {
  const resolved: ResolvedAgents = {
    files: files.map(({ path, version: { mtimeMs, sizeBytes } }) => ({ path, mtimeMs, sizeBytes })),
  };
  return jsonLine(resolved);
}

function readPiped(world: World): readonly string[] | undefined {
  const bytes = world.readStdin(MAX_STDIN_BYTES);
  return bytes && splitPaths(new TextDecoder().decode(bytes));
}

/** Paths separated by NUL if there is one, as `find -print0` writes them, else by newline. */
export function splitPaths(text: string): string[] {
  const paths = text.includes("\0") ? text.split("\0") : text.split(/\r?\n/);
  return paths.filter((path) => path !== "");
}
