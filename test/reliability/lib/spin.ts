/**
 * Waits for a moment within a process's life, to a hundredth of a millisecond: the processor is kept busy, because a
 * timer comes too late for a life of a few milliseconds.
 */
export function spinFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** The same until something holds, or time is up; whether it came to hold. */
export function spinUntil(holds: () => boolean, limitMs: number): boolean {
  const end = performance.now() + limitMs;
  while (performance.now() < end) if (holds()) return true;
  return false;
}
