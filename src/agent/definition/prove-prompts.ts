import { promptKey, promptName } from "./prompt-path.ts";
import { mentionedVariables } from "../judge/variables.ts";
import { promptReferences, type StepViews } from "./definition-view.ts";
import { knownVariables, mayBeKnown } from "./known-variables.ts";
import type { LoadedDefinition } from "./load.ts";
import { finding, type Finding } from "./problem.ts";
import type { FlowProof } from "./prove-flow.ts";

export interface PromptProof {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** The variables that a run must be given with `--var`, because no step can. */
  readonly given: readonly string[];
}

/** Each prompt is there, and each variable in it has a source. */
export function provePrompts(steps: StepViews, prompts: LoadedDefinition["prompts"], flow: FlowProof): PromptProof {
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  const given = new Set<string>();
  for (const placed of promptReferences(steps)) {
    const { path, step, reference } = placed;
    const name = promptName(reference);
    const read = prompts.get(promptKey(reference));
    if (read?.kind !== "text") {
      errors.push(finding("prompt", path, `prompt '${name}' can't be used: ${read?.reason ?? "it was not read"}`));
      continue;
    }
    const known = knownVariables(placed, steps, flow);
    for (const variable of mentionedVariables(read.text)) {
      const gap = known.get(variable);
      if (gap !== undefined) {
        const message = `prompt '${name}' names '{${variable}}', which has no value ${gap.message}`;
        (gap.isCertain ? errors : warnings).push(finding("variable", path, message));
      }
      if (known.has(variable)) continue;
      if (/^uv-[A-Za-z0-9-]+$/.test(variable)) given.add(variable.slice("uv-".length));
      else if (!mayBeKnown(variable, placed, steps)) {
        const message = `prompt '${name}' names '{${variable}}', which is no input of step '${step}'; name it in 'inputs'`;
        errors.push(finding("variable", path, message));
      }
    }
  }
  return { errors, warnings, given: [...given] };
}
