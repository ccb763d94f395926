import type { ArgsDef } from "citty";
import type { Invocation } from "../command.ts";
import { nameContext } from "../core/session-name.ts";
import { hostSessions } from "../hosts/session-variables.ts";
import { openWorkspace, type Workspace } from "../io/workspace.ts";
import { visible } from "../render/escape.ts";
import type { World } from "../world.ts";
/* eslint-disable import/no-unassigned-import -- so what every call loads, or every hook, is one chunk of the binary, not twelve */
import "./find-host.ts";
import "./tell-paths.ts";
import "./tool-paths.ts";
/* eslint-enable import/no-unassigned-import */

/** The flags that every command about a directory has. */
export const COMMON_ARGS = {
  cwd: { type: "string", valueHint: "DIR", description: "work as if started in DIR" },
  root: { type: "string", valueHint: "DIR", description: "root of the hierarchy, instead of what the markers say" },
  session: { type: "string", valueHint: "ID", description: "the session to speak for" },
  agent: { type: "string", valueHint: "ID", description: "the sub-agent in that session; default its main context" },
  json: { type: "boolean", description: "print JSON" },
  "no-state": { type: "boolean", description: "neither read nor write what was told" },
  quiet: { type: "boolean", description: "no warnings on standard error" },
  version: { type: "boolean", description: "show the version" },
  help: { type: "boolean", alias: "h", description: "show this help" },
} as const satisfies ArgsDef;

/**
 * Opens the workspace that the common flags describe, runs the command's body in it, then prints the warnings.
 */
export async function inWorkspace<Result>(
  world: World,
  { flags }: Invocation,
  body: (workspace: Workspace) => Result | Promise<Result>,
): Promise<Result> {
  try {
    const workspace = await openWorkspace(world, {
      cwd: text(flags["cwd"]),
      root: text(flags["root"]),
      noState: flags["no-state"] === true,
      key: nameContext({
        session: text(flags["session"]),
        agent: text(flags["agent"]),
        environment: world.env["CODELIA_SESSION_ID"],
        hosts: hostSessions(world.env),
      }),
    });
    world.trace("workspace", workspace.key);
    return await body(workspace);
  } finally {
    const warnings = world.takeWarnings();
    if (warnings.length > 0 && flags["quiet"] !== true) await printWarnings(world, warnings);
  }
}

export function text(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

async function printWarnings(world: World, taken: readonly string[]): Promise<void> {
  const warnings = [...new Set(taken.map(visible))];
  if (world.isTerminal("stderr") && !world.env["NO_COLOR"]) {
    const { reportOnTerminal } = await import("../io/terminal-report.ts");
    return reportOnTerminal(warnings, (line) => world.draw(line));
  }
  world.complain(warnings.map((warning) => `codelia: warning: ${warning}\n`).join(""));
}
