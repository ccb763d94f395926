import { definitionDirectory, load, type LoadedDefinition } from "../agent/definition/load.ts";
import { asValidationError } from "../agent/definition/problem.ts";
import { renderAgentProblems, validate } from "../agent/definition/validate.ts";
import { ConfigurationError } from "../agent/errors.ts";
import { exitOf, type ExitName } from "../errors.ts";
import { OUTPUT_ARGS, PLACE_ARGS, usage } from "../cli/args.ts";
import type { Command, Outcome } from "../command.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { limitParsing, type LimitedParse } from "../lib/parse-limit.ts";
import { inWorkspace } from "../workspace.ts";

/** A definition that can't be read is reported as one more error. With errors it exits 3, without a definition 1. */
export const command: Command = {
  meta: { name: "validate", description: "Report all errors in an agent definition without running it." },
  args: {
    definition: { type: "positional", description: "its directory, or its name in .agents/agents/" },
    ...PLACE_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: 1,
  run(world, invocation) {
    return inWorkspace(world, invocation, async (workspace): Promise<Outcome> => {
      const [named] = invocation.operands;
      if (named === undefined) return usage("'codelia agent validate' needs a definition");
      const isJson = invocation.flags["json"] === true;
      const loaded = await loadOrSay(limitParsing(world), definitionDirectory(workspace, named));
      if ("error" in loaded) {
        if (isJson) world.write(jsonLine({ valid: false, errors: [loaded.error], warnings: [], notes: [] }));
        world.complain(`codelia: ${visible(loaded.error.message)}\n`);
        return loaded.exit;
      }
      const found = validate(loaded);
      const { valid } = found;
      if (!isJson) world.write(renderAgentProblems(loaded.file, found));
      else {
        const [errors, warnings, notes] = [found.errors, found.warnings, found.notes].map((problems) =>
          problems.map(asValidationError),
        );
        world.write(jsonLine({ valid, errors, warnings, notes }));
      }
      return valid ? "ok" : "unusable";
    });
  },
};

interface Unreadable {
  readonly exit: ExitName;
  readonly error: { readonly code: string; readonly message: string; readonly file: string; readonly pointer: "" };
}

async function loadOrSay(limited: LimitedParse, directory: string): Promise<LoadedDefinition | Unreadable> {
  try {
    return await load(limited, directory);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const { kind, file, ...rest } = error.details as { kind: string; file?: string };
    return {
      exit: exitOf(error.code),
      error: { code: kind, message: error.message, file: file ?? directory, pointer: "", ...rest },
    };
  }
}
