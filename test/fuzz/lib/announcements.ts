/** What one thread is about to read, written where another can see it. */
export interface Announcements {
  readonly shared: SharedArrayBuffer;
  read(): { readonly played: number; readonly shape: number | undefined; readonly input: () => string };
}

/** Longer than any input. */
const MOST_UNITS = 1 << 22;
const HEAD_FIELDS = 3;
const HEAD_BYTES = 4 * HEAD_FIELDS;

export function announcements(): Announcements {
  const shared = new SharedArrayBuffer(HEAD_BYTES + 2 * MOST_UNITS);
  const head = new Uint32Array(shared, 0, HEAD_FIELDS);
  const inputOf = (length: number) => {
    const units = new Uint16Array(shared, HEAD_BYTES, length);
    return Array.from(units, (unit) => String.fromCharCode(unit)).join("");
  };
  return {
    shared,
    read() {
      const [, length = 0, shape = 0] = head;
      return {
        played: Atomics.load(head, 0),
        shape: shape === 0 ? undefined : shape - 1,
        input: () => inputOf(length),
      };
    },
  };
}

/** For the other thread: says which input comes next, and the number of its shape. */
export function announcer(shared: SharedArrayBuffer): (input: string, shape?: number) => void {
  const head = new Uint32Array(shared, 0, HEAD_FIELDS);
  const units = new Uint16Array(shared, HEAD_BYTES);
  return (input, shape = -1) => {
    const length = Math.min(input.length, MOST_UNITS);
    for (let index = 0; index < length; index++) units[index] = input.charCodeAt(index);
    head[1] = length;
    head[2] = shape + 1;
    Atomics.add(head, 0, 1);
  };
}
