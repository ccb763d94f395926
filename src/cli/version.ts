/** The version of this program. */
export async function ownVersion(): Promise<string> {
  const manifest = await import("../../package.json", { with: { type: "json" } });
  return manifest.default.version;
}
