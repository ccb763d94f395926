// A model that is a program: the prompt on standard input, the answer on standard output. `MODEL_SCRIPT` names a JSON file:
// a list of [what the prompt must hold, answer], of which the first that fits and is not used up yet is said. It keeps every
// prompt in `MODEL_LOG`. An answer that is a number is an exit code; "hang" never comes: its process ends with the test's files.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";

const prompt = readFileSync(0, "utf8");
const { MODEL_SCRIPT, MODEL_LOG } = process.env;
appendFileSync(MODEL_LOG, `${JSON.stringify(prompt)}\n`);
const script = JSON.parse(readFileSync(MODEL_SCRIPT, "utf8"));
const index = script.findIndex(([holds]) => prompt.includes(holds));
if (index < 0) {
  process.stderr.write(`nothing is to be said to: ${prompt}`);
  process.exit(9);
}
const [[, answer]] = script.splice(index, 1);
writeFileSync(MODEL_SCRIPT, JSON.stringify(script));
if (answer === "hang") setInterval(() => existsSync(MODEL_SCRIPT) || process.exit(), 50);
else if (typeof answer === "number") process.exit(answer);
else process.stdout.write(answer);
