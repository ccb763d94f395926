import type { Command } from "../command.ts";
import { findReminders, planTrim, type Stretch } from "./trim-trim.ts";
import { keepOutput } from "./output-store.ts";
import { findStatePlace } from "../ledger/state-place.ts";
import type { Workspace } from "../workspace.ts";
import { gapLine, renderTrimmed } from "./trimmed.ts";
import type { World } from "../world.ts";
import { inWorkspace } from "../common.ts";
import { COMMON_ARGS, text } from "../cli/args.ts";
import { jsonLine } from "../lib/escape.ts";

const DEFAULT_MAX_BYTES = 16 * 1024;
const MAX_INPUT_BYTES = 512 * 1024 * 1024;

/**
 * @output standard input, or its head, tail and reminders with a `tool.output.trimmed` reminder after them
 * @effect keeps the whole below `.codelia/outputs/`
 * @error  usage for a limit that is no positive number; internal for more than 512 MiB
 */
export const command: Command = {
  meta: {
    name: "trim",
    description: "Cut standard input to a limit, keep the whole, and say where it is. Reminders in it are never cut.",
  },
  args: {
    "max-bytes": {
      type: "string",
      valueHint: "N",
      description: `bytes to show at most (default ${DEFAULT_MAX_BYTES})`,
    },
    ...COMMON_ARGS,
  },
  maxOperands: 0,
  run(world, invocation) {
    const given = text(invocation.flags["max-bytes"]);
    const maxBytes = given === undefined ? DEFAULT_MAX_BYTES : Number(given);
    if ((given !== undefined && !/^[0-9]+$/.test(given)) || !Number.isSafeInteger(maxBytes) || maxBytes < 1) {
      return { code: "usage", message: `'--max-bytes' can't be '${given}'; it must be a positive whole number` };
    }
    const bytes = world.readStdin(MAX_INPUT_BYTES);
    if (bytes === undefined) return { code: "usage", message: "standard input is larger than 512 MiB" };
    return inWorkspace(world, invocation, (workspace) => {
      const plan = planTrim(bytes, findReminders(bytes), maxBytes);
      const isWhole = plan.every((stretch) => stretch.isShown);
      const reminder = isWhole ? undefined : remind(world, workspace, bytes, plan);
      const shown = isWhole ? [bytes] : plan.map((stretch) => show(bytes, stretch));
      if (invocation.flags["json"] === true) {
        const output = shown.map((part) => new TextDecoder().decode(part)).join("");
        world.write(jsonLine({ trimmed: !isWhole, output, reminder: reminder ?? null }));
        return "ok";
      }
      for (const part of shown) world.write(part);
      if (reminder !== undefined) world.write(`\n${reminder}`);
      return "ok";
    });
  },
};

function remind(world: World, workspace: Workspace, bytes: Uint8Array, plan: readonly Stretch[]): string {
  const place = findStatePlace(workspace.root.directory, workspace.places, world.home);
  const kept = workspace.noState
    ? { kind: "not-kept" as const, ref: "none", reason: "--no-state" }
    : keepOutput(world, place, workspace.settings.agents.root.markers, bytes);
  return renderTrimmed("system-reminder", {
    shownBytes: plan.reduce((sum, { start, end, isShown }) => sum + (isShown ? end - start : 0), 0),
    totalBytes: bytes.length,
    ref: kept.ref,
    whole: kept.kind === "kept" ? { path: kept.path } : { reason: kept.reason },
  });
}

function show(bytes: Uint8Array, { start, end, isShown }: Stretch): Uint8Array {
  return isShown ? bytes.subarray(start, end) : new TextEncoder().encode(gapLine(end - start));
}
