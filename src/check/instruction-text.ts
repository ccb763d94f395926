/** An instruction file with its text, wherever it was read. */
export interface InstructionText {
  readonly path: string;
  readonly directory: string;
  readonly name: string;
  /** Where the text stands: the path with every link resolved. */
  readonly realPath: string;
  readonly text: string;
  /** How many of the file's bytes the text is. */
  readonly textBytes: number;
  readonly sizeBytes: number;
}

export function isBlankText({ text, textBytes, sizeBytes }: InstructionText): boolean {
  return textBytes >= sizeBytes && text.trim() === "";
}
