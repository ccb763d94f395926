import { join } from "node:path";
import { isInside } from "../../lib/paths.ts";
import { disk } from "../../lib/fs.ts";
import { readText } from "../../lib/read-file.ts";
import type { PromptReference } from "../schema.ts";
import { ConfigurationError } from "../errors.ts";
import { promptName, promptPath } from "./prompt-path.ts";
import { mentionedVariables, replaceVariables, type Variables } from "../judge/variables.ts";

const MAX_PROMPT_BYTES = 256 * 1024;

export type PromptRead =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "not-found"; readonly reason: string };

/**
 * @input  directory: the definition's, its links resolved
 * @output the text, never a blank one
 * @effect none: reads
 * @error  none
 */
export function readPrompt(directory: string, reference: PromptReference): PromptRead {
  const found = promptPath(reference);
  if (found.kind === "unusable") return notFound(found.reason);
  let path: string;
  try {
    path = disk.realPath(join(directory, found.path));
  } catch {
    return notFound(`there is no '${found.path}'`);
  }
  if (!isInside(directory, path)) return notFound(`'${found.path}' is a link out of the definition's directory`);
  const read = readText(path, MAX_PROMPT_BYTES);
  switch (read.kind) {
    case "text":
      return read.text.trim() === "" ? notFound(`'${found.path}' is blank`) : read;
    case "too-large":
      return notFound(`'${found.path}' is larger than ${MAX_PROMPT_BYTES} bytes`);
    case "absent":
      return notFound(`there is no '${found.path}'`);
    case "unusable":
      return notFound(`'${found.path}' is ${read.reason === "not-a-regular-file" ? "no file" : "not readable"}`);
  }
}

export interface PromptResolver {
  /**
   * @input  variables: those that the prompt may name
   * @output the prompt with its variables replaced, never blank
   * @effect none: reads
   * @error  ConfigurationError `NotFound` without such a file, or where there is nothing to ask; `LeftOver` for a variable without a value
   */
  resolve(reference: PromptReference, variables?: Variables): Promise<string>;
}

export function createPromptResolver(directory: string): PromptResolver {
  return {
    async resolve(reference, variables = {}) {
      const name = promptName(reference);
      const read = readPrompt(directory, reference);
      if (read.kind === "not-found") {
        throw new ConfigurationError(`prompt '${name}' can't be used: ${read.reason}`, { kind: "NotFound" });
      }
      const replaced = replaceVariables(read.text, variables);
      if (replaced.kind === "left-over") {
        const message = `prompt '${name}' names ${inBraces(replaced.names)}, which has no value here; give it a default where it is declared`;
        throw new ConfigurationError(message, { kind: "LeftOver" });
      }
      if (replaced.text.trim() !== "") return replaced.text;
      const message = `prompt '${name}' can't be used: it is blank with the values of ${inBraces(mentionedVariables(read.text))}`;
      throw new ConfigurationError(message, { kind: "NotFound" });
    },
  };
}

function inBraces(variables: readonly string[]): string {
  return variables.map((variable) => `'{${variable}}'`).join(", ");
}

function notFound(reason: string): PromptRead {
  return { kind: "not-found", reason };
}
