import type { Command } from "../command.ts";
import { readLedger } from "../io/ledger-read.ts";
import { findStatePlace } from "../io/state-place.ts";
import { visible } from "../render/escape.ts";
import type { Context, Ledger } from "../schema/ledger.ts";
import { COMMON_ARGS, inWorkspace } from "./common.ts";

/**
 * @output every session of this root's ledger, and what each of its contexts was told
 * @effect none
 */
export const command: Command = {
  meta: { name: "list", description: "List what each context of each session was told." },
  args: COMMON_ARGS,
  maxOperands: 0,
  run(world, invocation) {
    return inWorkspace(world, invocation, (workspace) => {
      const place = findStatePlace(workspace.root.directory, workspace.places, world.home);
      const read = readLedger(place);
      if (read.kind === "foreign") {
        world.warn(`the ledger in '${place.directory}' is not used: ${read.reason}`);
      }
      const sessions = read.kind === "ledger" ? read.ledger.sessions : {};
      world.write(invocation.flags["json"] === true ? `${JSON.stringify({ sessions })}\n` : describe(sessions));
      return "ok";
    });
  },
};

function describe(sessions: Ledger["sessions"]): string {
  const lines: string[] = [];
  for (const [id, session] of Object.entries(sessions)) {
    lines.push(`${visible(id)}  in ${visible(session.cwd)}`);
    for (const [name, context] of Object.entries(session.contexts)) lines.push(...describeContext(name, context));
  }
  return lines.map((line) => `${line}\n`).join("");
}

function describeContext(name: string, context: Context): string[] {
  const files = Object.entries(context.loadedVersions).map(
    ([path, version]) => `    told ${visible(path)} (mtime: ${version.mtimeMs})`,
  );
  const skills = Object.entries(context.loadedSkills).map(
    ([path, skill]) => `    ${skill.n > 0 ? "loaded" : "had loaded"} ${visible(path)} (mtime: ${skill.mtimeMs})`,
  );
  return [`  ${visible(name)}, epoch ${context.epoch}`, ...files, ...skills];
}
