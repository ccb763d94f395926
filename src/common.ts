import type { Invocation } from "./command.ts";
import { nameContext } from "./ledger/session-name.ts";
import { hostSessions } from "./clients/session-variables.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";
import { visible } from "./lib/escape.ts";
import type { World } from "./world.ts";
/* eslint-disable import/no-unassigned-import -- so what every call loads, or every hook, is one chunk of the binary, not twelve */
import "./clients/find-host.ts";
import "./instructions/tell-paths.ts";
import "./hooks/tool-paths.ts";
/* eslint-enable import/no-unassigned-import */
import { text } from "./cli/args.ts";

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

async function printWarnings(world: World, taken: readonly string[]): Promise<void> {
  const warnings = [...new Set(taken.map(visible))];
  if (world.isTerminal("stderr") && !world.env["NO_COLOR"]) {
    const { reportOnTerminal } = await import("./cli/report.ts");
    return reportOnTerminal(warnings, (line) => world.draw(line));
  }
  world.complain(warnings.map((warning) => `codelia: warning: ${warning}\n`).join(""));
}
