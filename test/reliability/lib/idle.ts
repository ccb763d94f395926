import { writeFileSync } from "node:fs";
import { readLedger, type Stage } from "./stage.ts";

const HOUR_MS = 60 * 60 * 1000;

/** Rewrites when a session of the ledger was last heard of. */
export function makeIdle(stage: Stage, session: string, hours: number): void {
  const ledger = readLedger(stage);
  const found = ledger.sessions[session];
  if (found === undefined) throw new Error(`no session '${session}'`);
  found.updatedAt = Date.now() - hours * HOUR_MS;
  writeFileSync(stage.state("session.json"), JSON.stringify(ledger));
}
