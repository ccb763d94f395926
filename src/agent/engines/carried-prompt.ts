/** What a run carries from one iteration to the next. */
export interface ContextCarry {
  readonly previousResponse?: string;
  readonly accumulatedContext?: Readonly<Record<string, unknown>>;
}

/** A prompt for a session that knows nothing, with what the one before it knew. */
export function carriedPrompt(prompt: string, { previousResponse, accumulatedContext = {} }: ContextCarry): string {
  const said = (previousResponse ?? "").trim();
  const gathered = Object.keys(accumulatedContext).length === 0 ? "" : JSON.stringify(accumulatedContext, undefined, 2);
  if (said === "" && gathered === "") return prompt;
  return [
    "This continues earlier work whose session has ended. What it had come to:",
    ...(gathered === "" ? [] : [`Results so far, as JSON:\n${gathered}`]),
    ...(said === "" ? [] : [`Its last answer:\n${said}`]),
    `What is to be done now:\n${prompt}`,
  ].join("\n\n");
}
