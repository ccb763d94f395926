import type { Context, Ledger } from "../ledger/schema.ts";
import { visible } from "../lib/escape.ts";

/** What each context of each session was told, a line each. */
export function renderSessions(sessions: Ledger["sessions"]): string {
  const lines: string[] = [];
  for (const [id, session] of Object.entries(sessions)) {
    lines.push(`${visible(id)}  in ${visible(session.cwd)}`);
    for (const [name, context] of Object.entries(session.contexts)) lines.push(...describeContext(name, context));
  }
  return lines.map((line) => `${line}\n`).join("");
}

function describeContext(name: string, context: Context): string[] {
  const files = Object.entries(context.loadedVersions).map(
    ([path, { mtimeMs, named }]) => `    ${named ? "named" : "told"} ${visible(path)} (mtime: ${mtimeMs})`,
  );
  const skills = Object.entries(context.loadedSkills).map(
    ([path, skill]) => `    ${skill.n > 0 ? "loaded" : "had loaded"} ${visible(path)} (mtime: ${skill.mtimeMs})`,
  );
  return [`  ${visible(name)}, epoch ${context.epoch}`, ...files, ...skills];
}
