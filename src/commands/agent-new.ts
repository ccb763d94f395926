import { dirname, join } from "node:path";
import { DEFINITIONS } from "../agent/definition/load.ts";
import { newDefinition } from "../agent/definition/template.ts";
import { StepIdSchema } from "../agent/schema.ts";
import { OUTPUT_ARGS, PLACE_ARGS, usage } from "../cli/args.ts";
import type { Command, Outcome, Problem } from "../command.ts";
import { jsonLine, visible } from "../lib/escape.ts";
import { isThere, realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { writeWhole } from "../lib/write-file.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * Writes a definition that can be run unchanged, as a starting point.
 *
 * @error usage; agent_failed if the name is taken, or the files can't be written
 */
export const command: Command = {
  meta: { name: "new", description: "Write a starter definition, in .agents/agents/NAME/." },
  args: {
    name: { type: "positional", description: "its name: lower-case letters, digits and single hyphens" },
    ...PLACE_ARGS,
    ...OUTPUT_ARGS,
  },
  maxOperands: 1,
  run(world, { flags, operands }) {
    return inWorkspace(world, { flags, operands }, (workspace): Outcome => {
      const [name] = operands;
      if (name === undefined) return usage("'codelia agent new' needs a name");
      const { error } = StepIdSchema.safeParse(name);
      if (error !== undefined) return usage(`the name '${name}' ${error.issues[0]?.message ?? "can't be used"}`);
      const written = write(world, workspace, name);
      if ("code" in written) return written;
      if (flags["json"] === true) world.write(jsonLine(written));
      else {
        const lines = written.files.map((file) => `wrote '${visible(file)}'\n`).join("");
        world.write(`${lines}run it with: codelia agent run ${name} --var task='what is to be done'\n`);
      }
      return "ok";
    });
  },
};

interface Written {
  readonly directory: string;
  readonly files: readonly string[];
}

function write(world: World, { root }: Workspace, name: string): Written | Problem {
  const failed = (message: string): Problem => ({ code: "agent_failed", message });
  const parent = join(root.directory, DEFINITIONS);
  const directory = join(parent, name);
  // In a clone, a directory to be written may be a link.
  const leading = [dirname(parent), parent].find((path) => isThere(path) && !leadsInside(root.directory, path));
  if (leading !== undefined) return failed(`'${leading}' can't be written to: it leads out of the project`);
  if (isThere(directory)) return failed(`'${directory}' exists already; choose another name`);
  const files: string[] = [];
  for (const [path, text] of Object.entries(newDefinition(name))) {
    const file = join(directory, path);
    const written = writeWhole(world, file, text);
    if (written.kind === "failed") return failed(`'${file}' can't be written (${written.errno})`);
    files.push(file);
  }
  return { directory, files };
}

function leadsInside(root: string, path: string): boolean {
  const real = realPathOf(path);
  return real !== undefined && isInside(realPathOf(root) ?? root, real);
}
