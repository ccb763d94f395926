import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "bun:test";
import type { AgentResult } from "../../src/agent/run-schema.ts";
import { REPOSITORY, runCodelia, type RunResult } from "../support/run-codelia.ts";
import { dir, tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import type { Definition } from "./definitions.ts";

/** What a prompt must hold, in one line, and the answer: each is given once, in this order. A number is an exit code. */
export type ModelScript = readonly (readonly [holds: string, answer: string | number])[];

interface RunScene {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
}

export interface AgentScene {
  readonly tree: TempTree;
  readonly home: TempTree;
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], options?: RunScene): RunResult;
  /** For PATH, where nothing shall be found but what the model needs. */
  readonly bare: string;
  /** Has the model say this from now on. */
  says(script: ModelScript): void;
  /** What the model was asked, in that order. */
  prompts(): readonly string[];
  [Symbol.dispose](): void;
}

const MODEL = join(import.meta.dirname, "model.sh");

/** A project with a definition in `agent/`, whose engine is a real program that says what the script says; it is trusted. */
export function agentScene(
  definition: Definition,
  prompts: Readonly<Record<string, Entry>>,
  script: ModelScript,
  files: Readonly<Record<string, Entry>> = {},
): AgentScene {
  const entries = Object.entries(prompts).map(([path, entry]): [string, Entry] => [`agent/${path}`, entry]);
  const tree = tempTree({
    ".git/HEAD": "ref: refs/heads/main\n",
    "agent/agent.json": JSON.stringify(withModel(definition)),
    "agent/model.sh": readFileSync(MODEL, "utf8"),
    ...Object.fromEntries(entries),
    ...files,
  });
  const home = tempTree({ "model/asked/": dir, "bin/cat": { link: "/bin/cat" }, "bin/rm": { link: "/bin/rm" } });
  const env = { MODEL_DIR: home.path("model") };
  const scene: AgentScene = {
    tree,
    home,
    env,
    run: (args, options = {}) =>
      runCodelia(args, {
        cwd: tree.path(options.cwd ?? "."),
        home: home.root,
        env: { ...env, ...options.env },
        stdin: options.stdin ?? "",
      }),
    bare: home.path("bin"),
    says: (said) => writeScript(home, said),
    prompts: () => promptsIn(home),
    [Symbol.dispose]: () => {
      tree[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
  scene.says(script);
  expect(scene.run(["trust", "agent", "--yes", "--quiet"])).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  return scene;
}

/** One of the examples in docs/, with the program for an engine. */
export function exampleScene(
  name: string,
  script: ModelScript,
  files: Readonly<Record<string, Entry>> = {},
): AgentScene {
  const directory = join(REPOSITORY, "docs", "examples", name);
  const definition = JSON.parse(readFileSync(join(directory, "agent.json"), "utf8"));
  const prompts: Record<string, Entry> = {};
  for (const path of new Bun.Glob("prompts/**/*.md").scanSync(directory)) {
    prompts[path] = readFileSync(join(directory, path), "utf8");
  }
  return agentScene(definition, prompts, script, files);
}

export function resultOf({ stdout }: RunResult): AgentResult {
  return JSON.parse(stdout) as AgentResult;
}

function withModel(definition: Definition): Definition {
  return { ...definition, connection: { engine: "command", command: ["/bin/sh", "model.sh"] } };
}

function writeScript(home: TempTree, script: ModelScript): void {
  for (const [index, [holds, answer]] of script.entries()) {
    const entry = `model/say/${1000 + index}`;
    home.write(`${entry}.holds`, `${holds}\n`);
    if (answer === "hang") home.write(`${entry}.hang`, "");
    else if (typeof answer === "number") home.write(`${entry}.exit`, `${answer}\n`);
    else home.write(`${entry}.answer`, answer);
  }
}

function promptsIn(home: TempTree): string[] {
  const names = readdirSync(home.path("model/asked")).toSorted();
  return names.map((name) => home.read(`model/asked/${name}`));
}
