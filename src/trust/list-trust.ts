import type { ComparedFile } from "./trust.ts";
import { visible } from "../lib/escape.ts";

export interface TrustView {
  readonly kind: "project" | "agent" | "repository";
  readonly directory: string;
  readonly files: readonly ComparedFile[];
  /** Files of the clone outside of an agent definition that its commands name. */
  readonly named?: readonly ComparedFile[];
  /** What a project's or a repository's config asks for, or what a definition runs, by key. */
  readonly asked: readonly { readonly key: string; readonly value: unknown }[];
  /** Why it is trusted no longer. */
  readonly problem: string | null;
}

const TITLES = { project: "Project", agent: "Agent definition", repository: "Repository" } as const;

/** What is to be trusted: what it asks for, then its files as `sha256sum` would name them, with size and state. */
export function renderTrust({ kind, directory, files, named = [], asked, problem }: TrustView): string {
  const asks = asked.map(({ key, value }) => `  asks for ${visible(key)} = ${visible(JSON.stringify(value))}`);
  const others = named.map((file) => renderFile(file, "of the clone"));
  const lost = problem === null ? [] : [`  trusted no longer: ${visible(problem)}`];
  return [
    `${TITLES[kind]} ${visible(directory)}`,
    ...asks,
    ...files.map((file) => renderFile(file)),
    ...others,
    ...lost,
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function renderFile({ path, sha256, sizeBytes, isProgram, state }: ComparedFile, whose = ""): string {
  const notes = [`${sizeBytes} bytes`, isProgram ? "program" : "", whose, state === "same" ? "" : state].filter(
    Boolean,
  );
  return `  ${sha256}  ${visible(path)}  (${notes.join(", ")})`;
}
