import { visible } from "../lib/escape.ts";

interface Checkup {
  readonly host: string;
  readonly title: string;
  readonly scopes: readonly {
    readonly scope: string;
    readonly path: string;
    readonly state: string;
    readonly reasons: readonly string[];
  }[];
  readonly remarks: readonly { readonly kind: string; readonly text: string }[];
}

interface Told {
  readonly cwd: string;
  readonly files: number;
  readonly bytes: number;
  readonly leftOut: number;
  readonly skills: number;
}

/** For a person; what needs attention is marked with `!`. */
export function renderDoctor(checkups: readonly Checkup[], told: Told): string {
  const others = checkups.length === 1 ? [] : checkups.filter(hasNothing);
  const shown = checkups.filter((checkup) => !others.includes(checkup));
  const names = others.map(({ host }) => host).join(", ");
  const lines = [...shown.flatMap(linesOf), ...(names === "" ? [] : [`not installed: ${names}`]), renderTold(told)];
  return lines.map((line) => `${visible(line)}\n`).join("");
}

function hasNothing({ scopes, remarks }: Checkup): boolean {
  return remarks.length === 0 && scopes.every(({ state }) => state === "absent");
}

function linesOf({ host, title, scopes, remarks }: Checkup): string[] {
  return [
    `${host} (${title})`,
    ...scopes.flatMap(({ scope, path, state, reasons }) => [
      `${mark(state !== "absent" && state !== "current")} ${scope.padEnd(7)}  ${state.padEnd(8)}  ${path}`,
      ...reasons.map((reason) => `      ${reason}`),
    ]),
    ...remarks.map(({ kind, text }) => `${mark(kind === "attention")} ${text}`),
  ];
}

function mark(needsAttention: boolean): string {
  return needsAttention ? "!" : " ";
}

function renderTold({ cwd, files, bytes, leftOut, skills }: Told): string {
  const rest = leftOut === 0 ? "" : `, ${counted(leftOut, "file")} named only`;
  const instructions = `${counted(files, "instruction file")} (${counted(bytes, "byte")})${rest}`;
  return `A session in ${cwd} begins with ${instructions} and ${counted(skills, "skill")}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
