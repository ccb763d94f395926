import { relative } from "node:path";
import { ago, paragraph, table, type Display } from "../cli/display.ts";
import type { ContextKey } from "../ledger/contexts.ts";
import { MAIN_CONTEXT } from "../ledger/contexts.ts";
import { visible } from "../lib/escape.ts";
import type { Pending } from "./pending.ts";
import { remainingSentence, type Occasion } from "./tell.ts";
import { counted } from "../lib/words.ts";

/** What people see of `resolve`: the files, when each was changed, and what no longer applies. */
export function resolvedTable(display: Display, cwd: string, pending: Pending, more: Occasion["more"]): string {
  const { tell, changed, remaining, gone } = pending;
  const name = (path: string) => visible(relative(cwd, path) || path);
  const rows = tell.map(({ path, version: { mtimeMs, sizeBytes } }) => [
    { text: name(path), mark: display.bold },
    { text: counted(sizeBytes, "byte") },
    {
      text: `changed ${ago(display, mtimeMs)}${changed.includes(path) ? ", since it was told" : ""}`,
      mark: display.dim,
    },
  ]);
  const parts = [
    rows.length === 0 ? "" : `${counted(rows.length, "instruction file")} to follow:\n${table(display, rows)}`,
    remaining === 0 ? "" : paragraph(display, remainingSentence(remaining, more)),
    gone.length === 0
      ? ""
      : `No longer in force:\n${table(
          display,
          gone.map((path) => [{ text: name(path), mark: display.bad }]),
        )}`,
  ];
  return parts.join("");
}

/** Why `resolve` has nothing to show. */
export function nothingToTell(display: Display, key: ContextKey, applying: number): string {
  if (applying === 0) return paragraph(display, "no instruction files apply");
  const context = key.context === MAIN_CONTEXT ? "" : `agent ${visible(key.context)} of `;
  return paragraph(display, `already told to ${context}session ${visible(key.session)}; --no-state shows it`);
}
