import { join } from "node:path";
import type { Row } from "./rows.ts";
import { monorepoTree } from "./monorepo-tree.ts";

const CHECK_PEAK_MB = 150;

/** The check of a large repository, against a walk that only lists its directories. */
export function makeCheckRows(base: string, programs: { readonly codelia: string; readonly walk: string }): Row[] {
  const { root, home } = monorepoTree(join(base, "monorepo"));
  const at = { cwd: root, env: { HOME: home, PATH: process.env["PATH"] ?? "" } };
  const walk = "walk, 100,000 files";
  return [
    { name: walk, command: [programs.walk, root], ...at, against: walk },
    {
      name: "check, 100,000 files, 100 of them instructions",
      command: [programs.codelia, "check", "--as", "raw,claude,codex"],
      ...at,
      against: walk,
      target: 3,
      peakMB: CHECK_PEAK_MB,
    },
  ];
}
