import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { pathOf, type Shape } from "../delivery/play.ts";
import { NAMINGS, playSession, SESSION_CLIENTS } from "../delivery/session.ts";
import { CLAUDE, CODEX } from "./lib/clients.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";

// The short form of `npm run delivery -- --clients`: whole sessions in the longest chain that was seen in a public
// repository, with reads, edits, shell commands, a sub-agent, a compaction and a resume.

const SHAPES = JSON.parse(readFileSync(pathOf("shapes.json"), "utf8")) as Readonly<Record<string, Shape>>;
const LONGEST = SHAPES["the longest chain seen"] ?? {};
const CONTEXTS = ["main 0", "Look around. 0", "main 1"];

for (const client of SESSION_CLIENTS) {
  const { missing } = client === "claude" ? CLAUDE : CODEX;
  test.skipIf(missing !== undefined).each([...NAMINGS])(
    `${client}: nothing is given that is there already, with instructions in %s`,
    async (naming) => {
      const accounts = await playSession(LONGEST, client, naming, "deepest");
      expect(accounts.map(({ thread, epoch }) => `${thread} ${epoch}`)).toEqual(CONTEXTS);
      for (const { thread, codelia, client: own, both, named, skillsTwice, skills } of accounts) {
        expect({ both, named, skillsTwice, skills }).toEqual({ both: 0, named: [], skillsTwice: [], skills: 8 });
        // All of it is there, by whomever; a sub-agent that does little has not had the last of it yet.
        expect(codelia + own).toBeGreaterThan(thread === "main" ? 130_000 : 100_000);
      }
    },
    3 * TEST_TIMEOUT_MS,
  );
}
