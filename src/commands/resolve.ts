import { resolve } from "node:path";
import { COMMON_ARGS, expandOperands, usage, wantsJson, XML_ARGS } from "../cli/args.ts";
import type { Command, Outcome } from "../command.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import type { Pending } from "../instructions/pending.ts";
import { gatherInstructions, targetsOf } from "../instructions/gather.ts";
import type { ResolvedAgents } from "../instructions/schema.ts";
import {
  remainingSentence,
  reminderText,
  reminderMessage,
  tellPaths,
  type Message,
  type Occasion,
} from "../instructions/tell.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { inWorkspace, isForPeople, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

const MAX_STDIN_BYTES = 8 * 1024 * 1024;

/**
 * @input  paths: files or directories, existing or not; `-` reads them from standard input
 * @effect the ledger: what was printed is covered
 * @error  usage without a path, or for a file on another machine
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
    ...XML_ARGS,
    ...COMMON_ARGS,
  },
  maxOperands: Number.POSITIVE_INFINITY,
  run(world, invocation) {
    const { operands } = invocation;
    if (operands.length === 0) return usage("'codelia resolve' needs a path; see 'codelia resolve --help'");
    if (operands.includes("")) return usage("'' is not a path; is a variable unset?");
    const isPiped = operands.includes("-");
    const piped = isPiped ? readPiped(world) : [];
    if (piped === undefined) return usage("standard input holds more than 8 MiB of paths");
    const typed = isPiped ? operands.filter((operand) => operand !== "-") : operands;
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const json = wantsJson(invocation.flags);
      const { enabled, resolver } = workspace.settings.agents;
      const named = await expandOperands(workspace.cwd, typed);
      if (named.kind === "too-many") return usage(named.reason);
      let paths: readonly string[] = [...named.paths, ...piped];
      if (hasSpecial(paths)) {
        const { givenPath } = await import("../touched/given-path.ts");
        const foreign = paths.find((path) => givenPath(path, world.home) === undefined);
        if (foreign !== undefined) return usage(`'${foreign}' is not a file on this machine`);
        paths = paths.map((path) => givenPath(path, world.home) ?? path);
      }
      const more = workspace.noState ? "higher-limit" : "next-question";
      if (isForPeople(world, invocation)) return showPeople(world, workspace, paths, more);
      const say = (pending: Pending) => (json ? asJson(pending, more) : inWords(workspace, paths, pending, more));
      const printed = enabled && resolver.enabled && (await tellPaths(world, workspace, paths, say));
      if (json && !printed) world.write(renderJson([]));
      return "ok";
    });
  },
};

async function showPeople(
  world: World,
  workspace: Workspace,
  paths: readonly string[],
  more: Occasion["more"],
): Promise<Outcome> {
  const [{ displayOf }, { nothingToTell, resolvedTable }] = await Promise.all([
    import("../cli/display.ts"),
    import("../instructions/resolved-table.ts"),
  ]);
  const display = displayOf(world);
  const say = (pending: Pending) => ({ text: resolvedTable(display, workspace.cwd, pending, more) });
  const { enabled, resolver } = workspace.settings.agents;
  const isOn = enabled && resolver.enabled;
  if (isOn && (await tellPaths(world, workspace, paths, say))) return "ok";
  const applying = isOn ? await gatherInstructions(world, workspace, targetsOf(workspace, paths)) : undefined;
  world.write(nothingToTell(display, workspace.key, applying?.files.length ?? 0));
  return "ok";
}

/** `~/a.ts`, or `file:///repo/a.ts` as editors write it. */
function hasSpecial(paths: readonly string[]): boolean {
  for (const path of paths) if (path.startsWith("~") || path.startsWith("file:")) return true;
  return false;
}

function inWords(
  { cwd }: Workspace,
  paths: readonly string[],
  pending: Pending,
  more: Occasion["more"],
): Message | undefined {
  const touched = [...new Set(paths.map((path) => resolve(cwd, path)))].map((path) => ({
    path,
    access: "read" as const,
  }));
  const text = reminderText("system-reminder", pending, { cwd, touched, more });
  return reminderMessage("agents.resolve.paths", text, (whole) => whole);
}

function asJson({ tell, remaining, gone }: Pending, more: Occasion["more"]): Message {
  // The JSON schema has fields for files only.
  const notes = gone.map((path) => `'${visible(path)}' is no longer in force`);
  if (remaining > 0) notes.push(remainingSentence(remaining, more));
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

/** Paths separated by NUL if there is one, as `find -print0` writes them; otherwise by newline. */
export function splitPaths(text: string): string[] {
  const paths = text.includes("\0") ? text.split("\0") : text.split(/\r?\n/);
  return paths.filter((path) => path !== "");
}
