import { expect, test } from "bun:test";
import { isInside, ladder, withoutIgnored } from "../../src/lib/paths.ts";

const INSIDE: [parent: string, child: string, expected: boolean][] = [
  ["/a/b", "/a/b", true],
  ["/a/b", "/a/b/c", true],
  ["/a/b", "/a/bc", false],
  ["/a/b", "/a", false],
  ["/a/b", "/a/c", false],
  ["/a/b", "/x/a/b", false],
  ["/a", "/a/..x", true],
  ["/a", "/a/...", true],
  ["/a", "/a/..x/y", true],
  ["/a/..x", "/a", false],
  ["/", "/", true],
  ["/", "/a", true],
  ["/a", "/", false],
  ["/a", "/A", false],
  ["/a b", "/a b/c", true],
];
for (const [parent, child, expected] of INSIDE) {
  test(`isInside() says ${expected} when '${child}' is asked about in '${parent}'`, () => {
    expect(isInside(parent, child)).toBe(expected);
  });
}

const LADDERS: [root: string, directory: string, expected: string[]][] = [
  ["/a", "/a", ["/a"]],
  ["/a", "/a/b/c", ["/a", "/a/b", "/a/b/c"]],
  ["/", "/a/b", ["/", "/a", "/a/b"]],
  ["/", "/", ["/"]],
  ["/a", "/a/..x/y", ["/a", "/a/..x", "/a/..x/y"]],
  ["/a/b", "/a/bc", []],
  ["/a/b", "/a", []],
];
for (const [root, directory, expected] of LADDERS) {
  test(`ladder() lists ${expected.length} directories when it leads from '${root}' to '${directory}'`, () => {
    expect(ladder(root, directory)).toEqual(expected);
  });
}

test("ladder() comes to an end when the root is not normalised", () => {
  expect(ladder("/a/", "/a/b")).toContain("/a/b");
});

const IGNORED: [when: string, rungs: string[], ignore: string[], expected: string[]][] = [
  ["no name is ignored", ["/a", "/a/b"], [], ["/a", "/a/b"]],
  ["an ignored name is below", ["/a", "/a/lib", "/a/lib/x"], ["lib"], ["/a"]],
  ["an ignored name is the last", ["/a", "/a/b", "/a/b/lib"], ["lib"], ["/a", "/a/b"]],
  ["only a part of a name is ignored", ["/a", "/a/libs"], ["lib"], ["/a", "/a/libs"]],
  ["the root itself has the ignored name", ["/x/lib", "/x/lib/a"], ["lib"], ["/x/lib", "/x/lib/a"]],
  ["the root's name comes again below it", ["/lib", "/lib/lib"], ["lib"], ["/lib"]],
  ["there is no ladder", [], ["lib"], []],
];
for (const [when, rungs, ignore, expected] of IGNORED) {
  test(`withoutIgnored() keeps ${expected.length} of ${rungs.length} when ${when}`, () => {
    expect(withoutIgnored(rungs, ignore)).toEqual(expected);
  });
}
