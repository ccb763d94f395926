import { didYouMean } from "../../lib/words.ts";
import { isTable, valueAt } from "../../lib/table.ts";
import { canComplete, limitsOf } from "../judge/completion.ts";
import { COMPLETE } from "../judge/step.ts";
import { CompletionSchema, LimitsSchema } from "../schema.ts";
import { error, warning, type Finding } from "./problem.ts";
import type { StepViews, StepView } from "./view.ts";

/** Where the steps lead, and what is wrong with that. */
export interface Flow {
  readonly problems: readonly Finding[];
  readonly graph: StepGraph;
  /** The first step, if it exists. */
  readonly entry: string | undefined;
}

/** Checks that every transition leads to a step and that the run can end. */
export function checkFlow(data: unknown, steps: StepViews): Flow {
  const graph = stepGraph(steps, limitOf(data, "maxRetries") ?? limitsOf({}).maxRetries);
  const named = valueAt(data, "entryStep");
  const entry = typeof named === "string" && graph.names.has(named) ? named : undefined;
  const problems = [...reservedName(steps), ...transitions(steps, graph), ...optionalSteps(steps)];
  if (typeof named === "string" && entry === undefined && isTable(valueAt(data, "steps"))) {
    problems.push(error("entry", ["entryStep"], `there is no step '${named}'${hintFor(named, graph.names)}`));
  }
  if (entry === undefined) return { problems, graph, entry };
  const reached = graph.after(entry);
  const unreachable = [...graph.names]
    .filter((name) => name !== entry && !reached.has(name))
    .map((name) => warning("unreachable", ["steps", name], `step '${name}' can't be reached from step '${entry}'`));
  return { problems: [...problems, ...endless(data, graph, entry), ...unreachable], graph, entry };
}

function endless(data: unknown, graph: StepGraph, entry: string): Finding[] {
  const needed = graph.iterationsToEnd(entry);
  const given = limitOf(data, "maxIterations");
  const isLimitLost = given === undefined && valueAt(data, "limits", "maxIterations") !== undefined;
  const limit = isLimitLost ? Infinity : (given ?? limitsOf({}).maxIterations);
  if ((needed <= limit && needed < Infinity) || completionEnds(data, limit)) return [];
  if (needed === Infinity) {
    const within = limit === Infinity ? "" : ` within ${limit} iterations`;
    const message = `'${COMPLETE}' can't be reached from step '${entry}', and the completion can't end the run${within}; add a transition to '${COMPLETE}', or a completion`;
    return [error("endless", ["entryStep"], message)];
  }
  const message = `the shortest way from step '${entry}' to '${COMPLETE}' takes ${needed} iterations, and the limit is ${limit}; raise 'limits.maxIterations', or add a completion`;
  return [error("endless", given === undefined ? ["entryStep"] : ["limits", "maxIterations"], message)];
}

/** A limit of the definition, if it is well-formed. */
function limitOf(data: unknown, name: "maxIterations" | "maxRetries"): number | undefined {
  return LimitsSchema.shape[name].safeParse(valueAt(data, "limits", name)).data;
}

function transitions(steps: StepViews, { names }: StepGraph): Finding[] {
  return [...steps].flatMap(([step, { check }]) => {
    const targets: [path: string[], target: string | undefined][] = [
      [["onPass"], check?.onPass],
      [["onFail", "then"], check?.then],
    ];
    return targets.flatMap(([path, target]) => {
      if (target === undefined || target === COMPLETE || names.has(target)) return [];
      const message = `there is no step '${target}'${hintFor(target, [...names, COMPLETE])}`;
      return [error("transition", ["steps", step, "check", ...path], message)];
    });
  });
}

function reservedName(steps: StepViews): Finding[] {
  if (!steps.has(COMPLETE)) return [];
  return [error("form", ["steps", COMPLETE], `a step can't be named '${COMPLETE}', which is the end of the run`)];
}

/** A skipped step must lead to another step. */
function optionalSteps(steps: StepViews): Finding[] {
  return [...steps].flatMap(([name, { isOptional, check, isCheckMalformed }]) => {
    if (!isOptional || isCheckMalformed || (check !== undefined && check.onPass !== name)) return [];
    const message = `step '${name}' may be skipped, so it must lead to another step: give it a check whose 'onPass' is another step`;
    return [error("optional", ["steps", name, "optional"], message)];
  });
}

/** The schema reports a malformed completion; here it counts as one that ends the run. */
function completionEnds(data: unknown, maxIterations: number): boolean {
  const given = valueAt(data, "completion");
  const completion = CompletionSchema.safeParse(given).data;
  return completion === undefined ? given !== undefined : canComplete(completion, maxIterations);
}

function hintFor(name: string, candidates: Iterable<string>): string {
  const names = [...candidates];
  if (names.length === 0) return "; 'steps' is empty: add it there";
  return didYouMean(name, names) || `; one of ${names.join(", ")}`;
}

/** Where the steps of a definition can lead. */
interface StepGraph {
  readonly names: ReadonlySet<string>;
  /**
   * The steps that can follow a step, including the end of the run.
   *
   * @param avoided a step that must not be on the way
   */
  after(step: string, avoided?: string): ReadonlySet<string>;
  /** The fewest iterations from a step to the end of the run; Infinity if it can't be reached. */
  iterationsToEnd(step: string): number;
}

interface Edge {
  readonly to: string;
  /** The iterations that the step takes before this transition. */
  readonly iterations: number;
}

/** @param maxRetries for steps that don't set their own */
function stepGraph(steps: StepViews, maxRetries: number): StepGraph {
  const names = new Set(steps.keys());
  const edges = new Map([...steps].map(([name, step]) => [name, edgesOf(name, step, names, maxRetries)]));
  const edgesFrom = (step: string) => edges.get(step) ?? [];
  // Cached: a definition may have any number of inputs, but few steps.
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
      // Entries added to a map during the loop are visited too.
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

/** A malformed check, or one that leads to no step, may lead anywhere, so that one mistake is not reported twice. */
function edgesOf(name: string, step: StepView, names: ReadonlySet<string>, maxRetries: number): Edge[] {
  const { check, isCheckMalformed } = step;
  const anywhere = [...names, COMPLETE].map((to) => ({ to, iterations: 1 }));
  if (isCheckMalformed) return anywhere;
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
