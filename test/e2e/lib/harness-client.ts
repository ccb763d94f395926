import type { TempTree } from "../../support/temp-tree.ts";
import type { ClientProcess } from "./client-process.ts";
import type { Client } from "./clients.ts";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import { startFakeChat } from "./fake-chat.ts";
import { startFakeGemini } from "./fake-gemini.ts";
import { startFakeResponses } from "./fake-responses.ts";
import type { ToolUse } from "./script.ts";

/** The forms in which clients speak with a model. */
export const WIRES = {
  anthropic: startFakeAnthropic,
  responses: startFakeResponses,
  chat: startFakeChat,
  gemini: startFakeGemini,
} as const;

/** A real client: how it is started, configured and kept to itself, and how it speaks with a model. */
export interface HarnessClient {
  /** As `--as` takes it. */
  readonly name: string;
  readonly title: string;
  readonly client: Client;
  readonly wire: keyof typeof WIRES;
  /** Its tools as its model calls them. Paths are absolute. */
  readonly tools: {
    read(path: string): ToolUse;
    /** Undefined if its model edits only with a shell. */
    readonly replace?: (path: string, from: string, to: string) => ToolUse;
    shell(command: string): ToolUse;
    /** A sub-agent that may edit, in the foreground; undefined if its model can't start one. */
    readonly spawn?: (prompt: string) => ToolUse;
    /** What waits for it, if `spawn` doesn't; the argument is what that has answered. */
    readonly wait?: (spawned: string) => ToolUse;
  };
  /**
   * After how many tokens, as its model counts them, it compacts, if that is not the usual number. `says`: how much its
   * model has to say for that, if it counts itself; `atPrompt`: when a session goes on with a prompt; `prepare`: what it
   * needs for that.
   */
  readonly compacts?: {
    readonly tokens?: number;
    readonly says?: string;
    readonly atPrompt?: true;
    prepare?(home: TempTree): void;
  };
  /** Why a session can't be resumed here. */
  readonly cannotResume?: string;
  /** Writes what the client needs into its home, beside what `codelia install` has written there. */
  start(place: Place): Pick<ClientProcess, "program" | "args" | "env">;
}

export interface Place {
  readonly tree: TempTree;
  readonly home: TempTree;
  readonly cwd: string;
  /** The model server's. */
  readonly url: string;
  /** Go on with the last session in this home. */
  readonly resume: boolean;
}
