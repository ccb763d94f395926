import { describe, expect, test } from "bun:test";
import { missingProof, readSpecification, readSpecifications, sourceAt, titlesIn } from "./table.ts";

const specifications = readSpecifications();

describe.each([...specifications])("%s", (_, { title, requirements }) => {
  test("has a title, and a test for every sentence", () => {
    expect(title).not.toBe("");
    expect(requirements.length).toBeGreaterThan(0);
    expect(requirements.filter(({ proofs }) => proofs.length === 0)).toEqual([]);
  });

  test("names its sentences in the order of the sections, each once", () => {
    const numbers = requirements.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })));
    const sentences = requirements.map(({ number, sentence }) => `${number} ${sentence}`);
    expect(sentences).toEqual([...new Set(sentences)]);
  });

  test("names tests that are there", () => {
    const missing = requirements.flatMap(({ number, proofs }) =>
      proofs.flatMap((proof) => {
        const why = missingProof(proof, sourceAt);
        return why === undefined ? [] : [`${number} ${why}`];
      }),
    );
    expect(missing).toEqual([]);
  });
});

const TABLE = `A title

1    It does this.
     a.test.ts: does this
     a.test.ts: does \${what} # that
2.1  It does that.
     s.txt: $ codelia x
`;

const SOURCES: Readonly<Record<string, string>> = {
  "a.test.ts": 'test("does this", () => {});\nfor (const what of ["that"]) test(`does ${what}`, () => {});\n',
  "s.txt": "-- commands --\n$ codelia x\n",
};

test("readSpecification() reads sentences with their tests", () => {
  expect(readSpecification(TABLE)).toEqual({
    title: "A title",
    requirements: [
      { number: "1", sentence: "It does this.", proofs: ["a.test.ts: does this", "a.test.ts: does ${what} # that"] },
      { number: "2.1", sentence: "It does that.", proofs: ["s.txt: $ codelia x"] },
    ],
  });
  expect(() => readSpecification("A title\nno number\n")).toThrow("neither a requirement nor a test: 'no number'");
});

test.each([
  ["a.test.ts: does this", undefined],
  ["a.test.ts: does ${what} # that", undefined],
  ["s.txt: $ codelia x", undefined],
  ["b.test.ts: does this", "there is no file 'b.test.ts'"],
  ["a.test.ts: does thus", "'a.test.ts' has no test 'does thus'; did it become 'does this'?"],
  ["a.test.ts: does ${what} # else", "'a.test.ts' has no row 'else'"],
  ["s.txt: $ codelia y", "'s.txt' has no line '$ codelia y'"],
  ["does this", "'does this' is not of the form 'file: test'"],
])("missingProof() of %p is %p", (proof, why) => {
  expect(missingProof(proof, (file) => SOURCES[file])).toBe(why);
});

test("titlesIn() finds tests in every form, and none that is always skipped", () => {
  const source = `
test("plain", () => {});
  test.each([["a", [1]]])(\`of \${kind}\`, () => {});
test.skipIf(!has("x"))("if it can", () => {});
testProperty(
  "a property",
  property());
traceTest("of its own kind", () => {});
test.skip("never", () => {});
test.todo("some day");
contest("nothing");
`;
  expect(titlesIn(source)).toEqual(["plain", "of ${kind}", "if it can", "a property", "of its own kind"]);
});
