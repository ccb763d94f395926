import type { Table } from "../lib/table.ts";

// A client's own record of a session: the transcript that it keeps, one JSON object to a line.

/** What a line of the record means, in the order of the session. */
export type RecordedEvent =
  | { readonly kind: "session"; readonly id: string; readonly cwd: string }
  /** The directory has changed. */
  | { readonly kind: "directory"; readonly cwd: string }
  /** The model was given a text. `path`: the file that contains it, if the record says so. */
  | { readonly kind: "text"; readonly text: string; readonly by: Giver; readonly path?: string }
  /**
   * The model called a tool. Text that it is given before the answer comes too late for this call.
   *
   * `isInner`: another call made it, so it gets no answer of its own. `turn`: the model's message, if the record says
   * so; when the next one begins, all calls have been answered.
   */
  | {
      readonly kind: "call";
      readonly id: string;
      readonly tool: string;
      readonly input: unknown;
      readonly isInner?: boolean;
      readonly turn?: string;
    }
  /** The call with this id loads a skill by its name. */
  | { readonly kind: "skill"; readonly id: string; readonly name: string }
  /** `isUndone`: the call did nothing, because it was denied or not possible. `by`: a hook, if that denied it. */
  | {
      readonly kind: "answer";
      readonly id: string;
      readonly text: string;
      readonly by?: Giver;
      readonly isUndone?: boolean;
    }
  /** The user goes on: calls without an answer were interrupted, and get none. */
  | { readonly kind: "prompt" }
  /** The model has forgotten what it was given. */
  | { readonly kind: "forget" };

/** Who gave the model a text: the client by itself, a hook, or the answer to a tool call of its own. */
export type Giver = "client" | "hook" | "tool";

/** How to read a client's records. */
export interface RecordReader {
  /** Whether a line looks like one of this client's records. */
  recognises(line: Table): boolean;
  read(line: Table): readonly RecordedEvent[];
  /** The directory of further records of the same session, those of sub-agents; undefined if there are none. */
  companions?(path: string): string;
}

/** The text in a message's content: a string, or a list of parts with a `text`. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts = content.map((part: unknown) => {
    const text = typeof part === "object" && part !== null ? (part as Table)["text"] : part;
    return typeof text === "string" ? text : "";
  });
  return parts.join("\n");
}
