/**
 * @output the version of this program
 * @effect none
 * @error  none
 */
export async function ownVersion(): Promise<string> {
  const manifest = await import("../../package.json", { with: { type: "json" } });
  return manifest.default.version;
}
