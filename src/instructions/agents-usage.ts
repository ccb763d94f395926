import { framed } from "./framed.ts";
import type { ReminderElement } from "./reminder.ts";

/** The rules that make exactly-once delivery work for a model, in front of the initial bundle. */
export function renderAgentsUsage(element: ReminderElement): string {
  return framed(
    "agents_usage",
    `- The instruction files that apply in the working directory are given below. Do not search for AGENTS.md files on every turn.
- Only when you turn to a path outside what was covered so far, ask for what applies there: codelia resolve &lt;path&gt;.
- A reminder &lt;${element} type="agents.resolve.paths"&gt; names further files by path. Read each when you work in its scope, and follow it.
- Do not read a file again whose content you already have.
- After a session is resumed, a reminder &lt;${element} type="session.resume.diff"&gt; says what changed; it takes precedence over what was said before.
- Where instructions conflict, those of a deeper directory override those above it.
- What the user says overrides every instruction file.
`,
  );
}
