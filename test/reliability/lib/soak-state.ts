import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LedgerSchema, type Ledger } from "../../../src/ledger/schema.ts";
import type { SoakTree } from "./soak-tree.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session that has ended is remembered by what its main context was told. */
const MOST_BYTES_PER_SESSION = 2000;

/** The ledger parses, holds each session and nothing that is over, and no file lies beside it that should not. */
export function judgeState(place: SoakTree, count: number, idle: number): string[] {
  const { sessions } = readLedger(place);
  const bytes = statSync(ledgerFile(place)).size;
  const names = Object.keys(sessions);
  const wanted = Array.from({ length: count }, (_, session) => `session-${session}`);
  const archived = readdirSync(join(place.root, ".codelia/sessions")).filter((name) => name.endsWith(".json")).length;
  const beside = readdirSync(join(place.root, ".codelia")).filter((name) => /^session\.json\..+/.test(name));
  return [
    ...wanted.filter((id) => !names.includes(id)).map((id) => `'${id}' is not in the ledger`),
    ...names.filter((id) => id.startsWith("idle-")).map((id) => `'${id}' was not moved out of the ledger`),
    ...(archived === idle ? [] : [`${archived} of ${idle} idle sessions are in the archive`]),
    ...wanted.flatMap((id) =>
      Object.keys(sessions[id]?.contexts ?? {})
        .filter((context) => context !== "main")
        .map((context) => `'${context}' of '${id}' is over, and in the ledger`),
    ),
    ...(bytes <= count * MOST_BYTES_PER_SESSION ? [] : [`the ledger has ${bytes} bytes`]),
    ...beside.map((name) => `left behind: ${name}`),
  ];
}

/** As if nothing had been heard of any session for two days. */
export function makeAllIdle(place: SoakTree): void {
  const ledger = readLedger(place);
  for (const session of Object.values(ledger.sessions)) session.updatedAt -= 2 * DAY_MS;
  writeFileSync(ledgerFile(place), JSON.stringify(ledger));
}

function readLedger(place: SoakTree): Ledger {
  return LedgerSchema.parse(JSON.parse(place.tree.read("repo/.codelia/session.json")));
}

function ledgerFile(place: SoakTree): string {
  return join(place.root, ".codelia/session.json");
}

export function ledgerKB(place: SoakTree): number {
  return statSync(ledgerFile(place)).size / 1024;
}
