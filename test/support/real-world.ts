import type { World } from "../../src/world.ts";
import { fakeWorld, type FakeWorld } from "./fake-world.ts";

/** A fake process whose time is real and whose children are, for what starts and ends programs. */
export function realWorld(env: World["env"] = process.env): FakeWorld {
  return {
    ...fakeWorld({ env }),
    now: Date.now,
    ticks: () => performance.now(),
    isAlive: (pid) => trySignal(pid, 0),
    kill: (pid, signal) => void trySignal(pid, signal),
  };
}

/** The one of the process that runs the tests. */
export const workingDirectory = {
  cwd: () => process.cwd(),
  changeDirectory: (path: string) => process.chdir(path),
} satisfies Partial<World>;

function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
