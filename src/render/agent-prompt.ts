interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

export interface StepPrompt {
  readonly text: string;
  /** What the answer must hold. */
  readonly fields: readonly Field[];
  /** Why the answer before did not pass. */
  readonly complaint?: string | undefined;
  /** For a model that knows nothing of what was done before. */
  readonly before?: { readonly response?: string | undefined; readonly context: string } | undefined;
}

/** What a model is asked: what it must know first, the definition's own words, the form of the answer last. */
export function renderStepPrompt({ text, fields, complaint, before }: StepPrompt): string {
  const parts: string[] = [];
  if (before !== undefined) parts.push(renderBefore(before));
  if (complaint !== undefined) parts.push(`Your last answer did not pass: ${complaint}\nDo it again:`);
  parts.push(text.trimEnd());
  if (fields.length > 0) parts.push(renderForm(fields));
  return `${parts.join("\n\n")}\n`;
}

function renderBefore({ response, context }: NonNullable<StepPrompt["before"]>): string {
  const said = response === undefined ? "" : `\n\nThe last answer was:\n\n${response.trimEnd()}`;
  return `This goes on from work that you can't see. What it has given so far, as JSON: ${context}${said}\n\nNow:`;
}

function renderForm(fields: readonly Field[]): string {
  const lines = fields.map(({ name, type, isRequired, description }) => {
    const about = description === undefined ? "" : `: ${description}`;
    return `- ${name} (${type}${isRequired ? "" : ", may be left out"})${about}`;
  });
  return `End your answer with a JSON object in a fence that begins with \`\`\`json. Its fields:\n${lines.join("\n")}`;
}
