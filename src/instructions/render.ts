import { escapeText } from "../lib/escape.ts";
import { decodeBody, defuse } from "./body.ts";
import { FILE_HEADER, framed } from "./elements.ts";
import type { ReminderElement } from "./tell.ts";

export interface BundlePart {
  readonly path: string;
  /** What is shown of it. */
  readonly bytes: Uint8Array;
  readonly shownBytes: number;
  readonly sizeBytes: number;
}

export interface LeftOut {
  readonly path: string;
  readonly sizeBytes: number;
  /** What the reader has of it from elsewhere. */
  readonly givenBytes?: number;
}

/** `<agents_context scope="initial">` with every file's text. */
export function renderAgentsContext(parts: readonly BundlePart[]): string {
  return framed("agents_context", parts.map(renderFile).join("\n"), ' scope="initial"');
}

/** What did not fit, by path and size. */
export function renderLeftOut(leftOut: readonly LeftOut[]): string {
  const lines = leftOut.map(leftOutLine).join("");
  return framed("agents_left_out", `Over the limit; read these files before working in their scope:\n${lines}`);
}

function leftOutLine({ path, sizeBytes, givenBytes = 0 }: LeftOut): string {
  const given = givenBytes === 0 ? "" : `, of which you were given the first ${givenBytes}`;
  return `- ${escapeText(path)} (${sizeBytes} bytes${given})\n`;
}

/** One file's text with its heading. */
export function renderFile(part: BundlePart): string {
  const body = defuse(decodeBody(part.bytes));
  const lineEnd = body.endsWith("\n") ? "" : "\n";
  const cut =
    part.shownBytes < part.sizeBytes
      ? `[cut: ${part.shownBytes} of ${part.sizeBytes} bytes shown; read the file for the rest]\n`
      : "";
  return `${FILE_HEADER} ${escapeText(part.path)}\n${body}${lineEnd}${cut}`;
}

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
