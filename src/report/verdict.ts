import type { HookPresence } from "../clients/settings/doctor-report.ts";
import type { ClientOverview } from "./overview.ts";

/** One sentence each: what a client's model gets by itself, and with codelia's hooks. */
export interface Verdict {
  readonly without: string;
  readonly with: string;
}

/**
 * @input  noun: what the files are, in the plural; by itself and with the hooks: how many of them arrive in sessions
 *         that begin beside them
 */
export function verdictOf(
  noun: string,
  files: number,
  alone: ClientOverview,
  helped: ClientOverview,
  hooks: HookPresence,
): Verdict {
  const { title } = alone;
  const all = files === 1 ? `your one ${noun}` : `all ${files} of your ${noun}`;
  const isComplete = helped.whole === files;
  const gain = isComplete
    ? `it gets ${files === 1 ? "it" : "all of them"}`
    : `it gets ${helped.whole} of them whole${lossOf(helped)}`;
  const given = helped.whole - alone.whole;
  const sources = given === 0 ? "by itself" : `${alone.whole} by itself, ${given} from codelia`;
  const amount = isComplete ? all : `${helped.whole} of your ${files} ${noun} whole${lossOf(helped)}`;
  const when = hooks === "installed" ? "With codelia's hooks, which are installed," : "With codelia's hooks";
  return {
    without:
      alone.whole === files
        ? `${title} reads ${all} by itself.`
        : `${title} ${missedBy(alone, files, noun)}; with codelia's hooks ${gain}.`,
    with: `${when} ${title} gets ${amount}: ${sources}.`,
  };
}

function missedBy({ unread, cut }: ClientOverview, files: number, noun: string): string {
  if (files === 1) return unread === 1 ? `does not read your one ${noun}` : `reads only a part of your one ${noun}`;
  const rest = cut === 0 ? "" : ` and cuts ${cut}`;
  if (unread === files) return `reads none of your ${files} ${noun}`;
  return unread === 0
    ? `cuts ${cut} of your ${files} ${noun}`
    : `does not read ${unread} of your ${files} ${noun}${rest}`;
}

function lossOf({ cut, unread }: ClientOverview): string {
  const parts = [cut === 0 ? [] : `${cut} cut`, unread === 0 ? [] : `${unread} not`].flat();
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
