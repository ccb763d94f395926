import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dir, type Entry } from "../support/temp-tree.ts";
import { bench, file, type Bench } from "./agents-bench.ts";

// What a clone's config may not do: reach further, cost more, or run.

const PROJECT = "repo/.codelia/config.json";

function project(config: unknown, more: Readonly<Record<string, Entry>> = {}): Bench {
  return bench({ "repo/.git/": dir, "repo/AGENTS.md": file("root\n"), [PROJECT]: JSON.stringify(config), ...more });
}

function effective(tree: Bench, key: string): { value: unknown; source: string } {
  const { values } = JSON.parse(tree.codelia(["config", "--json"]).stdout);
  return values.find((entry: { key: string }) => entry.key === key);
}

for (const key of ["fallbackFilenames", "additionalFilenames"] as const) {
  test(`config: agents.${key} of a project counts only for *.md; the user's for any name`, () => {
    const names = ["NOTES.md", ".env", "id_rsa", "x.md.txt"];
    using tree = project({ agents: { [key]: names } });
    const { stderr, exitCode } = tree.codelia(["resolve", "x"]);
    expect(exitCode).toBe(0);
    for (const name of names.slice(1)) expect(stderr).toContain(`'${name}'`);
    expect(stderr).not.toContain("'NOTES.md'");
    expect(effective(tree, `agents.${key}`)).toMatchObject({ value: ["NOTES.md"] });
    tree.remove(PROJECT);
    tree.write("home/.codelia/config.json", JSON.stringify({ agents: { [key]: names } }));
    expect(effective(tree, `agents.${key}`)).toMatchObject({ value: names });
  });
}

for (const name of ["../secret.md", "/etc/passwd.md", "a/b.md", "..", ".", "", "a\\b.md", "nul\0.md"]) {
  test(`config: ${JSON.stringify(name)} is no bare name, for anyone`, () => {
    for (const place of [PROJECT, "home/.codelia/config.json"]) {
      using tree = bench({
        "repo/.git/": dir,
        "secret.md": "secret\n",
        [place]: JSON.stringify({ agents: { additionalFilenames: [name] } }),
      });
      const { stdout, stderr, exitCode } = tree.codelia(["init-context"]);
      expect(exitCode).toBe(0);
      expect(stdout).not.toContain("secret\n");
      expect(stderr).toContain("agents.additionalFilenames");
    }
  });
}

for (const [key, tooMuch] of [
  ["agents.initial.maxFiles", 1_000_000],
  ["agents.initial.maxBytes", 1_000_000_000],
  ["agents.resolver.maxFilesPerResolve", 1_000_000],
  ["skills.initial.maxEntries", 1_000_000],
  ["skills.initial.maxBytes", 1_000_000_000],
  ["skills.search.defaultLimit", 1_000_000],
  ["skills.search.maxLimit", 1_000_000],
] as const) {
  test(`config: ${key} has a ceiling in a project's file, and none in the user's`, () => {
    const config = key
      .split(".")
      .toReversed()
      .reduce<unknown>((value, part) => ({ [part]: value }), tooMuch);
    using tree = project(config);
    const { stderr } = tree.codelia(["config"]);
    expect(stderr).toContain(`'${key}' is ${tooMuch}`);
    expect(effective(tree, key).value).toBeLessThan(tooMuch);
    expect(stderr).toContain(String(effective(tree, key).value));
    tree.remove(PROJECT);
    tree.write("home/.codelia/config.json", JSON.stringify(config));
    expect(effective(tree, key).value).toBe(tooMuch);
  });
}

test("config: a project's file is never reached through a link, its own or its directory's", () => {
  const text = JSON.stringify({ agents: { usage: false }, hunter2: "a word of another file" });
  using file1 = bench({ "repo/.git/": dir, [PROJECT]: { link: "../../private.json" }, "private.json": text });
  using file2 = bench({ "repo/.git/": dir, "repo/.codelia": { link: "../private" }, "private/config.json": text });
  for (const tree of [file1, file2]) {
    const { stdout, stderr, exitCode } = tree.codelia(["init-context"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("<agents_usage>");
    expect(stderr).not.toContain("hunter2");
  }
});

/** Programs that would create a file, under every name that a config loader may try. */
function hostileTwins(evidence: string): Record<string, string> {
  const esm = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(evidence)}, "");\nexport default { agents: { enabled: false } };\n`;
  const cjs = `require("node:fs").writeFileSync(${JSON.stringify(evidence)}, "");\nmodule.exports = { agents: { enabled: false } };\n`;
  const rc = "agents.enabled=false\nagents.usage=false\n";
  const programs: Record<string, string> = { ts: esm, mts: esm, cts: cjs, js: esm, mjs: esm, cjs };
  const config = ["config", "config.yaml", "config.json", "codelia.config", ".codeliarc", "index", "config/index"];
  const directories = ["repo/.codelia", "repo/.config", "repo", "home/.codelia", "home/.config/codelia", "home"];
  const table: Record<string, string> = {
    ".codeliarc": rc,
    ".config/codelia.ts": esm,
    ".env": "CODELIA_AGENTS_ROOT=/\nCODELIA_SESSION_ID=stolen\nCODELIA_HOME=/\n",
    ".env.local": "CODELIA_AGENTS_ROOT=/\n",
    "evil.ts": esm,
    "bunfig.toml": 'preload = ["./evil.ts"]\n[run]\npreload = ["./evil.ts"]\n',
    "tsconfig.json": '{"compilerOptions": {"paths": {"*": ["./evil.ts"]}}, "extends": "./evil.ts"}',
    "package.json":
      '{"type": "module", "main": "./evil.ts", "codelia": {"agents": {"enabled": false}}, "imports": {"#*": "./evil.ts"}}',
    "node_modules/c12/index.js": esm,
    "node_modules/codelia/index.js": esm,
    "node_modules/zod/index.js": esm,
  };
  for (const name of config) {
    for (const [ending, text] of Object.entries(programs)) table[`${name}.${ending}`] = text;
  }
  const twins = directories.flatMap((directory) =>
    Object.entries(table).map(([name, text]) => [`${directory}/${name}`, text] as const),
  );
  return Object.fromEntries(twins);
}

for (const [what, own] of [
  ["no config of ours", {}],
  ["a config.yaml of each layer", { "repo/.codelia/config.yaml": "skills: {}\n", "home/.codelia/config.yaml": "{}\n" }],
] as const) {
  test(`config: with ${what}, nothing that looks like a config in code is run or heeded`, () => {
    using tree = bench({ "repo/.git/": dir, "repo/AGENTS.md": file("root\n"), "repo/a/": dir });
    for (const [path, text] of Object.entries({ ...hostileTwins(tree.path("EVIDENCE")), ...own }))
      tree.write(path, text);
    for (const cwd of ["repo", "repo/a", "repo/.codelia"]) {
      for (const args of [["config"], ["init-context"], ["resolve", "x"], ["resume-diff"], ["schema", "config"]]) {
        expect(tree.codelia(args, { cwd })).toMatchObject({ stderr: "", exitCode: 0 });
      }
    }
    expect(existsSync(tree.path("EVIDENCE"))).toBeFalse();
    expect(effective(tree, "agents.enabled")).toMatchObject({ value: true, source: "default" });
    expect(effective(tree, "agents.usage")).toMatchObject({ value: true, source: "default" });
    expect(Object.keys(JSON.parse(tree.read("repo/.codelia/session.json")).sessions)).toEqual(["default"]);
  });
}

test("config: a directory config.yaml with an index.js in it is reported, not run", () => {
  using tree = bench({ "repo/.git/": dir, "repo/AGENTS.md": file("root\n") });
  const esm = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(tree.path("EVIDENCE"))}, "");`;
  for (const name of ["index.js", "index.ts", "index.cjs", "config.js"]) {
    tree.write(`repo/.codelia/config.yaml/${name}`, esm);
  }
  expect(tree.codelia(["config"])).toMatchObject({ exitCode: 3 });
  expect(tree.codelia(["resolve", "x"])).toMatchObject({ exitCode: 0 });
  expect(existsSync(tree.path("EVIDENCE"))).toBeFalse();
});

for (const key of ["extends", "$extends", "_extends", "import", "$env", "$production", "$development", "$test"]) {
  test(`config: '${key}' is an unknown key like any other`, () => {
    using tree = bench({ "repo/.git/": dir });
    tree.write(
      "repo/.codelia/evil.ts",
      `require("node:fs").writeFileSync(${JSON.stringify(tree.path("EVIDENCE"))}, "")`,
    );
    const value = key.startsWith("$") ? { agents: { usage: false } } : "./evil.ts";
    tree.write(PROJECT, JSON.stringify({ [key]: value }));
    const { stdout, stderr, exitCode } = tree.codelia(["config"], { env: { NODE_ENV: "production" } });
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`'${key}'`);
    expect(stdout).toContain("agents.usage = true  (default)\n");
    expect(existsSync(tree.path("EVIDENCE"))).toBeFalse();
  });
}
