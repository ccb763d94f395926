import { disk } from "../../src/lib/fs.ts";

type Disk = typeof disk;

/**
 * Replaces file system calls until the end of the scope:
 * `using _ = hookDisk({ remove: (original) => (path) => { …; original(path); } })`.
 */
export function hookDisk(hooks: { readonly [Call in keyof Disk]?: (original: Disk[Call]) => Disk[Call] }): Disposable {
  const originals = { ...disk };
  for (const [call, hook] of Object.entries(hooks)) {
    const original = originals[call as keyof Disk];
    Object.assign(disk, { [call]: (hook as (original: unknown) => unknown)(original) });
  }
  return { [Symbol.dispose]: () => void Object.assign(disk, originals) };
}

export function errno(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A hook that does something once, before the first call with such a path. */
export function once<Call extends (path: string, ...rest: never[]) => unknown>(
  isAwaited: (path: string) => boolean,
  act: () => void,
): (original: Call) => Call {
  let isDone = false;
  return (original) =>
    ((path, ...rest) => {
      if (!isDone && isAwaited(path)) {
        isDone = true;
        act();
      }
      return original(path, ...rest);
    }) as Call;
}
