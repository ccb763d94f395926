import { groupBy } from "../lib/sorting.ts";
import type { SchemaProblem } from "../lib/schema-problems.ts";
import { isTable } from "../lib/table.ts";

type Path = readonly PropertyKey[];

/** Keys that keep skills from being loaded. */
const FORBIDDING: readonly Path[] = [
  ["skills", "enabled"],
  ["skills", "disabled"],
  ["permissions", "deny"],
  ["permissions", "confirm"],
];

/**
 * The data of a config file without its mistakes, so that the rest of the file can be used. An unknown key is removed
 * alone, a wrong value together with its list, and if any allow rule has a mistake, all of them are removed.
 *
 * @returns undefined if a mistake may hide what the file forbids
 */
export function withoutMistakes(
  data: Readonly<Record<string, unknown>>,
  problems: readonly SchemaProblem[],
): Record<string, unknown> | undefined {
  const places: Path[] = [];
  for (const problem of problems) {
    const place = placeOf(data, problem);
    if (place === undefined) return undefined;
    places.push(place);
  }
  return without(data, places);
}

/** What to remove for a mistake; undefined if that may be what the file forbids. */
function placeOf(data: unknown, { path, unknown }: SchemaProblem): Path | undefined {
  if (startsWith(path, ["permissions", "allow"])) return path.slice(0, 2);
  if (unknown !== undefined) {
    const meant = unknown.nearest === undefined ? undefined : [...path.slice(0, -1), unknown.nearest];
    const hidesRule = (meant !== undefined && mayForbid(meant)) || isUnknownRule(path) || soundsForbidding(data, path);
    return hidesRule ? undefined : path;
  }
  const item = path.findIndex((key) => typeof key === "number");
  const place = item < 0 ? path : path.slice(0, item);
  return mayForbid(place) ? undefined : place;
}

function mayForbid(place: Path): boolean {
  return FORBIDDING.some((forbidding) => startsWith(place, forbidding) || startsWith(forbidding, place));
}

/** Rules of a kind that there is not, whatever it is called. An unknown key within a rule only narrows it. */
function isUnknownRule(path: Path): boolean {
  return path.length === 2 && path[0] === "permissions";
}

/** Words of keys under which somebody forbids something. */
const FORBIDDING_WORDS = /deny|denied|disallow|disabl|forbid|permission|blocklist|blacklist/i;

/** Whether an unknown key, or one inside its value, is named like what forbids: right word, wrong place. */
function soundsForbidding(data: unknown, [key, ...rest]: Path): boolean {
  if (key === undefined) return hasForbiddingKey(data);
  const inner = isTable(data) || Array.isArray(data) ? (data as Record<PropertyKey, unknown>)[key] : undefined;
  return (rest.length === 0 && isForbiddingKey(key)) || soundsForbidding(inner, rest);
}

function hasForbiddingKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasForbiddingKey);
  return (
    isTable(value) && Object.entries(value).some(([key, inner]) => isForbiddingKey(key) || hasForbiddingKey(inner))
  );
}

function isForbiddingKey(key: PropertyKey): boolean {
  return typeof key === "string" && FORBIDDING_WORDS.test(key);
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((key, index) => path[index] === key);
}

function without<Value>(value: Value, places: readonly Path[]): Value {
  if (places.length === 0) return value;
  const below = groupBy(places, ([first]) => first);
  const rest = (key: PropertyKey) => (below.get(key) ?? []).map((place) => place.slice(1));
  if (Array.isArray(value)) return value.map((item, index) => without(item, rest(index))) as Value;
  if (!isTable(value)) return value;
  const kept = Object.entries(value).flatMap(([key, inner]) => {
    const cuts = rest(key);
    return cuts.some((cut) => cut.length === 0) ? [] : [[key, without(inner, cuts)]];
  });
  return Object.fromEntries(kept) as Value;
}
