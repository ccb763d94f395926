import type { NativeProfile } from "./native.ts";

/**
 * What a host tells its hooks, in words of our own: the only form in which the rest of the program knows of hosts.
 * Types only.
 */
export interface HostEvent {
  /** As the host calls it, for the answer. */
  readonly name: string;
  readonly session: string;
  /** `main`, or a sub-agent's id. */
  readonly context: string;
  /** The directory that relative paths of the event start from. */
  readonly cwd: string;
  readonly what: EventKind;
}

export type EventKind =
  /** A context that knows nothing yet, or has forgotten all of it. `inherits`: it begins with its parent's history. */
  | { readonly kind: "begin"; readonly inherits: boolean }
  /** A context with its history, after a while. */
  | { readonly kind: "resume" }
  /** A context has forgotten, and this event can tell it nothing. */
  | { readonly kind: "forget" }
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "before-tool"; readonly tool: string; readonly input: unknown }
  | { readonly kind: "after-tool"; readonly tool: string; readonly input: unknown }
  /** The model has finished; `isContinued`: a hook of this event has had it go on before. */
  | { readonly kind: "stop"; readonly message: string; readonly isContinued: boolean }
  /** A sub-agent's context is over. */
  | { readonly kind: "end-of-context" }
  /** The session is over, for now. */
  | { readonly kind: "end-of-session" };

export interface Host {
  readonly name: string;
  /** What our reminders are called: some hosts change the usual name. */
  readonly element: "system-reminder" | "codelia-reminder";
  /** The event in a hook's input, or undefined for one that does not concern us. */
  readEvent(input: Readonly<Record<string, unknown>>): HostEvent | undefined;
  /** The answer that gives the model a text. */
  tell(event: HostEvent, text: string): string;
  /** The answer that has the model go on with a text, where it has finished. */
  goOn(text: string): string;
  /** How often in a row the host heeds that. */
  readonly maxContinuations: number;
  /** What the client loads by itself. */
  readonly native: NativeProfile;
  /** Whether an answer is within the host's limit. */
  fits(answer: string): boolean;
}
