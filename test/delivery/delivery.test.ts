import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { CHANNELS, deliver, makeRepository, pathOf, type Shape } from "./play.ts";

setDefaultTimeout(60_000);

// The short form of `npm run delivery`: the longest chain that was seen in a public repository, by each channel.
const SHAPES = JSON.parse(readFileSync(pathOf("shapes.json"), "utf8")) as Readonly<Record<string, Shape>>;
const LONGEST = SHAPES["the longest chain seen"] ?? {};
const NEAREST = Object.keys(LONGEST).at(-1) ?? "";

for (const channel of CHANNELS) {
  test(`${channel}: a chain of 134 KB arrives whole by the end of the first prompt, and nothing twice`, async () => {
    using tree = makeRepository(LONGEST);
    const { applying, delivered, longest, ...rest } = await deliver(tree, LONGEST, channel, NEAREST);
    expect(delivered).toBe(applying);
    expect(applying).toBeGreaterThan(120_000);
    expect(longest).toBeLessThanOrEqual(10_000);
    expect(rest).toEqual({ isNearestWhole: true, unnamed: 0, twice: 0 });
  });
}
