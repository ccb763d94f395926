import { describe, expect, test } from "bun:test";
import { hookPrograms } from "../../src/check/hook-programs.ts";
import { offsetsIn } from "../../src/lib/edit/located.ts";
import { locateJsonc } from "../../src/lib/jsonc.ts";

const PLACE = { client: "claude", root: "/r", variable: "CLAUDE_PROJECT_DIR" };

const NEEDED: [command: string, programs: string[]][] = [
  ["/opt/tool --x", ["/opt/tool"]],
  ["'/opt/my tool' x", ["/opt/my tool"]],
  [".claude/hooks/x.sh", ["/r/.claude/hooks/x.sh"]],
  ["./x.sh && ./y.sh", ["/r/x.sh", "/r/y.sh"]],
  ['"$CLAUDE_PROJECT_DIR"/.claude/x.sh', ["/r/.claude/x.sh"]],
  ["${CLAUDE_PROJECT_DIR}/x.sh", ["/r/x.sh"]],
  ['python3 "${CLAUDE_PROJECT_DIR:-.}/x.py"', ["script /r/x.py"]],
  ["/usr/bin/python3 tools/x.py", ["/usr/bin/python3", "script /r/tools/x.py"]],
  ["FOO=1 exec ./x.sh", ["/r/x.sh"]],
  ["cd web && ./run.sh", ["/r/web/run.sh"]],
  ['cd "$CLAUDE_PROJECT_DIR"/web && ./run.sh; cd .. && sh ./x.sh', ["/r/web/run.sh", "script /r/x.sh"]],
  ["(cd web && ./a.sh); ./b.sh", ["/r/web/a.sh", "/r/b.sh"]],
  ["cd web && (true & ./a.sh)", ["/r/web/a.sh"]],
  ["cd web && (cd in; ./a.sh) & ./b.sh", ["/r/web/in/a.sh", "/r/b.sh"]],
  ["cat <<'END' | ./x.sh\n./no.sh\nEND\n./y.sh", ["/r/x.sh", "/r/y.sh"]],
  ["python3 -u scripts/x.py", ["script /r/scripts/x.py"]],
  ["python3 -uW ignore scripts/x.py", ["script /r/scripts/x.py"]],
  ["sh -e -o pipefail scripts/x.sh -c", ["script /r/scripts/x.sh"]],
  ["timeout 5 ./x.sh", ["/r/x.sh"]],
  ["env A=1 nice -n 5 ./x.sh", ["/r/x.sh"]],
  ["node --import=./a.mjs x/y.js", ["script /r/x/y.js"]],
  ["HOOKS=tools/hooks; $HOOKS/x.sh", ["/r/tools/hooks/x.sh"]],
  ["for f in a b; do ./$f.sh; done", ["/r/a.sh", "/r/b.sh"]],
  ["codelia hook claude", ["bare codelia"]],
  ["'/opt/codelia' hook claude", ["/opt/codelia"]],
];

const NOT_NEEDED = [
  "npx prettier --write .",
  "$HOME/x.sh",
  "~/x.sh",
  "$OTHER/x.sh",
  "`which x`/y",
  "bash -c 'a/b.sh'",
  "command -v codelia >/dev/null 2>&1 || exit 0; exec codelia hook claude",
  "[ -x ./x.sh ] && ./x.sh",
  "if test -f ./x.sh; then ./x.sh; fi",
  "codelia hook codex",
  "echo 'not closed",
  'cd "$WHERE" && ./x.sh',
  "cd ~/x && ./x.sh",
  "${PLUGIN:-.}/x.sh",
  "PLUGIN=${PLUGIN:-.}; $PLUGIN/x.sh",
  "for f in $FILES; do ./$f.sh; done",
  "python3 -m a/b",
  "node -r ./a.js x.js",
  "node --require ./a.js x.js",
  "sh -ec ./x.sh",
  "uv run scripts/x.py",
  "echo ./x.sh",
  "",
];

function programsOf(handler: object): string[] {
  const found = hookPrograms({ hooks: { Stop: [{ hooks: [handler] }] } }, PLACE);
  return found.map(({ program, isScript, isBare }) => `${isBare ? "bare " : isScript ? "script " : ""}${program}`);
}

describe("a hook needs", () => {
  for (const [command, programs] of NEEDED) {
    test(command, () => expect(programsOf({ type: "command", command })).toEqual(programs));
  }
  for (const command of NOT_NEEDED) {
    test(`nothing we can name: ${command}`, () => expect(programsOf({ type: "command", command })).toEqual([]));
  }
  test("the words of a call without a shell", () => {
    expect(programsOf({ command: "/opt/a b", args: ["x/y"] })).toEqual(["/opt/a b"]);
    expect(programsOf({ command: "${CLAUDE_PROJECT_DIR}/x", args: [] })).toEqual(["/r/x"]);
    expect(programsOf({ command: "node", args: ["x/y.js"] })).toEqual(["script /r/x/y.js"]);
  });
  test("nothing where the data are of another shape", () => {
    for (const data of [
      null,
      [],
      { hooks: [] },
      { hooks: { Stop: {} } },
      { hooks: { Stop: [{ hooks: [null, { command: 1 }] }] } },
    ]) {
      expect(hookPrograms(data, PLACE)).toEqual([]);
    }
  });
});

test("where a command stands", () => {
  const text = '{\n  "hooks": {\n    "Stop": [{ "hooks": [{}, { "command": "./x" }] }]\n  }\n}\n';
  const [found] = hookPrograms(JSON.parse(text), PLACE);
  expect(text.slice(offsetsIn(locateJsonc(text))(found!.keys))).toStartWith('"./x"');
});
