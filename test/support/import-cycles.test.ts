import { expect, test } from "bun:test";
import { cyclesIn } from "./import-cycles.ts";

const GRAPHS: [name: string, edges: Record<string, string[]>, cycles: string[][]][] = [
  ["no edge", { a: [] }, []],
  ["a chain and a diamond", { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, []],
  ["a loop", { a: ["a"] }, [["a"]]],
  ["two nodes, from either side", { b: ["a"], a: ["b"] }, [["a", "b"]]],
  ["a cycle behind a chain", { x: ["c"], c: ["a"], a: ["b"], b: ["c"] }, [["a", "b", "c"]]],
  [
    "two cycles",
    { a: ["b"], b: ["a"], c: ["d"], d: ["c", "a"] },
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["an edge to a node that is not there", { a: ["b"] }, []],
];
for (const [name, edges, cycles] of GRAPHS) {
  test(`cyclesIn() finds the cycles of ${name}`, () => {
    expect(cyclesIn(new Map(Object.entries(edges)))).toEqual(cycles);
  });
}
