import { join, resolve } from "node:path";
import { parseJsonc } from "../../lib/jsonc.ts";
import type { LimitedParse } from "../../lib/parse-limit.ts";
import { isDirectory, realEntry } from "../../lib/path-facts.ts";
import { READ_FAILURES, readText } from "../../lib/read-file.ts";
import { withoutBom } from "../../lib/text.ts";
import type { Workspace } from "../../workspace.ts";
import { ConfigurationError } from "../errors.ts";
import { promptKey, readPrompt, type PromptRead } from "./prompts.ts";
import { promptReferences, viewSteps } from "./view.ts";

const FILE = "agent.json";
const NOT_FOUND = { kind: "NotFound" };

const MAX_BYTES = 256 * 1024;

/** A definition as it is on disk, not yet validated. */
export interface LoadedDefinition {
  /** With its links resolved. */
  readonly directory: string;
  readonly file: string;
  readonly data: unknown;
  /** The prompt of each well-formed reference, by its key. */
  readonly prompts: ReadonlyMap<string, PromptRead>;
}

/**
 * @input  limited: how its file is parsed; path: the definition's directory
 * @error  ConfigurationError `NotFound` without an `agent.json`; `ParseError`, with line and column, for invalid JSON
 */
export async function load(limited: LimitedParse, path: string): Promise<LoadedDefinition> {
  const directory = realDirectory(path);
  const file = join(directory, FILE);
  const read = readText(file, MAX_BYTES);
  switch (read.kind) {
    case "absent":
      throw notFound(path, `there is no '${FILE}' in it`);
    case "unusable":
      throw new ConfigurationError(withReason(path, `its '${FILE}' ${READ_FAILURES[read.reason]}`), NOT_FOUND);
    case "too-large":
      throw parseError(file, `it is larger than ${MAX_BYTES} bytes`, 1, 1);
    case "text": {
      // Some editors write a byte order mark.
      const text = withoutBom(read.text);
      const parsed = limited(() => parseJsonc(text));
      if (parsed.kind === "unparsed") throw parseError(file, parsed.reason, 1, 1);
      if (parsed.kind === "error") {
        throw parseError(file, parsed.message, parsed.line, parsed.column);
      }
      return { directory, file, data: parsed.data, prompts: readPrompts(directory, parsed.data) };
    }
  }
}

function readPrompts(directory: string, data: unknown): Map<string, PromptRead> {
  const references = promptReferences(viewSteps(data));
  return new Map(references.map(({ reference }) => [promptKey(reference), readPrompt(directory, reference)]));
}

function realDirectory(path: string): string {
  const place = realEntry(resolve(path));
  if (place?.isDirectory !== true) throw notFound(path, "there is no such directory");
  return place.path;
}

function notFound(path: string, reason: string): ConfigurationError {
  return new ConfigurationError(withReason(path, reason), NOT_FOUND, "not_found");
}

function withReason(path: string, reason: string): string {
  return `no agent definition '${path}': ${reason}`;
}

function parseError(file: string, reason: string, line: number, column: number): ConfigurationError {
  const message = `'${file}' is not valid JSON: line ${line}, column ${column}: ${reason}`;
  return new ConfigurationError(message, { kind: "ParseError", file, line, column });
}

/** A project's definitions, one directory each. */
export const DEFINITIONS = join(".agents", "agents");

/** The directory that an argument names: a path, or the name of one of the project's definitions. */
export function definitionDirectory({ cwd, root }: Workspace, named: string): string {
  const path = resolve(cwd, named);
  const isName = !/[/\\]/.test(named) && !isDirectory(path);
  return isName ? join(root.directory, DEFINITIONS, named) : path;
}
