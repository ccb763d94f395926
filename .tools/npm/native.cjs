"use strict";
const { join } = require("node:path");

/** The program for this machine; undefined if its package is not installed or does not exist. */
exports.nativeProgram = function nativeProgram() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `codelia-${system}-${process.arch}`;
  const plain = programOf(name);
  if (system !== "linux") return plain;
  const musl = programOf(`${name}-musl`);
  // A package manager that ignores `libc` installs both, and only one of them starts.
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
  // Otherwise the report looks up the name of every open connection.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}
