#!/usr/bin/env node
"use strict";
// What the name `codelia` stands for where no install script ran: it runs the program of this machine's package, or,
// on a machine that has none, the same program as a script.
const { spawnSync } = require("node:child_process");
const { join } = require("node:path");
const { nativeProgram } = require("../lib/native.cjs");

const program = nativeProgram();
const args = process.argv.slice(2);
if (program === undefined) runScript();
// Windows has the function too, and it fails there.
else if (process.platform !== "win32" && typeof process.execve === "function")
  process.execve(program, [program, ...args], process.env);
else runProgram();

function runScript() {
  const script = join(__dirname, "../lib/codelia.mjs");
  // What `codelia install` writes down is how it was called.
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
