import { readFileSync, rmSync, writeFileSync } from "node:fs";

/** Whether the stamp file says that the output beside it was made from inputs with this hash. */
export function isCurrent(stamp, hash) {
  try {
    return readFileSync(stamp, "utf8") === hash;
  } catch {
    return false;
  }
}

/** Makes something and then its stamp, so that an interrupted attempt never looks finished. */
export async function makeStamped(stamp, hash, make) {
  rmSync(stamp, { force: true });
  await make();
  writeFileSync(stamp, hash);
}
