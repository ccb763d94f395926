import type { Account } from "./account.ts";
import type { Shape } from "./play.ts";
import { NAMINGS, playSession, SESSION_CLIENTS, STARTS } from "./session.ts";

/** Plays whole sessions of the real clients and prints what stands in two places. @returns whether nothing does */
export async function accountForSessions(shapes: Readonly<Record<string, Shape>>): Promise<boolean> {
  let isMet = true;
  console.log(
    "repository                 instructions in           client  from       by codelia  by client  both  named again  skills twice  verdict",
  );
  for (const [name, shape] of Object.entries(shapes)) {
    for (const naming of NAMINGS) {
      for (const client of SESSION_CLIENTS) {
        for (const start of STARTS) {
          const accounts = await playSession(shape, client, naming, start);
          const sum = (of: (account: Account) => number) => accounts.reduce((total, each) => total + of(each), 0);
          const [both, named] = [sum((each) => each.both), sum((each) => each.named.length)];
          const skills = sum(({ skillsTwice }) => skillsTwice.length);
          const isGood = both + named + skills === 0 && sum((each) => each.codelia + each.client) > 0;
          isMet &&= isGood;
          const cells = [
            name.padEnd(25),
            naming.padEnd(24),
            client.padEnd(6),
            start.padEnd(8),
            String(sum((each) => each.codelia)).padStart(11),
            String(sum((each) => each.client)).padStart(9),
            String(both).padStart(4),
            String(named).padStart(11),
            String(skills).padStart(12),
            isGood ? "met" : "MISSED",
          ];
          console.log(cells.join("  "));
        }
      }
    }
  }
  console.log("\nTargets: no byte, no name and no skill given that was there already, in any context of a session.");
  return isMet;
}
