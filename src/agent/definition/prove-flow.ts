import { didYouMean } from "../../lib/nearest.ts";
import { isTable, valueAt } from "../../lib/table.ts";
import { CompletionSchema, LimitsSchema } from "../schema.ts";
import { canComplete } from "../judge/completion.ts";
import { limitsOf } from "../judge/limits.ts";
import { COMPLETE } from "../judge/step-flow.ts";
import type { StepViews } from "./definition-view.ts";
import { finding, type Finding } from "./problem.ts";
import { stepGraph, type StepGraph } from "./step-graph.ts";

export interface FlowProof {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly graph: StepGraph;
  /** The first step, where there is one of that name. */
  readonly entry: string | undefined;
}

/** Each transition leads somewhere, and the run comes to an end. */
export function proveFlow(data: unknown, steps: StepViews): FlowProof {
  const graph = stepGraph(steps, limitOf(data, "maxRetries") ?? limitsOf({}).maxRetries);
  const named = valueAt(data, "entryStep");
  const entry = typeof named === "string" && graph.names.has(named) ? named : undefined;
  const errors = [...reservedName(steps), ...transitions(steps, graph), ...optionalSteps(steps)];
  if (typeof named === "string" && entry === undefined && isTable(valueAt(data, "steps"))) {
    errors.push(finding("entry", ["entryStep"], `there is no step '${named}'${hintFor(named, graph.names)}`));
  }
  if (entry === undefined) return { errors, warnings: [], graph, entry };
  const reached = graph.after(entry);
  const warnings = [...graph.names]
    .filter((name) => name !== entry && !reached.has(name))
    .map((name) => finding("unreachable", ["steps", name], `no way leads from step '${entry}' to step '${name}'`));
  return { errors: [...errors, ...endless(data, graph, entry)], warnings, graph, entry };
}

function endless(data: unknown, graph: StepGraph, entry: string): Finding[] {
  const needed = graph.iterationsToEnd(entry);
  const given = limitOf(data, "maxIterations");
  const isLimitLost = given === undefined && valueAt(data, "limits", "maxIterations") !== undefined;
  const limit = isLimitLost ? Infinity : (given ?? limitsOf({}).maxIterations);
  if ((needed <= limit && needed < Infinity) || completionEnds(data, limit)) return [];
  if (needed === Infinity) {
    const within = limit === Infinity ? "" : ` within ${limit} iterations`;
    const message = `no way leads from step '${entry}' to '${COMPLETE}', and the completion can't end the run${within}; add a transition to '${COMPLETE}', or a completion`;
    return [finding("endless", ["entryStep"], message)];
  }
  const message = `the shortest way from step '${entry}' to '${COMPLETE}' takes ${needed} iterations, and the run is ended after ${limit}; raise 'limits.maxIterations', or add a completion`;
  return [finding("endless", given === undefined ? ["entryStep"] : ["limits", "maxIterations"], message)];
}

/** A limit that the definition gives, where it is well-formed. */
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
      return [finding("transition", ["steps", step, "check", ...path], message)];
    });
  });
}

function reservedName(steps: StepViews): Finding[] {
  if (!steps.has(COMPLETE)) return [];
  return [finding("form", ["steps", COMPLETE], `no step may be called '${COMPLETE}': it is the end of the run`)];
}

/** Left out, a step must lead to another. */
function optionalSteps(steps: StepViews): Finding[] {
  return [...steps].flatMap(([name, { isOptional, check, isCheckLost }]) => {
    if (!isOptional || isCheckLost || (check !== undefined && check.onPass !== name)) return [];
    const message = `an optional step must lead on when it is left out: give step '${name}' a check with another 'onPass'`;
    return [finding("optional", ["steps", name, "optional"], message)];
  });
}

/** What can't be read is not held against the definition twice. */
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
