import { expect, test } from "bun:test";
import { constantFrom, jsonValue, oneof, property, record as recordOf } from "fast-check";
import { isTrustRecord } from "../../src/trust/records.ts";
import { TrustRecordSchema } from "../../src/trust/schema.ts";
import { testProperty } from "../property/fuzz.ts";

const FILE = { path: "a/b", sha256: "0".repeat(64), sizeBytes: 1, isProgram: false };
const RECORD = { version: 1, kind: "agent", subject: "/a", trustedAt: 1, copy: "k3", files: [FILE] };
const NAMING = { ...RECORD, named: [FILE] };
const VALUES = [
  0,
  -1,
  1,
  1.5,
  2 ** 53,
  "",
  "agent",
  "project",
  "..",
  "a/b",
  "A".repeat(64),
  null,
  true,
  [],
  [FILE],
  {},
  FILE,
];

function agree(value: unknown): void {
  expect(isTrustRecord(value)).toBe(TrustRecordSchema.safeParse(value).success);
}

test("isTrustRecord() accepts a record", () => {
  for (const value of [RECORD, NAMING]) {
    expect(isTrustRecord(value)).toBeTrue();
    agree(value);
  }
});

for (const [key, whole] of Object.entries({ record: RECORD, "record that names": NAMING, file: FILE })) {
  test(`isTrustRecord() agrees with the schema about any value of a ${key}, one missing, one more`, () => {
    const wrap = (value: object) => (key === "file" ? { ...RECORD, files: [FILE, value] } : value);
    for (const name of [...Object.keys(whole), "more"]) {
      for (const value of VALUES) agree(wrap({ ...whole, [name]: value }));
      agree(wrap(Object.fromEntries(Object.entries(whole).filter(([own]) => own !== name))));
    }
  });
}

testProperty("isTrustRecord() agrees with the schema about any JSON", property(jsonValue(), agree));
testProperty(
  "isTrustRecord() agrees with the schema about any copy and hash",
  property(
    recordOf({ copy: oneof(constantFrom("a", "A", "a/b", "..", "é"), jsonValue()), sha256: jsonValue() }),
    ({ copy, sha256 }) => agree({ ...RECORD, copy, files: [{ ...FILE, sha256 }] }),
  ),
);
