import { expect, test } from "bun:test";
import { billOfMaterials } from "../../.tools/lib/sbom.mjs";
import packageLock from "../../package-lock.json";
import manifest from "../../package.json";

const bill = JSON.parse(billOfMaterials(packageLock));

test("the bill names every package that is installed for use, the runtime, and nothing of development", () => {
  const names: string[] = bill.components.map(({ name }: { name: string }) => name);
  for (const name of [...Object.keys(manifest.dependencies), "bun"]) expect(names).toContain(name);
  for (const name of ["typescript", "oxlint", "fast-check"]) expect(names).not.toContain(name);
});

test("every component has a version, a licence, a checksum and a name of its own", () => {
  const seen = new Set<string>();
  for (const { "bom-ref": reference, version, licenses, hashes } of bill.components) {
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(licenses).toHaveLength(1);
    expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
    seen.add(reference);
  }
  expect(seen.size).toBe(bill.components.length);
});

test("the same lockfile gives the same bill", () => {
  expect(billOfMaterials(packageLock)).toBe(billOfMaterials(packageLock));
});
