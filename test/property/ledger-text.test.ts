import { expect } from "bun:test";
import { property } from "fast-check";
import { findSession } from "../../src/core/ledger.ts";
import { printLedger, readSession } from "../../src/core/ledger-text.ts";
import { anyLedger, anyName } from "./arbitraries.ts";
import { testProperty } from "./fuzz.ts";

testProperty(
  "JSON.parse() of printLedger() gives the ledger back",
  property(anyLedger(), (ledger) => {
    expect(JSON.stringify(JSON.parse(printLedger(ledger)))).toBe(JSON.stringify(ledger));
  }),
);

testProperty(
  "readSession() gives back every session that printLedger() wrote",
  property(anyLedger(), (ledger) => {
    // As it comes from a file.
    const text = new TextDecoder().decode(new TextEncoder().encode(printLedger(ledger)));
    for (const [id, session] of Object.entries(ledger.sessions)) {
      const read = readSession(text, id);
      expect(read.kind).toBe("session");
      expect(JSON.stringify(read)).toBe(JSON.stringify({ kind: "session", session, tree: ledger.tree }));
    }
  }),
);

testProperty(
  "readSession() finds no session that is not there",
  property(anyLedger(), anyName(), (ledger, id) => {
    const text = printLedger(ledger);
    const expected = findSession(ledger, id) === undefined ? "absent" : "session";
    expect(readSession(text, id)).toMatchObject({ kind: expected, tree: ledger.tree });
    // Names that stand in the text, but are no session's.
    for (const session of Object.values(ledger.sessions)) {
      for (const name of [...Object.keys(session.contexts), session.cwd, "sessions", "contexts"]) {
        const isThere = findSession(ledger, name) !== undefined;
        expect(readSession(text, name).kind).toBe(isThere ? "session" : "absent");
      }
    }
  }),
);
