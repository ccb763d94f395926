import { join } from "node:path";
import { disk } from "../../lib/fs.ts";
import { isInside } from "../../lib/paths.ts";
import { READ_FAILURES, readText } from "../../lib/read-file.ts";
import { ConfigurationError } from "../errors.ts";
import { mentionedVariables, replaceVariables, type Variables } from "../judge/variables.ts";
import type { PromptReference } from "../schema.ts";

const MAX_PROMPT_BYTES = 256 * 1024;

export type PromptRead =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "not-found"; readonly reason: string };

/** @input directory: the definition's, links resolved */
export function readPrompt(directory: string, reference: PromptReference): PromptRead {
  const found = promptPath(reference);
  if (found.kind === "unusable") return notFound(found.reason);
  let path: string;
  try {
    path = disk.realPath(join(directory, found.path));
  } catch {
    return notFound(`there is no '${found.path}'`);
  }
  if (!isInside(directory, path)) return notFound(`'${found.path}' is a link to outside the definition's directory`);
  const read = readText(path, MAX_PROMPT_BYTES);
  switch (read.kind) {
    case "text":
      return read.text.trim() === "" ? notFound(`'${found.path}' is blank`) : read;
    case "too-large":
      return notFound(`'${found.path}' is larger than ${MAX_PROMPT_BYTES} bytes`);
    case "absent":
      return notFound(`there is no '${found.path}'`);
    case "unusable":
      return notFound(`'${found.path}' ${READ_FAILURES[read.reason]}`);
  }
}

export interface PromptResolver {
  /**
   * @output the prompt with its variables replaced, never blank
   * @error  ConfigurationError `NotFound` if the file is missing or blank; `LeftOver` for a variable without a value
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
        const message = `prompt '${name}' names ${inBraces(replaced.names)}, which has no value here; declare a default for it`;
        throw new ConfigurationError(message, { kind: "LeftOver" });
      }
      if (replaced.text.trim() !== "") return replaced.text;
      const message = `prompt '${name}' can't be used: it is blank after replacing ${inBraces(mentionedVariables(read.text))}`;
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

type PromptPath =
  /** Relative to the definition's directory, with slashes. */
  { readonly kind: "path"; readonly path: string } | { readonly kind: "unusable"; readonly reason: string };

const DEFAULT_EDITION = "default";

/** The file that a reference names, if it is inside the definition's directory; it need not exist. */
export function promptPath({ path, c3l }: PromptReference): PromptPath {
  if (c3l !== undefined) {
    const [c1, c2, c3, edition = DEFAULT_EDITION, adaptation] = c3l.split("/");
    const name = adaptation === undefined ? `f_${edition}.md` : `f_${edition}_${adaptation}.md`;
    return { kind: "path", path: `prompts/${c1}/${c2}/${c3}/${name}` };
  }
  const parts = (path ?? "").split("/");
  if (path === undefined || path === "" || /[\0\\]/.test(path)) return unusable("it names no file");
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return unusable("it is absolute");
  if (parts.includes("..")) return unusable("it is outside the definition's directory");
  return { kind: "path", path: parts.filter((part) => part !== "" && part !== ".").join("/") };
}

/** Unique for each reference. */
export function promptKey({ path, c3l }: PromptReference): string {
  return c3l === undefined ? `path:${path}` : `c3l:${c3l}`;
}

/** A reference as messages name it. */
export function promptName({ path, c3l }: PromptReference): string {
  return path ?? c3l ?? "";
}

function unusable(reason: string): PromptPath {
  return { kind: "unusable", reason };
}
