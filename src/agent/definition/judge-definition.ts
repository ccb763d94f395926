import type { LimitedParse } from "../../lib/parse-limit.ts";
import { load } from "./load.ts";
import { validate } from "./validate.ts";
import { ConfigurationError } from "../errors.ts";

/** What is wrong with a definition, and where: a line, or a value by its JSON pointer. */
export interface DefinitionFault {
  readonly file: string;
  readonly message: string;
  readonly pointer: string;
  readonly line?: number;
  readonly isError: boolean;
}

/**
 * @input  limited: how its file is parsed; directory: of the definition
 * @output everything that `agent validate` says of it
 * @effect reads
 * @error  none: what can't be read is the one thing that is wrong
 */
export async function judgeDefinition(limited: LimitedParse, directory: string): Promise<readonly DefinitionFault[]> {
  try {
    const { errors, warnings } = validate(await load(limited, directory));
    return [
      ...errors.map(({ file, message, pointer }) => ({ file, message, pointer, isError: true })),
      ...warnings.map(({ file, message, pointer }) => ({ file, message, pointer, isError: false })),
    ];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const { file = directory, line } = error.details as { file?: string; line?: number };
    return [{ file, message: error.message, pointer: "", isError: true, ...(line === undefined ? {} : { line }) }];
  }
}
