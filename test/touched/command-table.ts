import { expect, test } from "bun:test";
import { commandPaths } from "../support/command-paths.ts";
import type { TouchedPath } from "../../src/touched/paths.ts";

export const CWD = "/r";
export const HOME = "/home/u";

/** A command, what it touches (`read src/a.ts`, below the cwd), and where it leaves its shell if that is elsewhere. */
export type CommandRow = readonly [command: string, touched: readonly string[], cwdAfter?: string];

export function testCommands(rows: readonly CommandRow[]): void {
  for (const [command, touched, cwdAfter] of rows) {
    test(`commandPaths() of ${JSON.stringify(command.slice(0, 120))}`, () => {
      const result = commandPaths(command, { cwd: CWD, home: HOME });
      expect(shown(result?.paths ?? [])).toEqual([...touched]);
      expect(result?.cwdAfter).toBe(cwdAfter === undefined ? CWD : cwdAfter === "?" ? undefined : `${CWD}/${cwdAfter}`);
    });
  }
}

export function shown(paths: readonly TouchedPath[]): string[] {
  return paths.map(({ path, access }) => {
    if (path === CWD) return `${access} .`;
    return `${access} ${path.startsWith(`${CWD}/`) ? path.slice(CWD.length + 1) : path}`;
  });
}
