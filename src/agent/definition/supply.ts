import type { Input } from "../judge/inputs.ts";
import type { StepViews } from "./definition-view.ts";
import type { FlowProof } from "./prove-flow.ts";

/**
 * When a step can have given what another takes: at no time, not yet when the other comes for the first time, or by then.
 * Nothing is said against a definition whose first step is not known.
 */
export function supplyOf(giver: string, taker: string, { graph, entry }: FlowProof): "never" | "later" | "first" {
  if (entry === undefined) return "first";
  const comes = giver === entry || graph.after(entry).has(giver);
  if (!comes || !graph.after(giver).has(taker)) return "never";
  const comesFirst = taker !== entry && (giver === entry || graph.after(entry, taker).has(giver));
  return comesFirst ? "first" : "later";
}

/** Why an input may be missing although its step has come; undefined where it can't. */
export function whyMissing(steps: StepViews, { step, field }: Pick<Input, "step" | "field">): string | undefined {
  const giver = steps.get(step);
  const given = giver?.output[field];
  const isLeavable = given?.required === false && given.default === undefined;
  const reasons = [
    ...(giver?.isOptional === true ? [`step '${step}' is optional`] : []),
    ...(isLeavable ? [`its field '${field}' is not required`] : []),
  ];
  return reasons.length === 0 ? undefined : reasons.join(" and ");
}
