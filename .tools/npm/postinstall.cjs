"use strict";
// Puts the program itself in the place of the script that would start it, so that no Node stands in the way of a hook.
// Where this does not run (`--ignore-scripts`) or can't, the script does the same, slower.
const { copyFileSync, linkSync, renameSync, rmSync } = require("node:fs");
const { join } = require("node:path");
const { nativeProgram } = require("./native.cjs");

// Other package managers put a script of their own before what they take for one; on Windows npm does.
const isOwnBin = process.env.npm_config_user_agent?.startsWith("npm/") && process.platform !== "win32";
const program = nativeProgram();
if (isOwnBin && program !== undefined) replace(join(__dirname, "../bin/codelia"), program);

function replace(path, by) {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    try {
      linkSync(by, draft);
    } catch {
      copyFileSync(by, draft);
    }
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
  }
}
