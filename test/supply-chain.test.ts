import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./support/run-codelia.ts";
import { tempTree } from "./support/temp-tree.ts";

setDefaultTimeout(120_000);

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");
const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
const locked = Object.entries((JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> }).packages);
/** What the program is made of: what it names, and what that names. */
const runtime = locked.filter(([path, { dev }]) => path !== "" && dev !== true);

describe("packages", () => {
  test("are pinned to one version, and to its bytes", () => {
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)]);
    }
    for (const [path, { integrity }] of locked) {
      if (path !== "") expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-/)]);
    }
  });

  test("of the program run no script when they are installed", () => {
    expect(runtime.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
  });

  test("of the program are reviewed in CONTRIBUTING.md, each in the version that is pinned, and no other", () => {
    const section = /^## Packages\n([^]*?)\n## /m.exec(read("CONTRIBUTING.md"))?.[1] ?? "";
    const rows = [...section.matchAll(/^\| `([^`]+)` +\| (\S+)/gm)].map(([, name, version]) => [name, version]);
    expect(rows.toSorted()).toEqual(Object.entries(dependencies ?? {}).toSorted());
    const others = runtime.map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
    const named = new Set(Array.from(section.matchAll(/`([^`]+)`/g), ([, name]) => name));
    expect(others.filter((name) => !named.has(name))).toEqual([]);
  });
});

const isAll = process.env["CODELIA_TEST_ALL"] === "1";
test.skipIf(!isAll)(
  `two builds in different directories give the same bytes${isAll ? "" : " (only under npm run test:all)"}`,
  async () => {
    const hashes = [await buildIn("one"), await buildIn("another/and/deeper")];
    expect(hashes[0]).toBe(hashes[1]);
  },
);

/** From a copy of what a build needs, with tools of its own, which know no other directory. */
async function buildIn(directory: string): Promise<string> {
  using tree = tempTree({ [`${directory}/`]: { dir: true } });
  const copy = tree.path(directory);
  const parts = [
    "src",
    ".tools",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    ...runtime.map(([path]) => path),
  ];
  for (const part of parts) cpSync(join(REPOSITORY, part), join(copy, part), { recursive: true });
  const { compile } = (await import(join(copy, ".tools/lib/build.mjs"))) as typeof import("../.tools/lib/build.mjs");
  const outfile = join(copy, "dist/codelia");
  await compile({ entry: join(copy, "src/main.ts"), outfile });
  return createHash("sha256").update(readFileSync(outfile)).digest("hex");
}
