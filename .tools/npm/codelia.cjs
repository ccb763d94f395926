#!/usr/bin/env node
"use strict";
// The command `codelia` where no install script has run: runs the program from this machine's package, or the same
// program as a script if there is no package for this machine.
const { spawnSync } = require("node:child_process");
const { join } = require("node:path");
const { nativeProgram } = require("../lib/native.cjs");

const program = nativeProgram();
const args = process.argv.slice(2);
if (program === undefined) runScript();
// On Windows the function exists, but fails.
else if (process.platform !== "win32" && typeof process.execve === "function")
  process.execve(program, [program, ...args], process.env);
else runProgram();

function runScript() {
  const script = join(__dirname, "../lib/codelia.mjs");
  // `codelia install` writes the path under which it was called.
  process.argv[1] = script;
  void import(script);
}

function runProgram() {
  const { status, signal, error } = spawnSync(program, args, { stdio: "inherit" });
  if (error !== undefined) {
    process.stderr.write(`codelia: can't run '${program}': ${error.message}\n`);
    process.exitCode = 70;
  } else if (signal !== null) process.kill(process.pid, signal);
  else process.exitCode = status;
}
