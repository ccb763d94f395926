import { readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

// What any search over skills must do at least the first time: open every SKILL.md and read it.
const root = process.argv[2] ?? ".";
let bytes = 0;
for (const entry of readdirSync(root)) bytes += readFileSync(join(root, entry, "SKILL.md")).length;
writeSync(1, `${bytes}\n`);
