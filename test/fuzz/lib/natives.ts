/** What a call of a function of the language's own does at most, in elements or characters looked at. */
type Cost = (self: { readonly length: number }, args: readonly unknown[], result: unknown) => number;

const whole: Cost = (self) => self.length;
const upTo: Cost = (self, [, from], result) => {
  const start = typeof from === "number" ? Math.max(0, from) : 0;
  return Math.max(0, (typeof result === "number" && result >= 0 ? result : self.length) - start);
};
const behind: Cost = (self, [, from], result) => {
  const start = typeof from === "number" ? Math.min(from, self.length) : self.length;
  return Math.max(0, start - (typeof result === "number" && result >= 0 ? result : 0));
};
const slice: Cost = (_, __, result) => (result as { readonly length: number }).length;

const COSTS: readonly (readonly [object, Readonly<Record<string, Cost>>])[] = [
  [String.prototype, { indexOf: upTo, includes: whole, lastIndexOf: behind, split: whole, replaceAll: whole }],
  [
    Array.prototype,
    { indexOf: upTo, includes: whole, shift: whole, unshift: whole, splice: whole, toSpliced: whole, concat: whole, slice },
  ],
]; // prettier-ignore

/**
 * Has functions of the language count what they look at, as the blocks of our own code are counted: a search from the
 * start in each step of a loop takes no time on a short text, and minutes on a long one.
 */
export function countNatives(add: (steps: number) => void): void {
  for (const [prototype, costs] of COSTS) {
    for (const [name, cost] of Object.entries(costs)) {
      const native = (prototype as Record<string, unknown>)[name] as (...args: unknown[]) => unknown;
      Object.defineProperty(prototype, name, {
        configurable: true,
        writable: true,
        value(this: { readonly length: number }, ...args: unknown[]): unknown {
          const result = native.apply(this, args);
          add(cost(this, args, result));
          return result;
        },
      });
    }
  }
}
