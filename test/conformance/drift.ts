import { counted } from "../../src/lib/words.ts";
import type { ConformanceRecord } from "./record.ts";
import type { Tree } from "./tree.ts";
import { cellText } from "./verdict.ts";

/** A run that did not come to its end. */
export interface Failure {
  readonly client: string;
  readonly tree: string;
  readonly why: string;
}

interface Compared {
  readonly recorded: ConformanceRecord;
  /** Only what was played now. */
  readonly played: ConformanceRecord;
  /** The columns that could not be played. */
  readonly absent: readonly { readonly client: string; readonly why: string }[];
  readonly failures: readonly Failure[];
  readonly trees: readonly Tree[];
}

/** What other versions of the clients do differently, a block for each client. */
export function renderDrift({ recorded, played, absent, failures, trees }: Compared): {
  readonly text: string;
  readonly isSame: boolean;
} {
  const lines: string[] = [];
  let differences = 0;
  for (const [client, { version: before }] of Object.entries(recorded.clients)) {
    const missing = absent.find((each) => each.client === client);
    if (missing !== undefined) {
      lines.push(`${client} ${before}: the newest was not played: ${missing.why}`);
      continue;
    }
    const rows = trees.filter(({ name }) => played.cells[name]?.[client] !== undefined);
    const changes = rows.flatMap((tree) => {
      const [was, is] = [recorded, played].map(({ cells }) => {
        const cell = cells[tree.name]?.[client];
        return cell === undefined ? "not recorded" : cellText(tree, cell);
      });
      return was === is ? [] : [`  ${tree.name}: ${was} → ${is}`];
    });
    const broken = failures.filter((failure) => failure.client === client);
    changes.push(...broken.map(({ tree, why }) => `  ${tree} did not come to its end: ${why.trim()}`));
    differences += changes.length;
    const now = played.clients[client]?.version ?? before;
    const versions = now === before ? `${client} ${now}, as recorded` : `${client} ${now} (recorded: ${before})`;
    const verdict = changes.length === 0 ? "all as recorded" : `${changes.length} not as recorded`;
    lines.push(`${versions}: ${counted(rows.length + broken.length, "row")}, ${verdict}`, ...changes);
  }
  const summary =
    differences === 0 ? "Nothing differs from the record." : `Not as recorded: ${counted(differences, "row")}.`;
  return { text: `${[...lines, summary].join("\n")}\n`, isSame: differences === 0 };
}
