/** A setting that is one name or a list of them; `otherwise` where it is neither. */
export function fileNames(setting: unknown, otherwise: readonly string[]): readonly string[] {
  if (typeof setting === "string" && setting !== "") return [setting];
  if (!Array.isArray(setting)) return otherwise;
  return setting.filter((name) => typeof name === "string");
}
