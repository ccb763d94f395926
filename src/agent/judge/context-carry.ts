import type { ContextCarry } from "../engines/carried-prompt.ts";
import type { Outputs } from "./step-context.ts";

/**
 * What one iteration leaves to the next, made anew by the execution layer at the end of each. Frozen, all the way down: who
 * judges by it can't change it.
 */
export function carryOver(previousResponse: string | undefined, outputs: Outputs): ContextCarry {
  return freeze({
    ...(previousResponse !== undefined && { previousResponse }),
    accumulatedContext: structuredClone(outputs),
  });
}

function freeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
