import { test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { playScenario } from "./support/scenario.ts";

// Each file in scenarios/ is a session with the built program; scenario.ts says how it is written.
// CODELIA_UPDATE=1 writes what the program says now into the files: read the diff before you keep it.

const FOLDER = join(import.meta.dirname, "scenarios");
const UPDATE = process.env["CODELIA_UPDATE"] === "1";
const TIMEOUT_MS = 120_000;

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".txt"))) {
  test(
    `scenarios/${name}`,
    async () => {
      const path = join(FOLDER, name);
      const written = readFileSync(path, "utf8");
      let { mismatches, corrected } = await playScenario(written);
      if (UPDATE && mismatches.length > 0) {
        writeFileSync(path, corrected);
        console.log(`test/scenarios/${name}: rewritten`);
        ({ mismatches } = await playScenario(corrected));
      }
      if (mismatches.length > 0) throw new Error(`\ntest/scenarios/${name}, ${mismatches.join("\n\n")}\n`);
    },
    TIMEOUT_MS,
  );
}
