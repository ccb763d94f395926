import { renderProgress } from "./agent-progress.ts";
import type { World } from "../../world.ts";
import type { Listen, RunEvent } from "./run-events.ts";

/** Tells a person at a terminal what goes on; nobody else. */
export function watchRun(world: World, isQuiet: boolean): Listen {
  if (isQuiet || !world.isTerminal("stderr")) return () => {};
  let iteration = 0;
  return (event) => {
    if (event.event === "iteration") ({ iteration } = event);
    const line = lineFor(event);
    if (line !== undefined) world.complain(renderProgress(iteration, line));
  };
}

function lineFor(event: RunEvent): string | undefined {
  switch (event.event) {
    case "started":
      return `${event.instance} in ${event.cwd}`;
    case "iteration":
      return `step ${event.step}`;
    case "query":
      return event.about === "step" ? `asking ${event.engine}` : `asking ${event.engine} whether it passes`;
    case "engine":
      return event.told.kind === "tool"
        ? `${event.engine} uses ${event.told.name}`
        : event.told.kind === "text"
          ? `${event.engine}: ${event.told.text}`
          : event.told.kind === "waiting"
            ? `${event.engine} waits: ${event.told.reason}`
            : undefined;
    case "failure":
      return event.error;
    case "wait":
      return `waiting ${(event.delayMs / 1000).toFixed(1)} s, then asking ${event.engine} again`;
    case "new-session":
      return `a new session of ${event.engine}`;
    case "fallback":
      return `${event.to} stands in for ${event.from}`;
    case "check":
      return `${event.pass ? "passed" : "not passed"}: ${event.reason}`;
    case "skipped":
      return `step ${event.step} is left out: ${event.reason}`;
    case "unrecorded":
      return `the run can't be recorded (${event.reason})`;
    case "answer":
    case "iteration-ended":
    case "ended":
      return undefined;
  }
}
