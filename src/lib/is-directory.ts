import { disk } from "./fs.ts";

export function isDirectory(path: string): boolean {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return disk.lookThrough(path)?.isDirectory() === true;
    } catch {
      // Once more: a file server may have stumbled.
    }
  }
  return false;
}
