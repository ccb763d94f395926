import type { Context, Ledger, LoadedSkill, LoadedVersion, Session } from "../schema/ledger.ts";

/**
 * LedgerSchema as plain checks: importing zod would cost a hook call its whole time budget. A property test
 * holds the two equal.
 */
export function isLedger(value: unknown): value is Ledger {
  return (
    hasExactly(value, ["version", "tree", "n", "sessions"]) &&
    value["version"] === 1 &&
    typeof value["tree"] === "string" &&
    isCount(value["n"]) &&
    isRecordOf(value["sessions"], isSession)
  );
}

export function isSession(value: unknown): value is Session {
  return (
    hasExactly(value, ["cwd", "root", "markers", "startedAt", "updatedAt", "contexts"]) &&
    typeof value["cwd"] === "string" &&
    typeof value["root"] === "string" &&
    isStrings(value["markers"]) &&
    isWhole(value["startedAt"]) &&
    isWhole(value["updatedAt"]) &&
    isRecordOf(value["contexts"], isContext)
  );
}

function isContext(value: unknown): value is Context {
  return (
    hasExactly(value, ["epoch", "coveredDirs", "loadedVersions", "loadedSkills"]) &&
    isCount(value["epoch"]) &&
    isStrings(value["coveredDirs"]) &&
    isRecordOf(value["loadedVersions"], isLoadedVersion) &&
    isRecordOf(value["loadedSkills"], isLoadedSkill)
  );
}

function isLoadedVersion(value: unknown): value is LoadedVersion {
  return (
    hasExactly(value, ["mtimeMs", "sizeBytes", "n"]) &&
    isWhole(value["mtimeMs"]) &&
    isCount(value["sizeBytes"]) &&
    isCount(value["n"])
  );
}

function isLoadedSkill(value: unknown): value is LoadedSkill {
  return hasExactly(value, ["mtimeMs", "n"]) && isWhole(value["mtimeMs"]) && isCount(value["n"]);
}

function hasExactly(value: unknown, keys: readonly string[]): value is Record<string, unknown> {
  if (!isTable(value)) return false;
  const present = Object.keys(value);
  return present.length === keys.length && keys.every((key) => Object.hasOwn(value, key));
}

function isRecordOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Record<string, Item> {
  return isTable(value) && Object.values(value).every(isItem);
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isCount(value: unknown): value is number {
  return isWhole(value) && value >= 0;
}
