"use strict";
const { join } = require("node:path");

/** The program for this machine, where its package was installed; undefined where it was not, or there is none. */
exports.nativeProgram = function nativeProgram() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `codelia-${system}-${process.arch}`;
  const plain = programOf(name);
  if (system !== "linux") return plain;
  const musl = programOf(`${name}-musl`);
  // A package manager that knows no `libc` installs both, and one of them does not start.
  return plain !== undefined && musl !== undefined ? (isMusl() ? musl : plain) : (plain ?? musl);
};

function programOf(name) {
  try {
    const directory = join(require.resolve(`${name}/package.json`), "..");
    return join(directory, "bin", process.platform === "win32" ? "codelia.exe" : "codelia");
  } catch {
    return undefined;
  }
}

function isMusl() {
  // Without this the report asks the name server about every open connection.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}
