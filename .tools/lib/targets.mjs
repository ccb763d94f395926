/** The machines that a release is built for. */
export const targets = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
  "windows-x64",
  "windows-arm64",
].map((name) => ({
  name,
  bunTarget: `bun-${name}`,
  /** npm's name for the bun executable of this target. */
  runtimePackage: `@oven/bun-${name.replace("arm64", "aarch64")}`,
  extension: name.startsWith("windows") ? ".exe" : "",
}));

/** The target of this machine; undefined if it is none of them. */
export function hostTarget() {
  const name = targetName(process.platform, process.arch, process.platform === "linux" && isMusl());
  return targets.find((target) => target.name === name);
}

/** Our name for a target, from Node's names for a platform and an architecture. */
export function targetName(platform, arch, musl) {
  return `${platform === "win32" ? "windows" : platform}-${arch}${musl ? "-musl" : ""}`;
}

function isMusl() {
  // Otherwise the report looks up the name of every open connection.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}
