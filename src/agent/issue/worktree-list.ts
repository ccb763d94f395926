export interface Worktree {
  readonly path: string;
  /** Without `refs/heads/`; undefined where none is checked out. */
  readonly branch: string | undefined;
  /** Its directory is gone. */
  readonly isPrunable: boolean;
  readonly isBare: boolean;
}

/** What `git worktree list --porcelain -z` says; the first is the main one. */
export function parseWorktrees(text: string): readonly Worktree[] {
  return text.split("\0\0").flatMap((entry) => {
    const lines = entry.split("\0").filter((line) => line !== "");
    const valueOf = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
    const path = valueOf("worktree");
    if (path === undefined) return [];
    const isPrunable = lines.some((line) => line === "prunable" || line.startsWith("prunable "));
    const branch = valueOf("branch")?.replace(/^refs\/heads\//, "");
    return { path, branch, isPrunable, isBare: lines.includes("bare") };
  });
}
