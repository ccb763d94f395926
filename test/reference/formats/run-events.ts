import type { RunEvent } from "../../../src/agent/run/execution.ts";

type Name = RunEvent["event"];
type FieldsOf<Event extends RunEvent> = Record<Exclude<keyof Event, "event">, true>;

/** Every event of a run with all its fields; the compiler compares this with the program's own type. */
const FIELDS: { readonly [Event in Name]: FieldsOf<Required<Extract<RunEvent, { event: Event }>>> } = {
  started: { instance: true, definition: true, cwd: true },
  iteration: { iteration: true, step: true },
  query: { engine: true, about: true, prompt: true },
  engine: { engine: true, told: true },
  failure: { engine: true, error: true },
  wait: { engine: true, delayMs: true },
  "new-session": { engine: true },
  fallback: { from: true, to: true },
  answer: { engine: true, text: true, structured: true },
  check: { step: true, pass: true, reason: true },
  skipped: { step: true, reason: true },
  "iteration-ended": { summary: true },
  unrecorded: { reason: true },
  ended: { result: true },
};

const MEANINGS: Readonly<Record<Name, string>> = {
  started: "the run begins",
  iteration: "a step is tried, or tried again",
  query: "an engine is asked, for a step or for its check",
  engine: "an event of the client's own stream",
  failure: "an engine failed to answer",
  wait: "the engine is asked again after this delay",
  "new-session": "it continues in a new session",
  fallback: "another engine is asked",
  answer: "the engine's answer",
  check: "whether the step passed, and why",
  skipped: "an optional step is skipped",
  "iteration-ended": "the outcome of the iteration, as in `summaries` of the result",
  unrecorded: "the run's own file can't be written",
  ended: "how the run ended, as `--json` prints it",
};

export const RUN_EVENTS = (Object.keys(FIELDS) as Name[]).map((name) => ({
  name,
  fields: Object.keys(FIELDS[name]),
  means: MEANINGS[name],
}));
