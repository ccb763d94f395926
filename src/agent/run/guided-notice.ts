import type { AgentRun } from "../run-schema.ts";

/** What is said at the end of a guided run. */
export interface Notice {
  readonly user: string;
  /** Makes the model continue once more; undefined if it may stop. */
  readonly model: string | undefined;
  /** The model is to be told, but can't be now. */
  readonly isOwed?: boolean;
}

/** A reason may be the output of a command. */
const MAX_REASON_UNITS = 2000;

/**
 * A failure is told to the user and the model, and a completion that left its last step unchecked to the user.
 *
 * @param canContinue whether the client would make its model continue
 * @output undefined if there is nothing to say
 */
export function noticeOf({ instance, result, summaries }: AgentRun, canContinue: boolean): Notice | undefined {
  if (result === undefined) return undefined;
  const why = (result.error ?? result.completionReason).slice(0, MAX_REASON_UNITS);
  const look = `'codelia agent status ${instance}' shows the run`;
  if (result.success) {
    if (summaries.at(-1)?.passed !== false) return undefined;
    return { user: `codelia: the guided run '${instance}' is complete: ${why}; ${look}`, model: undefined };
  }
  const model = `The guided run '${instance}' has failed: ${why}\nTell the user so, and what is done and what is not. No further step follows; ${look}.`;
  const user = `codelia: the guided run '${instance}' failed: ${why}; ${look}`;
  return canContinue ? { user, model } : { user, model: undefined, isOwed: true };
}

export function lostNotice(instance: string, canContinue: boolean): Notice {
  const user = `codelia: the guided run '${instance}' failed: its record is gone or can't be used`;
  const model = `The guided run '${instance}' has failed, because its record is gone or can't be used.\nTell the user so. No further step follows.`;
  return { user, model: canContinue ? model : undefined };
}

/** The run has not moved on: the next stop is judged instead. */
export function unrecordedNotice(instance: string, reason: string): Notice {
  const user = `codelia: the guided run '${instance}' can't be recorded (${reason}), so no next step is given; the next answer is judged instead of this one`;
  return { user, model: undefined };
}
