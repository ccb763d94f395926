/** A timer that is told to wait longer fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * @output when the time has passed, or at once when the signal aborts
 * @effect none
 * @error  none
 */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, MAX_TIMER_MS));
    signal.addEventListener("abort", end);
  });
}
