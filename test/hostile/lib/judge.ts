import type { RunResult } from "../../support/run-codelia.ts";
import { blankBodies, parseFragment } from "../../support/envelope.ts";
import type { HostileCommand } from "./commands.ts";
import { SECRET, type Expected } from "./hostile-case.ts";

export const MOST_OUTPUT_BYTES = 4 * 1024 * 1024;
/** The commands whose whole answer is elements of ours. */
const XML_COMMANDS = new Set(["init-context", "resolve", "resume-diff", "skills list", "skills search", "skills load"]);
/** What must not reach a terminal or a model unseen: control characters, bidi, zero-width, tags. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** What every answer must be, whatever stands in the tree, and what this one must be besides; one sentence a fault. */
export function judge(command: HostileCommand, { exit, shows, hides, says }: Expected, result: RunResult): string[] {
  const { stdout, stderr, exitCode } = result;
  const exits = exit === undefined ? command.exits : [exit];
  const heard = command.name.startsWith("hook") ? contextIn(stdout) : stdout;
  const faults: string[] = [];
  if (!exits.includes(exitCode)) faults.push(`ended with ${exitCode}, not ${exits.join(" or ")}: ${stderr}`);
  if (stderr.includes("internal error")) faults.push(stderr);
  if ((stdout + stderr).includes(SECRET)) faults.push("printed a secret of the user's");
  if (stdout.length > MOST_OUTPUT_BYTES) faults.push(`printed ${stdout.length} characters`);
  if (heard === undefined) faults.push(`is no answer for a host: ${stdout}`);
  if (command.name.startsWith("hook") && stderr !== "") faults.push(`on standard error: ${stderr}`);
  const own = blankBodies(heard ?? "").replaceAll(/[\n\t]/g, " ");
  if (UNSEEN.test(own)) faults.push(`unseen characters in ${JSON.stringify(own.match(UNSEEN)?.[0])} of its own text`);
  if (UNSEEN.test(stderr.replaceAll("\n", ""))) faults.push("unseen characters on standard error");
  const parsed = XML_COMMANDS.has(command.name) ? parseFragment(blankBodies(stdout)) : undefined;
  if (parsed?.ok === false) faults.push(`is no XML (${parsed.error}): ${stdout.slice(0, 2000)}`);
  for (const text of shows ?? [])
    if (!(heard ?? "").includes(text)) faults.push(`lacks '${text}' in: ${(heard ?? "").slice(0, 2000)}`);
  for (const text of hides ?? []) if ((heard ?? "").includes(text)) faults.push(`shows '${text}'`);
  if (says !== undefined && !says.test(stderr)) faults.push(`does not say ${says} but: ${stderr}`);
  return faults;
}

/** What a hook gives the model, "" where it says nothing; undefined where that is not the host's form. */
function contextIn(stdout: string): string | undefined {
  if (stdout === "") return "";
  try {
    const { hookSpecificOutput: output, ...rest } = JSON.parse(stdout);
    const fields = Object.keys(output).toSorted().join();
    return Object.keys(rest).length === 0 && fields === "additionalContext,hookEventName"
      ? output.additionalContext
      : undefined;
  } catch {
    return undefined;
  }
}
