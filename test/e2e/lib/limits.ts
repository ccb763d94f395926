/** A client's run takes about a second; what a test may take also covers a busy machine with two cores. */
export const TEST_TIMEOUT_MS = 60_000;
