import type { LocatedFinding } from "../findings.ts";
import { sentenceOf, shown } from "./text.ts";

const COMMANDS = { error: "error", warning: "warning", note: "notice" } as const;

/** Workflow commands, which GitHub shows as annotations. No name or message can end one or begin another. */
export function renderFindingsGithub(findings: readonly LocatedFinding[]): string {
  const lines = findings.map((finding) => {
    const { rule, severity, path, relativePath, line, column } = finding;
    const properties = [
      `file=${asProperty(shown(relativePath ?? path))}`,
      `line=${line}`,
      ...(column === undefined ? [] : [`col=${column}`]),
      `title=${asProperty(rule)}`,
    ];
    return `::${COMMANDS[severity]} ${properties.join(",")}::${asData(sentenceOf(finding))}\n`;
  });
  return lines.join("");
}

function asData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function asProperty(text: string): string {
  return asData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
