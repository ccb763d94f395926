"use strict";
// Replaces the script that starts the program by the program itself, so that a hook doesn't have to start Node.
// Where this doesn't run (`--ignore-scripts`) or fails, the script starts the program, which takes longer.
const { copyFileSync, linkSync, renameSync, rmSync } = require("node:fs");
const { join } = require("node:path");
const { nativeProgram } = require("./native.cjs");

// Other package managers wrap the file in a script of their own, and so does npm on Windows.
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
