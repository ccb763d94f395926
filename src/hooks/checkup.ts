import type { Remark, Scope } from "../clients/settings/settings-host.ts";
import type { HookState, Survey } from "../clients/settings/survey.ts";

/** What `doctor` found in one settings file. */
export interface ScopeCheckup {
  readonly scope: Scope;
  readonly path: string;
  /** `unusable`: the file can't be read as it is. */
  readonly state: HookState | "unusable";
  readonly reasons: readonly string[];
}

export interface HostCheckup {
  readonly host: string;
  readonly title: string;
  readonly scopes: readonly ScopeCheckup[];
  readonly remarks: readonly Remark[];
}

/** What a session would be told here. */
export interface Told {
  readonly cwd: string;
  readonly files: number;
  readonly bytes: number;
  readonly leftOut: number;
  readonly skills: number;
}

/** As many events are named; a file can hold thousands. */
const MAX_NAMED = 12;

/** Events that differ in the same way are named together. */
export function reasonsOf({ state, events }: Survey): string[] {
  if (state === "absent") return [];
  const byReason = new Map<string, string[]>();
  for (const { event, why } of events) {
    if (why === undefined) continue;
    const names = byReason.get(why);
    if (names === undefined) byReason.set(why, [event]);
    else names.push(event);
  }
  return [...byReason].map(([why, names]) => `${listed(names)}: ${why}`);
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return more > 0 ? `${names.slice(0, MAX_NAMED).join(", ")} and ${more} more` : names.join(", ");
}

/** Whether someone has to do something: whatever is in place is as it should be, and works. */
export function needsAttention(checkups: readonly HostCheckup[]): boolean {
  return checkups.some(
    ({ scopes, remarks }) =>
      scopes.some(({ state }) => state !== "absent" && state !== "current") ||
      remarks.some(({ kind }) => kind === "attention"),
  );
}

/** `5.1 ms min, 5.4 ms median, 7.0 ms max` */
export function summariseTimes(timesMs: readonly number[]): string {
  const sorted = timesMs.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const median =
    sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  const figures = [`${format(sorted[0] ?? 0)} min`, `${format(median)} median`, `${format(sorted.at(-1) ?? 0)} max`];
  return figures.join(", ");
}

function format(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
}
