import { expect, test } from "bun:test";
import { summariseTimes } from "../../../src/clients/settings/time-calls.ts";

test("summariseTimes() gives least, middle and most", () => {
  expect(summariseTimes([3, 1, 2])).toBe("1.0 ms min, 2.0 ms median, 3.0 ms max");
  expect(summariseTimes([4, 1, 2, 3])).toBe("1.0 ms min, 2.5 ms median, 4.0 ms max");
});
