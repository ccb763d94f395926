import { decodeBody, defuse } from "../instructions/body.ts";
import { SKILL_FOOTER } from "../instructions/elements.ts";
import { escapeAttribute, escapeText } from "../lib/escape.ts";
import { framed } from "../instructions/framed.ts";
import { quoteForShell } from "../lib/shell-quote.ts";

export interface LoadedSkill {
  readonly name: string;
  readonly path: string;
  /** The SKILL.md, or as much of it as is shown. */
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  /** URL of its directory, with a slash at the end. */
  readonly baseUrl: string;
  readonly files: readonly string[];
  /** There are more files than `files` names. */
  readonly moreFiles: boolean;
}

/** A skill's text with what its relative paths mean. */
export function renderSkillContext(skill: LoadedSkill): string {
  const body = defuse(decodeBody(skill.bytes).replace(/^\uFEFF/, ""), "skill");
  const lineEnd = body === "" || body.endsWith("\n") ? "" : "\n";
  const cut =
    skill.bytes.length < skill.sizeBytes
      ? `[cut: ${skill.bytes.length} of ${skill.sizeBytes} bytes shown; read the file for the rest]\n`
      : "";
  const footer = `${SKILL_FOOTER} ${escapeText(skill.baseUrl)}
Relative paths in this skill are resolved from this directory.
${renderFiles(skill)}`;
  const attributes = ` name="${escapeAttribute(skill.name)}" path="${escapeAttribute(skill.path)}"`;
  return framed("skill_context", `${body}${lineEnd}${cut}\n${footer}`, attributes);
}

/** Said in place of the text, when the context has it already. */
export function renderSkillReminder(skill: {
  readonly name: string;
  readonly path: string;
  readonly id: string;
}): string {
  const [name, path, ref] = [skill.name, skill.path, skill.id].map(escapeAttribute);
  const lines = `This skill was loaded into this context before and has not changed since: use the text you have.
If you do not have it, run: codelia skills load ${escapeText(quoteForShell(skill.path))} --again
`;
  return framed("skill_context_reminder", lines, ` name="${name}" path="${path}" ref="${ref}"`);
}

function renderFiles({ files, moreFiles }: LoadedSkill): string {
  const truncated = moreFiles ? ' truncated="true"' : "";
  const more = moreFiles ? `Not all files are listed, only ${files.length}; list the directory for the rest.\n` : "";
  const list = files.map((path) => `<file>${escapeText(path)}</file>\n`).join("");
  return framed("skill_files", list + more, truncated);
}
