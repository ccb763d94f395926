import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binaryPath } from "../../.tools/lib/artifacts.mjs";
import { compile } from "../../.tools/lib/build.mjs";
import { measure, peakBytes } from "./measure.ts";
import { writeTranscript } from "./transcript.ts";
import { plainTree } from "./trees.ts";

// npm run bench:audit [-- --megabytes N]: `codelia audit` of a large transcript, against a program that only parses its
// lines, with targets and verdicts. 500 MB take a minute or two, and that much room in the temporary directory.
const MEGABYTE = 1024 * 1024;
const MEGABYTES = Number(process.argv[process.argv.indexOf("--megabytes") + 1]) || 500;
const ROUNDS = 3;
const MOST_RATIO = 3;
const MOST_MEMORY_MB = 200;

const output = join(import.meta.dirname, "../../dist/bench");
mkdirSync(output, { recursive: true });
const base = mkdtempSync(join(tmpdir(), "codelia-bench-"));
try {
  const parser = join(output, "parse-lines");
  await compile({ entry: join(import.meta.dirname, "parse-lines.ts"), outfile: parser });
  const tree = plainTree(join(base, "tree"));
  const transcript = join(base, "session.jsonl");
  writeTranscript(tree, transcript, MEGABYTES * MEGABYTE);
  const at = { cwd: tree.root, env: { HOME: tree.home, PATH: process.env["PATH"] ?? "" } };
  const parsing = { name: "parse", command: [parser, transcript], ...at };
  const audit = { name: "audit", command: [binaryPath, "audit", transcript, "--json"], ...at };
  const timings = await measure([parsing, audit], ROUNDS, 1);
  const [parseMs, auditMs] = ["parse", "audit"].map((name) => timings.get(name)?.medianMs ?? Number.NaN);
  const ratio = (auditMs ?? Number.NaN) / (parseMs ?? Number.NaN);
  const peakMB = (await peakBytes(audit)) / MEGABYTE;
  const verdict = (isMet: boolean) => (isMet ? "met" : "MISSED");
  console.log(`a transcript of ${MEGABYTES} MB, ${ROUNDS} rounds, medians`);
  console.log(`parsing its lines   ${parseMs?.toFixed(0)} ms`);
  console.log(
    `audit               ${auditMs?.toFixed(0)} ms, ${ratio.toFixed(2)} × parsing, at most ${MOST_RATIO}: ${verdict(ratio <= MOST_RATIO)}`,
  );
  console.log(
    `memory of audit     ${peakMB.toFixed(0)} MB at its peak, at most ${MOST_MEMORY_MB}: ${verdict(peakMB <= MOST_MEMORY_MB)}`,
  );
} finally {
  rmSync(base, { recursive: true, force: true });
}
