import { spawn } from "node:child_process";
import { follow } from "./follow.mjs";

/** Runs a program to its end without input: its exit code, and its stdout and stderr as one text. */
export async function capture(file, args, options = {}) {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const chunks = [];
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => chunks.push(chunk));
  const code = await follow(child);
  return { code, output: Buffer.concat(chunks).toString("utf8") };
}
