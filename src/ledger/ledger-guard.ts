import type { Context, Ledger, LoadedSkill, LoadedVersion, Session } from "./schema.ts";

/**
 * LedgerSchema as plain checks of what JSON.parse gives: importing zod would cost a hook call its whole time budget. A property test
 * holds the two equal.
 */
export function isLedger(value: unknown): value is Ledger {
  return (
    isTable(value, 4) &&
    value["version"] === 1 &&
    typeof value["tree"] === "string" &&
    isCount(value["n"]) &&
    isRecordOf(value["sessions"], isSession)
  );
}

export function isSession(value: unknown): value is Session {
  return (
    isTable(value) &&
    Object.keys(value).length === (value["forgotten"] === undefined ? 6 : 7) &&
    typeof value["cwd"] === "string" &&
    typeof value["root"] === "string" &&
    isStrings(value["markers"]) &&
    Number.isSafeInteger(value["startedAt"]) &&
    Number.isSafeInteger(value["updatedAt"]) &&
    isRecordOf(value["contexts"], isContext) &&
    (value["forgotten"] === undefined || isRecordOf(value["forgotten"], isCount))
  );
}

function isContext(value: unknown): value is Context {
  return (
    isTable(value, 4) &&
    isCount(value["epoch"]) &&
    isStrings(value["coveredDirs"]) &&
    isRecordOf(value["loadedVersions"], isLoadedVersion) &&
    isRecordOf(value["loadedSkills"], isLoadedSkill)
  );
}

function isLoadedVersion(value: unknown): value is LoadedVersion {
  if (!isTable(value)) return false;
  // With those that need not be there, as far as they are as they should be.
  let size = 3;
  if (value["named"] === true) size++;
  if (Number.isSafeInteger(value["ctimeMs"])) size++;
  if (isCount(value["digest"])) size++;
  return (
    Object.keys(value).length === size &&
    Number.isSafeInteger(value["mtimeMs"]) &&
    isCount(value["sizeBytes"]) &&
    isCount(value["n"])
  );
}

function isLoadedSkill(value: unknown): value is LoadedSkill {
  return isTable(value, 2) && Number.isSafeInteger(value["mtimeMs"]) && isCount(value["n"]);
}

function isRecordOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Record<string, Item> {
  if (!isTable(value)) return false;
  for (const key of Object.keys(value)) if (!isItem(value[key])) return false;
  return true;
}

/** With `size`: and has that many keys, so that one which is not asked for has no room. */
function isTable(value: unknown, size?: number): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return size === undefined || Object.keys(value).length === size;
}

function isStrings(value: unknown): value is string[] {
  if (!Array.isArray(value)) return false;
  for (const item of value) if (typeof item !== "string") return false;
  return true;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
