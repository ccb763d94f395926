import { deepStrictEqual, ok } from "node:assert/strict";
import type { PlainCommand } from "../../src/core/paths/plain-commands.ts";
import { exactly } from "../../src/core/paths/shell-state.ts";
import type { ShellStep } from "../../src/core/paths/shell-steps.ts";

/** What the grammar read, in the form of `plainCommands()`; throws where it holds anything else. */
export function asPlain(steps: readonly ShellStep[] | undefined): PlainCommand[] {
  const commands: PlainCommand[] = [];
  for (const step of steps ?? [{ kind: "scope", opens: true }]) {
    if (step.kind === "end" && !step.inBackground) continue;
    if (step.kind !== "command") throw new Error(`not plain: ${JSON.stringify(step)}`);
    const { kind: _, words, isPiped, ...rest } = step;
    deepStrictEqual(rest, { assignments: [], redirects: [], heredocs: [], hereString: undefined });
    const args = words.map((word) => {
      const [part, ...more] = word;
      ok(
        more.length === 0 && (part?.kind === "plain" || part?.kind === "quoted"),
        `not plain: ${JSON.stringify(word)}`,
      );
      return exactly("text" in part ? part.text : "");
    });
    commands.push({ args, isPiped });
  }
  return commands;
}
