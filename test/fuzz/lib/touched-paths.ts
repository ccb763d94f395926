import { equal, ok } from "node:assert/strict";
import { isAbsolute, normalize } from "node:path";
import type { TouchedPath } from "../../../src/touched/paths.ts";

export const PLACE = { cwd: "/r/s", home: "/home/u" };

/** What must hold of the paths of any payload. */
export function assertTouched(paths: readonly TouchedPath[]): void {
  ok(paths.length <= 512, `${paths.length} paths`);
  equal(new Set(paths.map(({ path }) => path)).size, paths.length, "a path twice");
  for (const { path, access } of paths) {
    ok(isAbsolute(path) && normalize(path) === path, `not a normalised path: ${JSON.stringify(path)}`);
    ok(!path.includes("\0") && !path.startsWith("/dev/"), `can't be a file: ${JSON.stringify(path)}`);
    ok(access === "read" || access === "write" || access === "list", access);
  }
}
