import { describe, expect, test } from "bun:test";
import { fieldsFromFile } from "../../../src/agent/issue/origin.ts";
import { fieldsFromGh } from "../../../src/agent/issue/origin.ts";
import { baseBranchIn } from "../../../src/agent/issue/origin.ts";
import { NO_FIELDS, type IssueFieldsSource } from "../../../src/agent/issue/origin.ts";
import { resolveOrigin } from "../../../src/agent/issue/origin.ts";
import { ConfigurationError, ExecutionError } from "../../../src/agent/errors.ts";
import { fakeWorld } from "../../support/fake-world.ts";
import { gitRepository, openedGit, writeProgram } from "../../support/git-repository.ts";
import { tempTree } from "../../support/temp-tree.ts";

function fields(base: string | undefined, target: string | undefined): IssueFieldsSource {
  return { baseBranch: () => base, targetBranch: () => target };
}

const NEVER: IssueFieldsSource = {
  baseBranch: () => {
    throw new Error("nobody asks");
  },
  targetBranch: () => {
    throw new Error("nobody asks");
  },
};

/** What it throws, or what it answers. */
function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe("resolveOrigin()", () => {
  test("hands on why git can't say whether a branch is there", () => {
    const said = "fatal: detected dubious ownership in repository at '/repo'";
    const git = {
      ask: ([verb]: readonly string[]) =>
        verb === "rev-parse"
          ? ({ kind: "refused", exitCode: 128, stderr: `${said}\nTo add an exception, call\n` } as const)
          : ({ kind: "ok", stdout: "" } as const),
    };
    const error = outcome(() => resolveOrigin(git, { explicit: "main", fields: NEVER, config: undefined }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toBe(`branch 'main' to begin from can't be looked up: git says '${said}'`);
  });

  test("goes by what was said, the issue, the project, the definition, and asks no further than it must", () => {
    using tree = tempTree();
    using home = tempTree();
    const { env, git: run } = gitRepository(tree, home);
    for (const branch of ["said", "of-issue", "of-project", "of-config"]) run("branch", branch);
    run("update-ref", "refs/remotes/origin/only-remote", "HEAD");
    run("tag", "a-tag");
    using git = openedGit(fakeWorld({ env }), tree.root);
    const resolve = (explicit: string | undefined, source: IssueFieldsSource, config: string | undefined) =>
      outcome(() => resolveOrigin(git, { explicit, fields: source, config }));
    const local = (branch: string, source: string) => ({ branch, source, ref: `refs/heads/${branch}` });

    expect(resolve("said", NEVER, "of-config")).toEqual(local("said", "explicit"));
    const issueOnly = { ...NEVER, baseBranch: () => "of-issue" };
    expect(resolve(undefined, issueOnly, "of-config")).toEqual(local("of-issue", "issue_field"));
    expect(resolve(undefined, fields("", " of-project "), "of-config")).toEqual(local("of-project", "project_field"));
    expect(resolve(undefined, NO_FIELDS, "of-config")).toEqual(local("of-config", "config"));
    expect(resolve("only-remote", NEVER, undefined)).toEqual({
      branch: "only-remote",
      source: "explicit",
      ref: "refs/remotes/origin/only-remote",
    });

    const none = resolve(undefined, NO_FIELDS, undefined);
    expect(none).toBeInstanceOf(ConfigurationError);
    expect((none as Error).message).toBe(
      "no branch to begin from: use --origin, the issue's field 'base_branch', the project's field 'Target Branch' or 'originBranch' in agent.json",
    );
    // What is named and is not there is never passed over in favour of what comes after it.
    for (const name of ["gone", "a-tag", "HEAD", "--all", "main^{tree}", "main~1", "../main", "refs/heads/main"]) {
      const error = resolve(name, NEVER, "of-config");
      expect(error).toBeInstanceOf(ConfigurationError);
      expect((error as Error).message).toBe(
        `branch '${name}' to begin from does not exist (named by --origin): create it, fetch it or name another with --origin`,
      );
    }
    expect(resolve(undefined, fields("gone", "of-project"), "of-config")).toMatchObject({
      message: expect.stringContaining(
        "branch 'gone' to begin from does not exist (named by the issue's field 'base_branch')",
      ),
    });
  });
});

describe("baseBranchIn()", () => {
  test.each([
    ["### base_branch\n\ndevelop\n\n### More\n\nx", "develop"],
    ["### Base branch\r\n\r\n`release/2`\r\n", "release/2"],
    ["Text.\nbase_branch: develop", "develop"],
    ["**base_branch:** develop", "develop"],
    ["- base_branch: x", undefined],
    ["### base_branch\n\n_No response_", undefined],
    ["### base_branch\n\n### More\n\nx", undefined],
    ["base_branch:", undefined],
    ["The base_branch of it: no", undefined],
    ["### base_branch", undefined],
    ["", undefined],
  ])("%j: %p", (body, branch) => {
    expect(baseBranchIn(body)).toBe(branch!);
  });
});

describe("fieldsFromFile()", () => {
  test("reads both fields, each of which may be missing", () => {
    using tree = tempTree({
      "both.json": '{"issue":{"base_branch":"a","other":1},"project":{"Target Branch":"b"}}',
      "none.json": "{}",
      "link.json": { link: "both.json" },
    });
    const read = (name: string) => {
      const source = fieldsFromFile(tree.root, name);
      return [source.baseBranch(), source.targetBranch()];
    };
    expect(read("both.json")).toEqual(["a", "b"]);
    expect(read(tree.path("link.json"))).toEqual(["a", "b"]);
    expect(read("none.json")).toEqual([undefined, undefined]);
  });

  test.each([
    ["gone.json", "there is no such file"],
    ["pipe", "it can't be read"],
    ["large.json", "it is larger than 65536 bytes"],
    ["broken.json", expect.stringContaining("JSON")],
    ["type.json", "'issue.base_branch' must be a string, got 1"],
    ["key.json", "unknown key 'isue', did you mean 'issue'?"],
  ])("refuses %s", (name, why) => {
    using tree = tempTree({
      pipe: { fifo: true },
      "large.json": " ".repeat(70_000),
      "broken.json": "{",
      "type.json": '{"issue":{"base_branch":1}}',
      "key.json": '{"isue":{}}',
    });
    const error = outcome(() => fieldsFromFile(tree.root, name)) as ExecutionError;
    expect(error).toBeInstanceOf(ExecutionError);
    const start = `fields file '${name}' can't be used: `;
    expect(error.message).toStartWith(start);
    expect(error.message.slice(start.length)).toEqual(why);
  });
});

describe("fieldsFromGh()", () => {
  /** A `gh` that notes its words and says what the scene wants. */
  function scene(answers: { readonly body?: string; readonly graphql?: string; readonly fails?: string }) {
    const tree = tempTree({ ".keep": "" });
    const home = tempTree({ "body.json": answers.body ?? "", "graphql.json": answers.graphql ?? "" });
    const { env, git } = gitRepository(tree, home);
    git("remote", "add", "origin", "https://github.com/o/r.git");
    const fails = answers.fails === undefined ? "" : `echo "${answers.fails}" >&2; exit 1`;
    const says = `case "$1" in issue) cat '${home.path("body.json")}';; *) cat '${home.path("graphql.json")}';; esac`;
    writeProgram(home, "bin/gh", `printf '%s\\n' "$@" >> '${home.path("asked")}'\n${fails}\n${says}`);
    const world = fakeWorld({ env: { ...env, PATH: `${home.path("bin")}:${env["PATH"]}` } });
    const asked = openedGit(world, tree.root);
    return {
      tree,
      home,
      git,
      env,
      fields: fieldsFromGh(world, asked, 7),
      [Symbol.dispose]: () => [asked, tree, home].map((made) => made[Symbol.dispose]()),
    };
  }

  const project = (...values: object[]) =>
    JSON.stringify({
      data: {
        repository: { issue: { projectItems: { nodes: values.map((value) => ({ fieldValueByName: value })) } } },
      },
    });

  test("asks for the issue's text, and for its projects' field", () => {
    using made = scene({
      body: '{"body":"### base_branch\\n\\ndevelop\\n"}',
      graphql: project(null as unknown as object, {}, { text: "release/2" }, { name: "release/2" }),
    });
    expect(made.fields.baseBranch()).toBe("develop");
    expect(made.home.read("asked")).toBe("issue\nview\n7\n--json\nbody\n");
    expect(made.fields.targetBranch()).toBe("release/2");
    expect(made.home.read("asked")).toContain(
      "api\ngraphql\n-F\nowner={owner}\n-F\nname={repo}\n-F\nnumber=7\n-f\nquery=query(",
    );
  });

  test("knows of no field where there is none", () => {
    using made = scene({ body: '{"body":null}', graphql: project() });
    expect([made.fields.baseBranch(), made.fields.targetBranch()]).toEqual([undefined, undefined]);
  });

  test("names no branch where two projects contradict each other", () => {
    using made = scene({ graphql: project({ text: "a" }, { name: "b" }) });
    expect(outcome(() => made.fields.targetBranch())).toMatchObject({
      message: "issue 7 has more than one branch to begin from: its projects name 'a' and 'b'; use --origin",
      recoverable: false,
    });
  });

  test.each([
    ["what gh says when it fails", { fails: "not logged in" }, "not logged in"],
    ["an answer that is none", { body: "<html>" }, "its output is not JSON"],
  ])("takes no silence for an answer: %s", (_, answers, why) => {
    using made = scene(answers);
    const error = outcome(() => made.fields.baseBranch());
    expect(error).toBeInstanceOf(ExecutionError);
    expect((error as Error).message).toBe(
      `the fields of issue 7 can't be read: 'gh': ${why}; use --origin or --fields`,
    );
  });

  test("takes an issue that GitHub doesn't have for an error", () => {
    using made = scene({ graphql: '{"data":{"repository":null}}' });
    expect(outcome(() => made.fields.targetBranch())).toBeInstanceOf(ExecutionError);
  });

  test("asks nobody where there is no gh outside the clone, or no remote", () => {
    using made = scene({ fails: "it must not be asked" });
    writeProgram(made.tree, "bin/gh", "exit 1");
    const planted = fakeWorld({ env: { ...made.env, PATH: made.tree.path("bin") } });
    const own = fakeWorld({ env: { ...made.env, PATH: `${made.home.path("bin")}:${made.env["PATH"]}` } });
    using git = openedGit(own, made.tree.root);
    expect(fieldsFromGh(planted, git, 7)).toBe(NO_FIELDS);
    made.git("remote", "remove", "origin");
    using again = openedGit(own, made.tree.root);
    expect(fieldsFromGh(own, again, 7)).toBe(NO_FIELDS);
  });
});
