import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { write, type BenchTree } from "./trees.ts";

const AREAS = 50;
const RULES = Array.from({ length: 30 }, (_, index) => `${index + 1}. Keep rule ${index + 1} of this area in mind.`);
/** Tool results are most of a transcript: the sizes of a listing, a file and a long log, in turn. */
const RESULT_LINES = [3, 40, 400] as const;
/** Lines between two compactions. */
const EPOCH_LINES = 20_000;

/**
 * Claude Code's transcript of one long session in a tree with an instruction file in each of fifty directories: calls
 * that read, run and write, the tools' results, texts, and a compaction now and then.
 */
export function writeTranscript({ root }: BenchTree, path: string, bytes: number): void {
  for (let area = 0; area < AREAS; area++) {
    write(join(root, `area-${area}/AGENTS.md`), `# Area ${area}\n${RULES.join("\n")}\n`);
    write(join(root, `area-${area}/a.ts`), "export const a = 1;\n");
  }
  const descriptor = openSync(path, "w");
  let [written, count] = [0, 0];
  while (written < bytes) {
    let text = "";
    for (let index = 0; index < 100; index++) text += linesOfTurn(root, count++);
    written += writeSync(descriptor, text);
  }
  closeSync(descriptor);
}

function linesOfTurn(root: string, turn: number): string {
  const directory = join(root, `area-${turn % AREAS}`);
  const id = `call-${turn}`;
  const timestamp = new Date(1_795_000_000_000 + turn * 1000).toISOString();
  const shared = { sessionId: "bench", cwd: root, timestamp, uuid: id, isSidechain: false, version: "2.1.0" };
  const message = (type: string, content: unknown[]) => {
    return `${JSON.stringify({ ...shared, type, message: { role: type, content } })}\n`;
  };
  const lines = Array.from({ length: RESULT_LINES[turn % 3] ?? 1 }, (_, at) => `${at}\tconst value${at} = "${turn}";`);
  const compaction = { ...shared, type: "system", subtype: "compact_boundary" };
  return [
    turn % EPOCH_LINES === EPOCH_LINES - 1 ? `${JSON.stringify(compaction)}\n` : "",
    message("assistant", [
      { type: "text", text: "I look at the next file." },
      { type: "tool_use", id, ...toolOf(turn, directory) },
    ]),
    message("user", [{ type: "tool_result", tool_use_id: id, content: lines.join("\n") }]),
  ].join("");
}

function toolOf(turn: number, directory: string): { readonly name: string; readonly input: object } {
  switch (turn % 4) {
    case 0:
      return { name: "Edit", input: { file_path: join(directory, "a.ts"), old_string: "1", new_string: "2" } };
    case 1:
      return { name: "Bash", input: { command: `cd ${directory} && sed -n 1,200p a.ts | head -50` } };
    default:
      return { name: "Read", input: { file_path: join(directory, "a.ts") } };
  }
}
