import { COMPLETE } from "../judge/step-flow.ts";
import type { StepView, StepViews } from "./definition-view.ts";

/** Where the steps of a definition can lead. */
export interface StepGraph {
  readonly names: ReadonlySet<string>;
  /**
   * The steps that can come after one, in some run; the end of the run among them.
   *
   * @param avoided a step that does not come on the way
   */
  after(step: string, avoided?: string): ReadonlySet<string>;
  /** How many iterations it takes at least from a step to the end of the run; infinitely many where no way leads there. */
  iterationsToEnd(step: string): number;
}

/** A way from one step to another, or to the end. */
interface Edge {
  readonly to: string;
  /** How many iterations are made of the step before it is left this way. */
  readonly iterations: number;
}

/**
 * @param maxRetries how often a failed check is repeated where the step doesn't say
 */
export function stepGraph(steps: StepViews, maxRetries: number): StepGraph {
  const names = new Set(steps.keys());
  const edges = new Map([...steps].map(([name, step]) => [name, edgesOf(name, step, names, maxRetries)]));
  const edgesFrom = (step: string) => edges.get(step) ?? [];
  // A definition may have any number of inputs, but not of steps.
  const known = new Map<string, ReadonlySet<string>>();
  return {
    names,
    after(start, avoided) {
      const key = JSON.stringify([start, avoided]);
      const found = known.get(key) ?? search(edgesFrom, start, avoided);
      known.set(key, found);
      return found;
    },
    iterationsToEnd(start) {
      const needed = new Map([[start, 0]]);
      // What is put into a map while it is gone through is gone through as well.
      for (const [step, before] of needed) {
        for (const { to, iterations } of edgesFrom(step)) {
          const sum = before + iterations;
          if (sum >= (needed.get(to) ?? Infinity)) continue;
          needed.delete(to);
          needed.set(to, sum);
        }
      }
      return needed.get(COMPLETE) ?? Infinity;
    },
  };
}

function search(edgesFrom: (step: string) => readonly Edge[], start: string, avoided: string | undefined): Set<string> {
  const seen = new Set<string>();
  const waiting = start === avoided ? [] : edgesFrom(start).map(({ to }) => to);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next) || next === avoided) continue;
    seen.add(next);
    waiting.push(...edgesFrom(next).map(({ to }) => to));
  }
  return seen;
}

/**
 * A check that can't be read, or leads to no step, may lead anywhere: what follows from such a mistake is not held against
 * the definition.
 */
function edgesOf(name: string, step: StepView, names: ReadonlySet<string>, maxRetries: number): Edge[] {
  const { check, isCheckLost } = step;
  const anywhere = [...names, COMPLETE].map((to) => ({ to, iterations: 1 }));
  if (isCheckLost) return anywhere;
  if (check === undefined) return [{ to: name, iterations: 1 }];
  const { onPass, then, retry = maxRetries } = check;
  const targets = [onPass, then].filter((target) => target !== undefined);
  if (targets.some((target) => target !== COMPLETE && !names.has(target))) return anywhere;
  return [
    ...(onPass === undefined ? [] : [{ to: onPass, iterations: 1 }]),
    ...(then === undefined ? [] : [{ to: then, iterations: retry + 1 }]),
    ...(retry > 0 ? [{ to: name, iterations: 1 }] : []),
  ];
}
