import { expect, test } from "bun:test";
import { sleep } from "../../src/lib/process.ts";

const HOUR_MS = 3_600_000;

test("sleep() ends when its time has come", async () => {
  const start = performance.now();
  await sleep(20, new AbortController().signal);
  expect(performance.now() - start).toBeGreaterThanOrEqual(19);
});

test("sleep() takes months for months", async () => {
  const controller = new AbortController();
  let isOver = false;
  const slept = sleep(2 ** 40, controller.signal).then(() => (isOver = true));
  await sleep(20, new AbortController().signal);
  expect(isOver).toBe(false);
  controller.abort();
  await slept;
});

test("sleep() ends at once when it is told to, or was told before", async () => {
  const controller = new AbortController();
  const start = performance.now();
  const slept = sleep(HOUR_MS, controller.signal);
  controller.abort();
  await slept;
  await sleep(HOUR_MS, controller.signal);
  expect(performance.now() - start).toBeLessThan(HOUR_MS);
});
