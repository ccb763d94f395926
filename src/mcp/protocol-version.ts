/** The versions of the Model Context Protocol that we speak, oldest first. 2025-03-26 is not one: it has batches. */
const VERSIONS = ["2024-11-05", "2025-06-18", "2025-11-25"] as const;

/** The client's own version, else the newest that it can know: versions are dates. */
export function chooseVersion(asked: unknown): string {
  const [oldest] = VERSIONS;
  if (typeof asked !== "string") return VERSIONS.at(-1) ?? oldest;
  return VERSIONS.findLast((version) => version <= asked) ?? oldest;
}
