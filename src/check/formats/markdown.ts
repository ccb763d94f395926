import type { LocatedFinding } from "../findings.ts";
import { sentenceOf, shown } from "./text.ts";

const MAX_ROWS = 200;
/** GitHub shows a megabyte of all summaries of a job. */
const MAX_CELL = 500;

export interface Summary {
  readonly findings: readonly LocatedFinding[];
  /** What all of it comes to, in a line. */
  readonly line: string;
}

/** A page for people: what it comes to, then a table, the gravest first. */
export function renderFindingsMarkdown({ findings, line }: Summary): string {
  const head = `### codelia check\n\n${asCell(line)}\n`;
  if (findings.length === 0) return `${head}\n`;
  const order = ["error", "warning", "note"];
  const sorted = findings.toSorted((left, right) => order.indexOf(left.severity) - order.indexOf(right.severity));
  const rows = sorted.slice(0, MAX_ROWS).map((finding) => {
    const { severity, path, relativePath, line: at, rule } = finding;
    const place = `${shown(relativePath ?? path)}:${at}`;
    return `| ${severity} | ${asCell(place)} | ${asCell(rule)} | ${asCell(sentenceOf(finding))} |\n`;
  });
  const more = sorted.length - rows.length;
  const rest = more > 0 ? `\n${more} more are in the log.\n` : "";
  return `${head}\n| | where | rule | what |\n| --- | --- | --- | --- |\n${rows.join("")}${rest}\n`;
}

/** Nothing in a name or sentence is markup, or ends a cell. */
function asCell(text: string): string {
  const cut = text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
  return (
    cut
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll(/[\\`*_[\]()|~#!]|:(?=\/\/)|w(?=ww\.)/gi, (sign) => `&#${sign.charCodeAt(0)};`)
      // GitHub makes a link of an address however its sign is spelled, but not across markup.
      .replaceAll("@", "&#64;<!-- -->")
      .replaceAll(/[\r\n]+/g, " ")
  );
}
