import { COMPLETE } from "../judgement/step-flow.ts";
import type { StepView, StepViews } from "./definition-view.ts";

/** Where the steps of a definition can lead. */
export interface StepGraph {
  readonly names: ReadonlySet<string>;
  /** The steps that can come after one, in some run; the end of the run among them. */
  after(step: string): ReadonlySet<string>;
}

/**
 * @param maxRetries how often a failed check is repeated where the step doesn't say
 */
export function stepGraph(steps: StepViews, maxRetries: number): StepGraph {
  const names = new Set(steps.keys());
  const edges = new Map([...steps].map(([name, step]) => [name, targetsOf(name, step, names, maxRetries)]));
  return {
    names,
    after(start) {
      const seen = new Set<string>();
      const waiting = [...(edges.get(start) ?? [])];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (seen.has(next)) continue;
        seen.add(next);
        waiting.push(...(edges.get(next) ?? []));
      }
      return seen;
    },
  };
}

/**
 * A check that can't be read, or leads to no step, may lead anywhere: what follows from such a mistake is not held against
 * the definition.
 */
function targetsOf(name: string, step: StepView, names: ReadonlySet<string>, maxRetries: number): string[] {
  const { check, isCheckLost } = step;
  if (isCheckLost) return [...names, COMPLETE];
  if (check === undefined) return [name];
  const { retry = maxRetries, then } = check.onFail ?? {};
  const targets = [check.onPass, ...(then === undefined ? [] : [then])];
  if (targets.some((target) => target !== COMPLETE && !names.has(target))) return [...names, COMPLETE];
  return retry > 0 ? [...targets, name] : targets;
}
