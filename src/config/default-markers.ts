export const DEFAULT_MARKERS: readonly string[] = [".codelia", ".git", ".jj"];
