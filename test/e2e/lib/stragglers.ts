import { readdirSync, readFileSync } from "node:fs";

/** The variable by which the processes of one run are known: a client starts some of them in sessions of their own. */
export const MARKER = "E2E_RUN_MARKER";

const GRACE_MS = 1000;
const INTERVAL_MS = 25;

/**
 * Ends what a run has left behind, and names it. What is about to end by itself gets the time to.
 * Where there is no /proc, only the client's own process group is ended.
 */
export async function endStragglers(
  marker: string,
  leader: number | undefined,
  graceMs = GRACE_MS,
): Promise<readonly string[]> {
  const giveUpAt = performance.now() + graceMs;
  let found = await lookTwice(marker);
  while (found.length > 0 && performance.now() < giveUpAt) found = await lookTwice(marker);
  if (leader !== undefined) kill(-leader);
  const ended: string[] = [];
  // One that is being started while the others are ended is found in the next round.
  for (let left = found; left.length > 0; left = await lookTwice(marker)) {
    for (const { pid, command } of left) {
      kill(pid);
      // One that is just dying shows no command.
      if (command !== "") ended.push(command);
    }
  }
  return [...new Set(ended)];
}

interface Straggler {
  readonly pid: number;
  readonly command: string;
}

/** A process that is just becoming another program shows no environment: one look alone would take it for gone. */
async function lookTwice(marker: string): Promise<readonly Straggler[]> {
  const first = findMarked(marker);
  await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  const second = findMarked(marker);
  return second.length > 0 ? second : first;
}

function findMarked(marker: string): readonly Straggler[] {
  const pids = listProcesses().filter((pid) => readProc(pid, "environ").split("\0").includes(`${MARKER}=${marker}`));
  return pids.map((pid) => ({ pid, command: readProc(pid, "cmdline").split("\0").join(" ").trim() }));
}

function listProcesses(): readonly number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Empty for a process that has ended, and for one of another user. */
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has gone by itself
  }
}
