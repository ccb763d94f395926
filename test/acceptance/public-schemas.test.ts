import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packAll } from "../../.tools/lib/pack.mjs";
import manifest from "../../package.json" with { type: "json" };
import * as exported from "../../src/public.ts";
import { readTarball } from "../e2e/lib/tarball.ts";
import { REPOSITORY, runCodelia, startProgram } from "../support/run-codelia.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

setDefaultTimeout(60_000);

/** Everything public, by the names of its types. */
const PUBLIC = [
  ["AgentsConfig", "agents-config", '"stopAtFsRoot"'],
  ["ResolvedAgents", "resolved-agents", '"sizeBytes"'],
  ["SystemReminderType", "system-reminder-type", '"session.resume.diff"'],
  ["SkillScope", "skill-scope", '"user"'],
  ["SkillMetadata", "skill-metadata", '"mtimeMs"'],
  ["SkillLoadError", "skill-load-error", '"message"'],
  ["SkillCatalog", "skill-catalog", '"truncated"'],
  ["SkillSearchResult", "skill-search-result", '"token_overlap"'],
] as const;

test.each(PUBLIC)("schema %s is known by the names of the type, the schema and the file", (type, file, part) => {
  using tree = tempTree();
  const at = { cwd: tree.root, home: tree.root };
  const { stdout, ...end } = runCodelia(["schema", file], at);
  expect(end).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toContain(part);
  for (const name of [type, `${type}Schema`]) {
    expect(runCodelia(["schema", name], at)).toEqual({ stdout, stderr: "", exitCode: 0 });
  }
  expect(runCodelia(["schema"], at).stdout.split("\n")).toContain(file);
});

/** What the specification's own schemas accept and refuse. */
const VALUES: readonly (readonly [type: string, value: unknown, isAccepted: boolean])[] = [
  ["AgentsConfig", {}, true],
  ["AgentsConfig", { enabled: false, root: {}, initial: {}, resolver: {} }, true],
  ["AgentsConfig", { root: { projectRootOverride: "", markers: [], stopAtFsRoot: false } }, true],
  ["AgentsConfig", { root: { markers: ["", "a/b", ".."] } }, true],
  ["AgentsConfig", { root: { markers: ".git" } }, false],
  ["AgentsConfig", { root: { projectRootOverride: null } }, false],
  ["AgentsConfig", { initial: { maxFiles: 1, maxBytes: 1 }, resolver: { enabled: true, maxFilesPerResolve: 1 } }, true],
  ["AgentsConfig", { initial: { maxFiles: 0 } }, false],
  ["AgentsConfig", { initial: { maxBytes: 1.5 } }, false],
  ["AgentsConfig", { resolver: { maxFilesPerResolve: -1 } }, false],
  ["AgentsConfig", { initial: { other: 1 } }, true],
  ["AgentsConfig", { other: 1 }, false],
  ["AgentsConfig", { enabled: "yes" }, false],
  ["ResolvedAgents", { files: [] }, true],
  ["ResolvedAgents", { files: [{ path: "/a", mtimeMs: 0.5, sizeBytes: 0 }] }, true],
  ["ResolvedAgents", { files: [{ path: "/a", mtimeMs: -1, sizeBytes: 0 }] }, false],
  ["ResolvedAgents", { files: [{ path: "/a", mtimeMs: 1, sizeBytes: 0.5 }] }, false],
  ["ResolvedAgents", { files: [{ path: "/a", mtimeMs: 1 }] }, false],
  ["ResolvedAgents", { files: [{ path: "/a", mtimeMs: 1, sizeBytes: 0, text: "" }] }, false],
  ["ResolvedAgents", { files: [], other: 1 }, false],
  ["SystemReminderType", "agents.resolve.paths", true],
  ["SystemReminderType", "session.resume.diff", true],
  ["SystemReminderType", "tool.output.trimmed", true],
  ["SystemReminderType", "permission.decision", true],
  ["SystemReminderType", "other", false],
  ["SkillScope", "repo", true],
  ["SkillScope", "user", true],
  ["SkillScope", "system", false],
  ["SkillMetadata", skill({}), true],
  ["SkillMetadata", skill({ scope: "admin" }), false],
  ["SkillMetadata", skill({ mtimeMs: "1" }), false],
  ["SkillLoadError", { path: "/a", message: "m" }, true],
  ["SkillLoadError", { path: "/a" }, false],
  ["SkillCatalog", { skills: [skill({})], errors: [{ path: "/a", message: "m" }], truncated: true }, true],
  ["SkillCatalog", { skills: [], errors: [] }, false],
  ["SkillSearchResult", { skill: skill({}), score: 0.5, reason: "token_overlap" }, true],
  ["SkillSearchResult", { skill: skill({}), score: 1, reason: "exact_path" }, true],
  ["SkillSearchResult", { skill: skill({}), score: 1, reason: "fuzzy" }, false],
];

function skill(odd: object): object {
  return { id: "1", name: "a", description: "A", path: "/a/SKILL.md", dir: "/a", scope: "repo", mtimeMs: 1, ...odd };
}

test.each(VALUES)("%s: %j is accepted: %p", (type, value, isAccepted) => {
  const schemas: Readonly<Record<string, unknown>> = exported;
  const schema = schemas[`${type}Schema`] as { safeParse(data: unknown): { success: boolean } };
  expect(schema.safeParse(value).success).toBe(isAccepted);
});

const PROGRAM = `
import { ${PUBLIC.map(([type]) => `${type}Schema, type ${type}`).join(", ")} } from "codelia";

const files: ResolvedAgents = ResolvedAgentsSchema.parse({ files: [{ path: "/a", mtimeMs: 1, sizeBytes: 2 }] });
const config: AgentsConfig = AgentsConfigSchema.parse({ root: { markers: [] }, initial: { maxFiles: 3 } });
const kind: SystemReminderType = SystemReminderTypeSchema.parse("agents.resolve.paths");
const scope: SkillScope = SkillScopeSchema.parse("repo");
const skill: SkillMetadata = { id: "1", name: "a", description: "A", path: "/a/SKILL.md", dir: "/a", scope, mtimeMs: 1 };
const error: SkillLoadError = SkillLoadErrorSchema.parse({ path: "/b", message: "bad" });
const catalog: SkillCatalog = SkillCatalogSchema.parse({ skills: [skill], errors: [error], truncated: false });
const found: SkillSearchResult = SkillSearchResultSchema.parse({ skill, score: 1, reason: "exact_name" });
const name: string = SkillMetadataSchema.parse(found.skill).name;
console.log(files.files.length, config.initial?.maxFiles, kind, catalog.errors.length, name);
// @ts-expect-error: a skill has no such scope
const wrong: SkillScope = "system";
console.log(SkillScopeSchema.safeParse(wrong).success, AgentsConfigSchema.safeParse({ x: 1 }).success);
`;

test("the packed package gives programs in TypeScript the schemas and their types", async () => {
  using tree = tempTree({ "program.ts": PROGRAM, "package.json": '{ "type": "module" }' });
  await packAll([], tree.path("packages"));
  unpack(tree.path("packages", `codelia-${manifest.version}.tgz`), tree.path("node_modules/codelia"));
  symlinkSync(join(REPOSITORY, "node_modules/zod"), tree.path("node_modules/zod"));
  const compiler = join(REPOSITORY, "node_modules/typescript/bin/tsc");
  for (const [module, resolution] of [
    ["nodenext", "nodenext"],
    ["preserve", "bundler"],
  ] as const) {
    const kinds = ["--module", module, "--moduleResolution", resolution];
    const flags = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--target",
      "es2023",
      "--lib",
      "es2023,dom",
      "--types",
      "",
    ];
    const compiled = await run(tree, [compiler, ...flags, ...kinds, "program.ts"]);
    expect(compiled).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  }
  const stdout = "1 3 agents.resolve.paths 1 a\nfalse false\n";
  expect(await run(tree, ["program.ts"])).toEqual({ stdout, stderr: "", exitCode: 0 });
});

function run(tree: TempTree, args: readonly string[]) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: tree.root };
  return startProgram(process.execPath, args, { cwd: tree.root, env });
}

function unpack(tarball: string, directory: string): void {
  for (const { name, mode, bytes } of readTarball(tarball)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes, { mode });
  }
}
