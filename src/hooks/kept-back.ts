/** Said with the files for whose sake a call was not made. */
export const KEPT_BACK =
  "Nothing was done: the call is kept back once, for you to know what applies there. Read the files above whose text you do not have, then make the call again.\n";
