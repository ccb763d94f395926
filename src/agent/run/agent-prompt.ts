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
}

/** What a model is asked: why it is asked again, the definition's own words, the form of the answer last. */
export function renderStepPrompt({ text, fields, complaint }: StepPrompt): string {
  const parts: string[] = [];
  if (complaint !== undefined) parts.push(`Your last answer did not pass: ${complaint}\nDo it again:`);
  parts.push(text.trimEnd());
  if (fields.length > 0) parts.push(renderForm(fields));
  return `${parts.join("\n\n")}\n`;
}

function renderForm(fields: readonly Field[]): string {
  const lines = fields.map(({ name, type, isRequired, description }) => {
    const about = description === undefined ? "" : `: ${description}`;
    return `- ${name} (${type}${isRequired ? "" : ", may be left out"})${about}`;
  });
  return `End your answer with a JSON object in a fence that begins with \`\`\`json. Its fields:\n${lines.join("\n")}`;
}
