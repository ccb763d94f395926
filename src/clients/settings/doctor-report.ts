import { visible } from "../../lib/escape.ts";
import { counted } from "../../lib/text.ts";
import type { Remark, Scope } from "./model.ts";
import type { HookState } from "./survey.ts";
import type { CallTimes } from "./time-calls.ts";

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

/** What a session would be told here. */
export interface Told {
  readonly cwd: string;
  readonly files: number;
  readonly bytes: number;
  readonly leftOut: number;
  readonly skills: number;
}

/** Whether someone has to do something: a hook that is in place is not as it should be, or doesn't work. */
export function needsAttention(checkups: readonly ClientCheckup[]): boolean {
  return checkups.some(
    ({ scopes, remarks }) => scopes.some(isAmiss) || remarks.some(({ kind }) => kind === "attention"),
  );
}

function isAmiss({ state }: ScopeCheckup): boolean {
  return state !== "absent" && state !== "current";
}

/** For a person: what needs attention is marked with `!`. */
export function renderDoctor(checkups: readonly ClientCheckup[], told: Told): string {
  const others = checkups.length === 1 ? [] : checkups.filter(hasNothing);
  const shown = checkups.filter((checkup) => !others.includes(checkup));
  const names = others.map(({ host }) => host).join(", ");
  const lines = [...shown.flatMap(linesOf), ...(names === "" ? [] : [`not installed: ${names}`]), renderTold(told)];
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

function renderTold({ cwd, files, bytes, leftOut, skills }: Told): string {
  const rest = leftOut === 0 ? "" : `, ${counted(leftOut, "more file")} by name only`;
  const instructions = `${counted(files, "instruction file")} (${counted(bytes, "byte")})${rest}`;
  return `A session in ${cwd} begins with ${instructions} and ${counted(skills, "skill")}.`;
}
