import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "./tool.mjs";

const session = "usual";
const file = "packages/app/src/main.ts";
const shell = {
  tool_name: "Bash",
  tool_input: { command: "cd packages/app && sed -n '1,200p' src/main.ts | head -50" },
};

/** What runs before every step of an agent comes first: the compiler puts its functions side by side. */
const order = ["tool", "resolve", "stop", "read", "record", "prompt", "start", "init", "search", "first-search"];

/** The program remembers skills only if they have not changed for two seconds. */
const SETTLED_MS = 2_500;

/**
 * Makes the repository and the home that the usual calls work in.
 *
 * @param directory an empty one
 */
export function makeUsualPlaces(directory) {
  const root = join(directory, "repository");
  const home = join(directory, "home");
  const texts = ["", "packages", "packages/app"].map((place) => [join(place, "AGENTS.md"), `# Rules of '${place}'\n`]);
  const skills = ["release-notes", "review"].map((name) => [
    `.agents/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: Helps with the ${name} of this repository\n---\n`,
  ]);
  for (const [path, text] of [...texts, ...skills, [file, ""], [".git/HEAD", "ref: refs/heads/main\n"]]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(home);
  return { root, home, madeAt: Date.now() };
}

/**
 * Runs a program that was just built as clients and people do most of the time, and keeps what the engine says about
 * the functions that ran. They lie together in a program that is built with that, so that a call reads fewer pages.
 *
 * @param places as `makeUsualPlaces` made them; what is recorded is kept beside them
 * @returns the files, the most important one first; the same program gives the same bytes
 */
export async function recordUsualCalls(program, { root, home, madeAt }) {
  await sleep(Math.max(0, madeAt + SETTLED_MS - Date.now()));
  const recorded = (name) => join(dirname(root), `${name}.order`);
  const call = (name, args, input = "") => {
    const env = { HOME: home, USERPROFILE: home, SystemRoot: process.env.SystemRoot ?? "", PATH: "" };
    const into = name === undefined ? {} : { BUN_BYTECODE_ORDER_OUT: recorded(name) };
    const { status, stderr } = spawnSync(program, args, {
      cwd: root,
      env: { ...env, ...into },
      input,
      encoding: "utf8",
    });
    if (status !== 0) throw new ToolError(`'${args.join(" ")}' of the program just built failed:\n${stderr}`);
  };
  const hook = (name, hook_event_name, more = {}) =>
    call(name, ["hook", "claude"], JSON.stringify({ session_id: session, cwd: root, hook_event_name, ...more }));

  call("record", ["resolve", file]);
  call("resolve", ["resolve", file]);
  hook("start", "SessionStart", { source: "startup" });
  hook("prompt", "UserPromptSubmit", { prompt: "Fix the test." });
  hook(undefined, "PreToolUse", shell);
  hook("tool", "PreToolUse", shell);
  hook("read", "PostToolUse", { tool_name: "Read", tool_input: { file_path: join(root, file) }, tool_response: {} });
  hook("stop", "Stop", { last_assistant_message: "Done.", stop_hook_active: false });
  call("init", ["init-context", "--session", "another"]);
  call("first-search", ["skills", "search", "release notes"]);
  call("search", ["skills", "search", "release notes"]);
  return order.map(recorded);
}
