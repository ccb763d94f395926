import { editDistance } from "../../lib/words.ts";
import type { IgnoredHooks } from "./model.ts";
import { hooksOf } from "./survey.ts";

/** Each is compared with every name, and nobody writes so many. */
const MAX_UNKNOWN = 100;
const MAX_LENGTH = 40;
/** A shorter name is near to too many others. */
const MIN_MISSPELLED = 8;

/**
 * Events with a name that is nearly one of those that a client knows, so that it is certainly not that of an event which a
 * newer version has.
 *
 * @param known the names of all its events
 */
export function misnamedEvents(data: unknown, known: readonly string[], title: string): IgnoredHooks[] {
  const hooks = hooksOf(data);
  const unknown = Object.keys(hooks).filter((event) => !known.includes(event));
  return unknown.slice(0, MAX_UNKNOWN).flatMap((event) => {
    const meant = known.find((name) => isNearly(event, name));
    // The same hooks under both names: one of them is for another client.
    if (meant === undefined || Object.hasOwn(hooks, meant)) return [];
    const why = `${title} has no event '${event}', so it runs none of its hooks`;
    return [{ keys: ["hooks", event], why, remedy: `write '${meant}'` }];
  });
}

function isNearly(event: string, name: string): boolean {
  // Marks before or behind a name are a way to switch it off.
  if (event.length > MAX_LENGTH || !/^[A-Za-z]+(?:[_\- ][A-Za-z]+)*$/.test(event)) return false;
  const [typed, meant] = [plain(event).replace(/^on(?=.)/, ""), plain(name)];
  if (typed === meant) return true;
  return typed.length >= MIN_MISSPELLED && !typed.endsWith(meant) && editDistance(typed, meant, 2) < 2;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, "");
}
