/** The file that says a `.codelia` was made for the ledger alone. */
export const STATE_ONLY = "state-only";
