import { appendFileSync, readFileSync } from "node:fs";

// A hook: keeps what the client told it, and says what the test wants said. Arguments: the log, the answer's file.
const POLL_MS = 10;
const PATIENCE_MS = 10_000;

const [log = "", answerFile = ""] = process.argv.slice(2);
const chunks: Uint8Array[] = [];
// As a stream, because Claude Code gives a socket, which can't be opened by a name, and which may not block.
for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
const input = Buffer.concat(chunks).toString("utf8").trim();
appendFileSync(log, `${input}\n`);
const answer = JSON.parse(readFileSync(answerFile, "utf8"));
if (await isJoinedBy(answer.together)) {
  process.stdout.write(answer.stdout);
  process.stderr.write(answer.stderr);
  process.exitCode = answer.exitCode;
} else {
  process.stdout.write("alone for too long");
  process.exitCode = 1;
}

/** True once so many calls of this event have come; one of them alone gives up in the end. */
async function isJoinedBy(calls: number): Promise<boolean> {
  const event = nameOf(input);
  for (const start = performance.now(); performance.now() - start < PATIENCE_MS;) {
    const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
    if (lines.filter((line) => nameOf(line) === event).length >= calls) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

function nameOf(line: string): unknown {
  return JSON.parse(line).hook_event_name;
}
