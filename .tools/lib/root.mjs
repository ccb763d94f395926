import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The top directory of this checkout. */
export const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));
