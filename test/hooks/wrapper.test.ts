import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { REPOSITORY } from "../support/run-codelia.ts";
import { dir, tempTree } from "../support/temp-tree.ts";

const WRAPPER = join(REPOSITORY, "hooks", "codelia.sh");

test("hooks/codelia.sh passes arguments and exit code on where codelia is installed", () => {
  using tree = tempTree({ "bin/codelia": { text: '#!/bin/sh\nprintf "%s|" "$@"\nexit 7\n', mode: 0o755 } });
  expect(callWrapper(`${tree.path("bin")}:/usr/bin:/bin`)).toEqual({ stdout: "resolve|a b|", stderr: "", exitCode: 7 });
});

test("hooks/codelia.sh does nothing, successfully, where it is not", () => {
  using tree = tempTree({ "bin/": dir });
  expect(callWrapper(tree.path("bin"))).toEqual({ stdout: "", stderr: "", exitCode: 0 });
});

function callWrapper(path: string) {
  const { stdout, stderr, status } = spawnSync("/bin/sh", [WRAPPER, "resolve", "a b"], {
    env: { PATH: path },
    encoding: "utf8",
  });
  return { stdout, stderr, exitCode: status };
}
