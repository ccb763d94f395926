import { pathsOfPrompt } from "../touched/prompt.ts";
import { withoutEnd } from "../lib/without-end.ts";

const MAX_PROMPT = 256 * 1024;
const MAX_PATHS = 32;

/** The paths in a prompt that may be a skill's: those it mentions with `@`, and words with a slash in them. */
export function skillPathsIn(text: string, cwd: string, home: string): string[] {
  const prompt = text.slice(0, MAX_PROMPT);
  const paths = new Set(pathsOfPrompt(prompt, cwd, home).map(({ path }) => path));
  for (const [word] of prompt.matchAll(/[^\s"'`<>()[\]{},;，、。「」（）]+/g)) {
    if (paths.size >= MAX_PATHS) break;
    if (!word.includes("/")) continue;
    const path = withoutEnd(word.replace(/^[@$]/, ""), ".:!?");
    if (!path.includes("/") || path.includes("://") || path.length > 4096) continue;
    paths.add(path.startsWith("~/") ? home + path.slice(1) : path);
  }
  return [...paths].slice(0, MAX_PATHS);
}
