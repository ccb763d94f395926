import type { PromptReference } from "../schema.ts";

export type PromptPath =
  /** From the definition's directory, with slashes. */
  { readonly kind: "path"; readonly path: string } | { readonly kind: "unusable"; readonly reason: string };

const DEFAULT_EDITION = "default";

/** The file that a reference names, if it can only be one inside the definition's directory. */
export function promptPath({ path, c3l }: PromptReference): PromptPath {
  if (c3l !== undefined) {
    const [c1, c2, c3, edition = DEFAULT_EDITION, adaptation] = c3l.split("/");
    const name = adaptation === undefined ? `f_${edition}.md` : `f_${edition}_${adaptation}.md`;
    return { kind: "path", path: `prompts/${c1}/${c2}/${c3}/${name}` };
  }
  const parts = (path ?? "").split("/");
  if (path === undefined || path === "" || /[\0\\]/.test(path)) return unusable("it names no file");
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return unusable("it is absolute");
  if (parts.includes("..")) return unusable("it leads out of the definition's directory");
  return { kind: "path", path: parts.filter((part) => part !== "" && part !== ".").join("/") };
}

/** Another for each reference. */
export function promptKey({ path, c3l }: PromptReference): string {
  return c3l === undefined ? `path:${path}` : `c3l:${c3l}`;
}

/** As it stands in the definition, for sentences. */
export function promptName({ path, c3l }: PromptReference): string {
  return path ?? c3l ?? "";
}

function unusable(reason: string): PromptPath {
  return { kind: "unusable", reason };
}
