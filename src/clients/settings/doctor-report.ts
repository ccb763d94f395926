import { visible } from "../../lib/escape.ts";
import type { Remark, Scope } from "./model.ts";
import type { HookState } from "./survey.ts";
import type { CallTimes } from "./time-calls.ts";
import { counted } from "../../lib/words.ts";

/** What `doctor` found of one client's hooks. */
export interface ClientCheckup {
  readonly host: string;
  readonly title: string;
  readonly scopes: readonly ScopeCheckup[];
  readonly remarks: readonly Remark[];
  readonly calls: readonly CallTimes[];
}

/** What it found in one settings file. */
export interface ScopeCheckup {
  readonly scope: Scope;
  readonly path: string;
  /** `unusable`: the file can't be read as it is. */
  readonly state: HookState | "unusable";
  readonly reasons: readonly string[];
}

/** What a session that begins here would be told. */
export interface Told {
  readonly cwd: string;
  readonly files: number;
  readonly bytes: number;
  readonly leftOut: number;
  readonly skills: number;
  /** Skills without their whole description, and those that are not named; absent if there are none. */
  readonly shortenedSkills?: number;
  readonly leftOutSkills?: number;
  /** An existing instruction file that is not read, and how to change that. */
  readonly unread?: string;
  /** Of which clients only they list skills here, and how to change that. */
  readonly ownSkills?: readonly string[];
}

/** Whether something needs attention: an installed hook is not as it should be, or doesn't work. */
export function needsAttention(checkups: readonly ClientCheckup[]): boolean {
  return checkups.some(
    ({ scopes, remarks }) => scopes.some(isAmiss) || remarks.some(({ kind }) => kind === "attention"),
  );
}

function isAmiss({ state }: ScopeCheckup): boolean {
  return state !== "absent" && state !== "current";
}

export type HookPresence = "installed" | "not installed" | "in need of attention";

/** The state of a client's hooks in one word. */
export function presenceOf({ scopes }: Pick<ClientCheckup, "scopes">): HookPresence {
  const states = scopes.map(({ state }) => state).filter((state) => state !== "absent");
  if (states.length === 0) return "not installed";
  return states.every((state) => state === "current") ? "installed" : "in need of attention";
}

/** Whether hooks are installed for any of the clients. */
export function isInstalled(checkups: readonly ClientCheckup[]): boolean {
  return checkups.some(({ scopes }) => scopes.some(({ state }) => state !== "absent"));
}

/** The report for people; lines that need attention are marked with `!`. */
export function renderDoctor(checkups: readonly ClientCheckup[], told: Told): string {
  const others = checkups.length === 1 ? [] : checkups.filter(hasNothing);
  const shown = checkups.filter((checkup) => !others.includes(checkup));
  const names = others.map(({ host }) => host).join(", ");
  const [first] = checkups;
  const isMissing = first !== undefined && !isInstalled(checkups);
  const lines = [
    ...shown.flatMap(linesOf),
    ...(names === "" ? [] : [`not installed: ${names}`]),
    ...(isMissing ? [`! no hooks are installed; 'codelia install ${first.host}' adds them`] : []),
    ...renderTold(told),
  ];
  return lines.map((line) => `${visible(line)}\n`).join("");
}

function hasNothing({ scopes, remarks }: ClientCheckup): boolean {
  return remarks.length === 0 && scopes.every(({ state }) => state === "absent");
}

function linesOf({ host, title, scopes, remarks }: ClientCheckup): string[] {
  return [
    `${host} (${title})`,
    ...scopes.flatMap((scope) => [
      `${isAmiss(scope) ? "!" : " "} ${scope.scope.padEnd(7)}  ${scope.state.padEnd(8)}  ${scope.path}`,
      ...scope.reasons.map((reason) => `      ${reason}`),
    ]),
    ...remarks.map(({ kind, text }) => `${kind === "attention" ? "!" : " "} ${text}`),
  ];
}

function renderTold({
  cwd,
  files,
  bytes,
  leftOut,
  skills,
  shortenedSkills,
  leftOutSkills,
  unread,
  ownSkills = [],
}: Told): string[] {
  const less = [
    shortenedSkills ? `${shortenedSkills} with shortened descriptions` : "",
    leftOutSkills ? `${leftOutSkills} left out` : "",
  ].filter((part) => part !== "");
  const catalogue = less.length === 0 ? counted(skills, "skill") : `${counted(skills, "skill")} (${less.join(", ")})`;
  const rest = leftOut === 0 ? "" : `, ${counted(leftOut, "more file")} by name only`;
  const instructions = `${counted(files, "instruction file")} (${counted(bytes, "byte")})${rest}`;
  const sentence = `A session in ${cwd} begins with ${instructions} and ${catalogue}.`;
  return [sentence, ...(unread === undefined ? [] : [unread]), ...ownSkills];
}
