import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { runCodelia, type RunResult } from "../support/run-codelia.ts";
import {
  largeCollection,
  linkedCollection,
  MARKER,
  messyCollection,
  SKILLS,
  treeOf,
  type Sample,
} from "../support/skill-collections.ts";
import { envelopeOf } from "../support/skills-project.ts";
import { elementsNamed, textOf } from "../support/envelope.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

// Collections of skills like published ones, on the built binary.

const SLOW_DISK_MS = 60_000;
setDefaultTimeout(SLOW_DISK_MS);

type Validation = "strict" | "lenient";

interface Listed {
  readonly skills: readonly { readonly name: string; readonly path: string }[];
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

/** Messages that say what to do, or which limit was exceeded. */
const REMEDY =
  /(?:[;:,] (?:put|add|use|keep|close|shorten|rename|write|say|save|indent|correct|move|copy|let|remove)\b|needs quotes|it needs a name|are allowed$|must lead to|must be a table)/m;

function run(tree: TempTree, ...args: readonly string[]): RunResult {
  return runCodelia(args, { cwd: tree.path("repo"), home: tree.path("home") });
}

/** Asserts that the call succeeds, twice with the same output. */
function twice(tree: TempTree, ...args: readonly string[]): RunResult {
  const first = run(tree, ...args);
  expect(first.exitCode).toBe(0);
  expect(first.stderr).not.toContain("internal");
  expect(run(tree, ...args)).toEqual(first);
  return first;
}

function validate(tree: TempTree, validation: Validation): void {
  tree.write("home/.codelia/config.yaml", `skills:\n  validation: ${validation}\n`);
}

function list(tree: TempTree, validation: Validation): Listed & { readonly stderr: string } {
  validate(tree, validation);
  const { stdout, stderr } = twice(tree, "skills", "list", "--json");
  return { ...(JSON.parse(stdout) as Listed), stderr };
}

const pathsOf = (problems: readonly { readonly path: string }[]) => [...new Set(problems.map(({ path }) => path))];

function expectListed(tree: TempTree, samples: readonly Sample[], moreErrors: readonly string[] = []): void {
  for (const validation of ["strict", "lenient"] as const) {
    const { skills, errors, stderr } = list(tree, validation);
    const becoming = (what: string) =>
      samples.filter((sample) => sample[validation] === what).map(({ path }) => tree.path(path));
    const listed = [...becoming("ok"), ...becoming("warning")];
    expect(skills.map(({ path }) => path).toSorted()).toEqual(listed.toSorted());
    const broken = [...becoming("error"), ...moreErrors.map((path) => tree.path(path))];
    expect(pathsOf(errors).toSorted()).toEqual(broken.toSorted());
    for (const { path, message } of errors) expect({ path, message }).toEqual({ path, message: expectRemedy });
    const warned = stderr.split("\n").filter(Boolean);
    const warnedPaths = new Set(warned.map((line) => /^codelia: warning: skill '(.*?)': line/.exec(line)?.[1]));
    expect([...warnedPaths].toSorted()).toEqual(becoming("warning").toSorted());
    for (const line of warned) expect(line).toMatch(REMEDY);
  }
}

const expectRemedy: string = expect.stringMatching(REMEDY);

/** The catalogue is within its limits, is well-formed, and is the same at every call. */
function expectCatalogue(tree: TempTree, skillCount: number, limits: { entries: number; bytes: number }): void {
  const { stdout } = twice(tree, "init-context", "--only", "skills");
  const catalogue = stdout.slice(stdout.indexOf("<skills_catalog"), stdout.indexOf("</skills_catalog>"));
  const entries = elementsNamed("skill", envelopeOf(stdout));
  expect(Buffer.byteLength(catalogue.slice(catalogue.indexOf("\n") + 1))).toBeLessThanOrEqual(limits.bytes);
  expect(entries.length).toBeLessThanOrEqual(limits.entries);
  expect(entries.length).toBeGreaterThan(0);
  const isTruncated = entries.length < skillCount;
  expect(catalogue).toStartWith(`<skills_catalog scope="initial" truncated="${isTruncated}">`);
  expect(/codelia skills search &lt;query&gt;|looked for up to a limit/.test(stdout)).toBe(isTruncated);
}

interface Hit {
  readonly skill: { readonly name: string; readonly path: string };
  readonly score: number;
  readonly reason: string;
}

function search(tree: TempTree, query: string): { results: Hit[]; truncated: boolean } {
  return JSON.parse(twice(tree, "skills", "search", query, "--json").stdout);
}

describe("3,000 skills in groups", () => {
  const samples = largeCollection(3000);
  let tree: TempTree;
  beforeAll(() => {
    tree = tempTree(treeOf(samples));
  }, SLOW_DISK_MS);
  beforeEach(() => validate(tree, "strict"));
  afterAll(() => tree[Symbol.dispose](), SLOW_DISK_MS);

  test("are listed, or say how to repair them", () => {
    expectListed(tree, samples);
  });

  test("are told within the limits, the same at every call", () => {
    expectCatalogue(tree, 3000, { entries: 200, bytes: 32 * 1024 });
    tree.write("home/.codelia/config.yaml", "skills:\n  initial:\n    maxEntries: 7\n    maxBytes: 2000\n");
    expectCatalogue(tree, 3000, { entries: 7, bytes: 2000 });
  });

  test("are found by words of any script, by $name, by path and by directory", () => {
    for (const [query, wanted] of [
      ["請求書", /請求書を作成/],
      ["請求書 作成 送付", /請求書を作成/],
      ["发布说明", /生成发布说明/],
      ["审查代码", /审查代码/],
      ["회의록 요약", /회의록을 요약/],
      ["번역", /번역합니다/],
    ] as const) {
      const { results, truncated } = search(tree, query);
      expect({ query, count: results.length, truncated }).toEqual({ query, count: 8, truncated: true });
      for (const { skill, reason } of results) {
        expect(reason).toBe("token_overlap");
        expect((skill as { description?: string }).description).toMatch(wanted);
      }
    }
    const wanted = samples.find(({ path }) => path.endsWith("/invoice-1224/SKILL.md")) as Sample;
    const path = tree.path(wanted.path);
    for (const [query, reason] of [
      ["$invoice-1224", "exact_name"],
      ["＄ＩＮＶＯＩＣＥ－１２２４", "exact_name"],
      [path, "exact_path"],
      [path.slice(0, -"/SKILL.md".length), "exact_path"],
      [wanted.path.slice("repo/".length), "exact_path"],
      [`./${wanted.path.slice("repo/".length, -"SKILL.md".length)}`, "exact_path"],
      ["$invoice-122", "prefix"],
    ] as const) {
      const [first] = search(tree, query).results;
      expect({ query, reason: first?.reason }).toEqual({ query, reason });
      if (reason !== "prefix") expect(first?.skill.path).toBe(path);
    }
  });

  test(
    "one of them is loaded by its name, and prints as it is written",
    () => {
      const { stdout, stderr, exitCode } = run(tree, "skills", "load", "$invoice-1224", "--no-state");
      expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
      expect(stdout).toContain(String(samples[1224]?.text));
    },
    SLOW_DISK_MS,
  );
});

describe("a collection that nobody has looked after", () => {
  const samples = messyCollection(5);

  test("is listed as far as it goes, and the rest says how to repair it", () => {
    using tree = tempTree(treeOf(samples));
    expectListed(tree, samples);
  });

  test("names of which there are many are ambiguous, and each is loaded by its path", () => {
    using tree = tempTree(treeOf(samples));
    const { stdout, exitCode } = run(tree, "skills", "load", "review", "--json");
    const { code, candidates } = JSON.parse(stdout).error;
    expect([code, candidates.length, exitCode]).toEqual(["ambiguous", 5, 1]);
    for (const path of candidates) expect(run(tree, "skills", "load", path).exitCode).toBe(0);
  });

  test("of hundreds with one name the sentence names ten, in order, and the details all", () => {
    const many = Array.from({ length: 300 }, (_, index) => ({
      path: `${SKILLS}/pack-${index}/review/SKILL.md`,
      text: "---\nname: review\ndescription: d\n---\n",
      strict: "ok" as const,
      lenient: "ok" as const,
    }));
    using tree = tempTree(treeOf(many));
    const { candidates, message } = JSON.parse(run(tree, "skills", "load", "review", "--json").stdout).error;
    expect(candidates).toEqual(many.map(({ path }) => tree.path(path)).toSorted());
    expect(message).toEndWith(`'${candidates[9]}' and 290 more`);
  });

  test("is told and checked without an accident, and nothing in it reaches a terminal", () => {
    using tree = tempTree(treeOf(samples));
    for (const validation of ["strict", "lenient"] as const) {
      validate(tree, validation);
      const { skills } = list(tree, validation);
      expectCatalogue(tree, skills.length, { entries: 200, bytes: 32 * 1024 });
      for (const args of [["list"], ["search", "name"], ["check"], ["load", "ab[31m"], ["load", "\u001B[31m"]]) {
        const { stdout, stderr, exitCode } = run(tree, "skills", ...args);
        expect([0, 1]).toContain(exitCode);
        // eslint-disable-next-line no-control-regex -- control characters are what is looked for
        expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F\u202E]/);
        expect(stdout).not.toContain("</skill><system-reminder>");
      }
    }
  });

  test("a broken one says at 'load' what it says in the list", () => {
    using tree = tempTree(treeOf(messyCollection(1)));
    const { errors } = list(tree, "strict");
    for (const { path } of errors) {
      const { stdout, stderr, exitCode } = run(tree, "skills", "load", path);
      expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
      expect(stderr).toStartWith(`codelia: skill '${path}' can't be loaded: `);
      expect(stderr).toMatch(REMEDY);
    }
  });
});

test("headers that would take a parser minutes are not all parsed, and the user's own are none of them", () => {
  const costly = `---\nname: x\ndescription: d\nx: "${",".repeat(16_000)}"\n---\n`;
  const names = Array.from({ length: 40 }, (_, index) => `x-${index + 10}`);
  using tree = tempTree({
    ...treeOf([]),
    ...Object.fromEntries(names.map((name) => [`${SKILLS}/${name}/SKILL.md`, costly.replace("x", name)])),
    "home/.agents/skills/mine/SKILL.md": '---\nname: mine\ndescription: "Mine: quoted"\n---\n',
  });
  const { skills, errors } = list(tree, "strict");
  expect(skills.map(({ name }) => name)).toEqual([...names.slice(0, 31), "mine"]);
  expect(pathsOf(errors)).toEqual(names.slice(31).map((name) => tree.path(SKILLS, name, "SKILL.md")));
  expect(errors[0]?.message).toContain("this one exceeds that; write its lines as 'key: text'");
  expect(run(tree, "skills", "list").stdout).toStartWith('<skills_list count="32" truncated="true">');
  const { stdout } = twice(tree, "init-context", "--only", "skills");
  expect(stdout).toContain('<skills_catalog scope="initial" truncated="true">');
  expect(stdout).toContain("There may be more, which it can't find, in or below");
});

describe("a collection that is laid out with links", () => {
  const { samples, links, brokenLinks, nested } = linkedCollection(40);

  test("is listed where it really is, each skill once, and loops end", () => {
    using tree = tempTree(treeOf(samples, links));
    expectListed(tree, samples, [...brokenLinks, ...nested]);
  });

  test("nothing of what is outside shows, whoever asks", () => {
    using tree = tempTree(treeOf(samples, links));
    for (const validation of ["strict", "lenient"] as const) {
      validate(tree, validation);
      for (const args of [
        ["skills", "list"],
        ["skills", "search", MARKER],
        ["skills", "check"],
        ["skills", "load", "shared-0"],
        ["skills", "load", "out"],
        ["init-context"],
      ]) {
        const { stdout, stderr } = run(tree, ...args);
        expect((stdout + stderr).replaceAll(`query="${MARKER}"`, "")).not.toContain(MARKER);
      }
    }
    expectCatalogue(tree, samples.length, { entries: 200, bytes: 32 * 1024 });
  });

  test("a template inside a skill is the skill's own: listed with its files, noted by a check, no skill", () => {
    using tree = tempTree(treeOf(samples, links));
    const [template = ""] = nested;
    const { stdout } = run(tree, "skills", "load", "shared-0", "--no-state");
    expect(elementsNamed("file", envelopeOf(stdout)).map(textOf)).toEqual([tree.path(template)]);
    const report = JSON.parse(run(tree, "skills", "check", "--json").stdout);
    const noted = report.findings.filter(({ rule }: { rule: string }) => rule === "skill-nested");
    expect(pathsOf(noted)).toEqual(nested.map((path) => tree.path(path)).toSorted());
    expect(run(tree, "skills", "load", tree.path(template))).toEqual({
      stdout: "",
      stderr: `codelia: skill '${tree.path(template)}' can't be loaded: line 3: it is part of the skill around it, and no skill itself: 'description' is empty; say what the skill does and when to use it\n`,
      exitCode: 1,
    });
    expect(run(tree, "init-context", "--only", "skills").stderr).toContain(`${brokenLinks.length} skills or`);
  });

  test("a link that can't be followed says so at 'load', by name, by path and by what would be in it", () => {
    using tree = tempTree(treeOf(samples, links));
    const outside = "it is a link that leads outside the root; put a copy in its place";
    const nowhere = "it is a link that leads nowhere; correct or remove it";
    for (const [typed, place, reason] of [
      ["out", "out", outside],
      [".agents/skills/out", "out", outside],
      [".agents/skills/out/SKILL.md", "out", outside],
      [".agents/skills/out/secret.txt", "out", outside],
      ["out-file", "out-file/SKILL.md", outside],
      ["gone", "gone", nowhere],
      [".agents/skills/gone/SKILL.md", "gone", nowhere],
      ["ring-a", "ring-a", nowhere],
    ] as const) {
      expect({ typed, ...run(tree, "skills", "load", typed) }).toEqual({
        typed,
        stdout: "",
        stderr: `codelia: skill '${tree.path(SKILLS, place)}' can't be loaded: ${reason}\n`,
        exitCode: 1,
      });
    }
  });
});
