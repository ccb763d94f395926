import type { RunEvent } from "../../../src/agent/run/execution.ts";

type Name = RunEvent["event"];
type FieldsOf<Event extends RunEvent> = Record<Exclude<keyof Event, "event">, true>;

/** Every event of a run with every field that it has: the compiler holds this to the type that the program goes by. */
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
  iteration: "a step is tried, for the first time or again",
  query: "an engine is asked, for a step or for its check",
  engine: "what a client's own event stream told meanwhile",
  failure: "an engine gave no answer",
  wait: "it is asked again after so long",
  "new-session": "it goes on without the conversation it had",
  fallback: "another engine is asked",
  answer: "what it answered",
  check: "whether the step passed, and why",
  skipped: "an optional step is left out",
  "iteration-ended": "what became of the iteration, as in `summaries` of the result",
  unrecorded: "the run's own file can't be written",
  ended: "how the run ended, as `--json` prints it",
};

export const RUN_EVENTS = (Object.keys(FIELDS) as Name[]).map((name) => ({
  name,
  fields: Object.keys(FIELDS[name]),
  means: MEANINGS[name],
}));
