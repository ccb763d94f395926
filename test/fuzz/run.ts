import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { REPOSITORY } from "../support/run-codelia.ts";
import type { FuzzFigures } from "./lib/engine.ts";
import { describeFuzz, playTarget, TARGETS } from "./lib/play-target.ts";

// npm run fuzz [-- target… --inputs N --seed S --seconds 20 --shapes 20000]: gives every reader inputs that no one thought
// of, led by which parts of the code they reach, and long ones made of few parts. Exits 1 when a promise is broken;
// dist/fuzz/ has the inputs that broke it.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    seconds: { type: "string" },
    shapes: { type: "string", default: "20000" },
  },
});
// Without a number of inputs it is time that ends it.
const seconds = Number(values.seconds ?? (process.argv.includes("--inputs") ? Number.MAX_SAFE_INTEGER : 20));
const [inputs, seed, shapes] = [Number(values.inputs), Number(values.seed), Number(values.shapes)];
const output = join(REPOSITORY, "dist/fuzz");
for (const name of positionals) {
  if (!TARGETS.includes(name)) throw new Error(`no target is called '${name}'; some of ${TARGETS.join(", ")}`);
}
const names = positionals.length > 0 ? positionals : TARGETS;
const playing: Promise<FuzzFigures>[] = [];
for (const [index, name] of names.entries()) {
  // As many at a time as there are processors; they are told of in their order.
  for (let next = playing.length; next < Math.min(names.length, index + availableParallelism()); next++) {
    playing.push(playTarget({ name: names[next] ?? "", inputs, seed, seconds, shapes }));
  }
  report(name, (await playing[index]) as FuzzFigures);
}
console.log(`seed ${seed}`);

function report(name: string, figures: FuzzFigures): void {
  console.log(`${figures.faults.length === 0 ? "ok    " : "BROKEN"} ${name}: ${describeFuzz(figures)}`);
  for (const [index, { message, input }] of figures.faults.entries()) {
    process.exitCode = 1;
    mkdirSync(output, { recursive: true });
    const path = join(output, `${name}-${index}.txt`);
    writeFileSync(path, input);
    console.log(`  ${message}\n  input (${path}): ${JSON.stringify(input).slice(0, 200)}`);
  }
}
