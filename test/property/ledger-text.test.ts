import { expect } from "bun:test";
import { property } from "fast-check";
import { findSession } from "../../src/ledger/contexts.ts";
import { printLedger, readSession } from "../../src/ledger/format.ts";
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
    const names = Object.values(ledger.sessions).flatMap(({ contexts, cwd }) => Object.keys(contexts).concat(cwd));
    for (const name of [id, ...names, "sessions", "contexts"]) {
      // A name that stands in the text, and is no session's there, is left to the whole ledger.
      const otherwise = text.includes(JSON.stringify(name)) ? "other-shape" : "absent";
      expect(readSession(text, name).kind).toBe(findSession(ledger, name) === undefined ? otherwise : "session");
    }
  }),
);
