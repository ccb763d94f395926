import type { ComparedFile } from "../core/trust.ts";
import { visible } from "./escape.ts";

export interface TrustView {
  readonly kind: "project" | "agent";
  readonly directory: string;
  readonly files: readonly ComparedFile[];
  /** What a project's config asks for, by key. */
  readonly asked: readonly { readonly key: string; readonly value: unknown }[];
  /** Why it is trusted no longer. */
  readonly problem: string | null;
}

const TITLES = { project: "Project", agent: "Agent definition" } as const;

/** What is to be trusted: what it asks for, then its files as `sha256sum` would name them, with size and state. */
export function renderTrust({ kind, directory, files, asked, problem }: TrustView): string {
  const asks = asked.map(({ key, value }) => `  asks for ${visible(key)} = ${visible(JSON.stringify(value))}`);
  const lost = problem === null ? [] : [`  trusted no longer: ${visible(problem)}`];
  return [`${TITLES[kind]} ${visible(directory)}`, ...asks, ...files.map(renderFile), ...lost]
    .map((line) => `${line}\n`)
    .join("");
}

function renderFile({ path, sha256, sizeBytes, isProgram, state }: ComparedFile): string {
  const notes = [`${sizeBytes} bytes`, ...(isProgram ? ["program"] : []), ...(state === "same" ? [] : [state])];
  return `  ${sha256}  ${visible(path)}  (${notes.join(", ")})`;
}
