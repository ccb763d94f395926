import { closeSync, openSync, readSync, writeSync } from "node:fs";

// What any audit of a session's record must do at least: read the file line by line, and parse each line.
const descriptor = openSync(process.argv[2] ?? "", "r");
const chunk = Buffer.allocUnsafe(1024 * 1024);
const decoder = new TextDecoder();
let [rest, objects] = ["", 0];
for (;;) {
  const filled = readSync(descriptor, chunk);
  if (filled === 0) break;
  const lines = (rest + decoder.decode(chunk.subarray(0, filled), { stream: true })).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (typeof JSON.parse(line) === "object") objects++;
}
closeSync(descriptor);
writeSync(1, `${objects}\n`);
