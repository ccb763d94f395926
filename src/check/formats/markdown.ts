import type { LocatedFinding } from "../findings.ts";
import { SEVERITIES } from "../../lib/diagnostic.ts";
import { sentenceOf, shown } from "./text.ts";

// GitHub shows a megabyte of all summaries of a job.
const MAX_ROWS = 200;
const MAX_CELL = 500;

export interface Summary {
  readonly findings: readonly LocatedFinding[];
  /** The counts, in a line. */
  readonly line: string;
}

/** A page for people: the counts, then a table, the most severe first. */
export function renderFindingsMarkdown({ findings, line }: Summary): string {
  const head = `### codelia check\n\n${asCell(line)}\n`;
  if (findings.length === 0) return `${head}\n`;
  const rank = ({ severity }: LocatedFinding) => SEVERITIES.indexOf(severity);
  const sorted = findings.toSorted((left, right) => rank(left) - rank(right));
  const rows = sorted.slice(0, MAX_ROWS).map((finding) => {
    const { severity, path, relativePath, line: at, rule } = finding;
    const place = `${shown(relativePath ?? path)}:${at}`;
    return `| ${severity} | ${asCell(place)} | ${asCell(rule)} | ${asCell(sentenceOf(finding))} |\n`;
  });
  const more = sorted.length - rows.length;
  const rest = more > 0 ? `\n${more} more are in the log.\n` : "";
  return `${head}\n| | where | rule | what |\n| --- | --- | --- | --- |\n${rows.join("")}${rest}\n`;
}

/** Escapes markup and whatever would end a cell. */
function asCell(text: string): string {
  const cut = text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
  return (
    cut
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll(/[\\`*_[\]()|~#!]|:(?=\/\/)|w(?=ww\.)/gi, (sign) => `&#${sign.charCodeAt(0)};`)
      // GitHub links addresses even if the sign is escaped, but not across markup.
      .replaceAll("@", "&#64;<!-- -->")
      .replaceAll(/[\r\n]+/g, " ")
  );
}
