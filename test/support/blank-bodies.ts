/**
 * The envelope without the letters: what we print, less the files' own text, which is verbatim and need not be
 * XML. Bodies stand below an `Instructions from: <path>` line in `<agents_context>`, and above the last
 * `Base directory: ` line in `<skill_context>`.
 */
export function blankBodies(text: string): string {
  const kept: string[] = [];
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    kept.push(line);
    if (opens(line, "agents_context")) {
      const end = closingLine(lines, index, "agents_context");
      kept.push(...lines.slice(index + 1, end).filter(outsideBodies()));
      index = end - 1;
    } else if (opens(line, "skill_context")) {
      const end = closingLine(lines, index, "skill_context");
      const footer = lines.slice(0, end).findLastIndex((candidate) => candidate.startsWith("Base directory: "));
      index = (footer > index ? footer : end) - 1;
    }
  }
  return kept.join("\n");
}

function opens(line: string, element: string): boolean {
  return line === `<${element}>` || (line.startsWith(`<${element} `) && line.endsWith(">") && !line.endsWith("/>"));
}

function closingLine(lines: readonly string[], from: number, element: string): number {
  const found = lines.indexOf(`</${element}>`, from);
  return found < 0 ? lines.length : found;
}

/** Keeps what stands above the first body, and the line that announces each. */
function outsideBodies(): (line: string) => boolean {
  let insideBody = false;
  return (line) => {
    const announces = line.startsWith("Instructions from: ");
    insideBody ||= announces;
    return announces || !insideBody;
  };
}
