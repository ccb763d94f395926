import { appendFileSync, readFileSync } from "node:fs";

// A hook: keeps what the client told it, and says what the test wants said. Arguments: the log, the answer's file.
const [log = "", answerFile = ""] = process.argv.slice(2);
const chunks: Uint8Array[] = [];
// As a stream, because Claude Code gives a socket, which can't be opened by a name, and which may not block.
for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
appendFileSync(log, `${Buffer.concat(chunks).toString("utf8").trim()}\n`);
const answer = JSON.parse(readFileSync(answerFile, "utf8")) as { stdout: string; stderr: string; exitCode: number };
process.stdout.write(answer.stdout);
process.stderr.write(answer.stderr);
process.exitCode = answer.exitCode;
