import { readFileSync } from "node:fs";
import { CHANNELS, deliver, makeRepository, pathOf, type Delivered, type Shape } from "./play.ts";

// npm run delivery [-- [--clients] [SHAPES.json]]: what reaches the model of the instruction files that apply, in repositories of real
// shapes (paths and sizes; the texts are made up), for sessions that begin beside each of their files, by the end of the
// first prompt. Ends with 1 when a target is missed. With `--clients` it plays whole sessions of the real clients instead,
// and counts what stands in two places: what codelia gave and the client too.

const words = process.argv.slice(2);
const given = words.find((word) => word !== "--clients") ?? pathOf("shapes.json");
const shapes = JSON.parse(readFileSync(given, "utf8")) as Readonly<Record<string, Shape>>;
if (words.includes("--clients")) {
  const { accountForSessions } = await import("./sessions.ts");
  process.exit((await accountForSessions(shapes)) ? 0 : 1);
}

/** Of one hook's context, in Claude Code. */
const MOST = 10_000;

let isMet = true;
console.log(
  "repository                 channel       starts  delivered  nearest whole  unnamed  twice  longest  verdict",
);
for (const [name, shape] of Object.entries(shapes)) {
  using tree = makeRepository(shape);
  for (const channel of CHANNELS) {
    const results: Delivered[] = [];
    for (const file of Object.keys(shape)) results.push(await deliver(tree, shape, channel, file));
    const sum = (of: (result: Delivered) => number) => results.reduce((total, result) => total + of(result), 0);
    const share = sum(({ delivered }) => delivered) / sum(({ applying }) => applying);
    const whole = results.filter(({ isNearestWhole }) => isNearestWhole).length;
    const longest = Math.max(...results.map((result) => result.longest));
    const [unnamed, twice] = [sum((result) => result.unnamed), sum((result) => result.twice)];
    const isGood = share >= 0.99 && whole === results.length && unnamed === 0 && twice === 0 && longest <= MOST;
    isMet &&= isGood;
    const cells = [
      name.padEnd(25),
      channel.padEnd(12),
      String(results.length).padStart(6),
      `${(share * 100).toFixed(2)} %`.padStart(9),
      `${whole} of ${results.length}`.padStart(13),
      String(unnamed).padStart(7),
      String(twice).padStart(5),
      (longest || "-").toString().padStart(7),
      isGood ? "met" : "MISSED",
    ];
    console.log(cells.join("  "));
  }
}
console.log(
  "\nTargets: at least 99 % delivered, the nearest whole everywhere, nothing unnamed, nothing twice, no text over 10,000 characters.",
);
process.exitCode = isMet ? 0 : 1;
