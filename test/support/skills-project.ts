import { expect } from "bun:test";
import { blankBodies, elementsNamed, parseFragment, textOf, type XmlElement } from "./envelope.ts";
import { runCodelia, type RunResult } from "./run-codelia.ts";
import { dir, type Entry, type TempTree } from "./temp-tree.ts";

/** A SKILL.md. */
export function skillFile(name: string, description: string, body = "# Body\n"): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}

/** A project with two skills, and a user with one. */
export const SKILLS_PROJECT: Readonly<Record<string, Entry>> = {
  "home/": dir,
  "repo/.git/": dir,
  "repo/p/src/": dir,
  "repo/.agents/skills/repo-review/SKILL.md": skillFile("repo-review", "Review PR with risk-first checklist"),
  "repo/.agents/skills/repo-review/references/checklist.md": "- risk\n",
  "repo/.agents/skills/repo-review/scripts/run.sh": "true\n",
  "repo/p/.agents/skills/team/changelog/SKILL.md": skillFile("changelog", "Write what a release changed"),
  "home/.agents/skills/release-notes/SKILL.md": skillFile("release-notes", "Draft notes from commits"),
};

/** Runs the built binary in that project. */
export function runIn(tree: TempTree, args: readonly string[], cwd = "repo/p/src"): RunResult {
  return runCodelia(args, { cwd: tree.path(cwd), home: tree.path("home") });
}

/** The same, for a call that must succeed without warnings. */
export function outputOf(tree: TempTree, ...args: readonly string[]): string {
  const { stdout, stderr, exitCode } = runIn(tree, args);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout;
}

/** What was printed, read by a strict XML parser, without the text of files. */
export function envelopeOf(stdout: string): XmlElement {
  const parsed = parseFragment(blankBodies(stdout));
  if (!parsed.ok) throw new Error(`${parsed.error} in\n${stdout}`);
  return parsed.root;
}

export function textsOf(stdout: string, element: string): string[] {
  return elementsNamed(element, envelopeOf(stdout)).map(textOf);
}
