import { valueAt } from "../../lib/table.ts";
import { CompletionSchema, type Completion } from "../schema.ts";
import type { LoadedDefinition } from "./load.ts";
import { warning, type Finding } from "./problem.ts";
import { promptKey } from "./prompts.ts";
import { promptReferences, type StepViews } from "./view.ts";

/** Checks that some prompt says when to signal; each prompt is told how. */
export function checkSignals(data: unknown, steps: StepViews, prompts: LoadedDefinition["prompts"]): Finding[] {
  const completion = CompletionSchema.safeParse(valueAt(data, "completion")).data;
  if (completion === undefined) return [];
  const asked = promptReferences(steps).filter(({ path }) => path.at(-2) !== "check");
  const texts = asked.map(({ reference }) => prompts.get(promptKey(reference)));
  // A prompt that can't be read is reported elsewhere, and may name it.
  if (texts.some((read) => read?.kind !== "text")) return [];
  return placedKeywords(completion, ["completion"]).flatMap(({ keyword, path }) => {
    if (texts.some((read) => read?.kind === "text" && read.text.includes(keyword))) return [];
    return [warning("completion", path, `no prompt names '${keyword}': say in one of them when to write it`)];
  });
}

interface PlacedKeyword {
  readonly keyword: string;
  readonly path: readonly string[];
}

function placedKeywords(completion: Completion, at: readonly string[]): PlacedKeyword[] {
  switch (completion.type) {
    case "keywordSignal":
      return [{ keyword: completion.keyword, path: [...at, "keyword"] }];
    case "composite":
      return completion.conditions.flatMap((part, index) => placedKeywords(part, [...at, "conditions", String(index)]));
    case "iterationBudget":
      return [];
  }
}
