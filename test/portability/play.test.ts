import { expect, test } from "bun:test";
import { CALLS } from "./calls.ts";
import { differences, plain } from "./play.ts";

const WINDOWS = {
  at: (path: string) => (path.startsWith("home") ? String.raw`C:\users\u` : `C:\\play\\${path.replaceAll("/", "\\")}`),
  programs: [String.raw`C:\bin\codelia.exe`],
};
const LINUX = { at: (path: string) => `/tmp/play/${path}`, programs: ["/tmp/bin/codelia"] };

test.each([
  [String.raw`read C:\play\repo\pkg\AGENTS.md (mtime: 1)`, "read /tmp/play/repo/pkg/AGENTS.md (mtime: 1)"],
  [
    String.raw`{"a":"C:\\play\\repo\\sp ace\\AGENTS.md\nNext"}`,
    String.raw`{"a":"/tmp/play/repo/sp ace/AGENTS.md\nNext"}`,
  ],
  [String.raw`"{\"a\":\"C:\\\\play\\\\repo\\\\a.md\"}"`, String.raw`"{\"a\":\"/tmp/play/repo/a.md\"}"`],
  ["file:///C:/play/repo/a.md", "file:///tmp/play/repo/a.md"],
  ["for crlf\\z and 日本\\é.txt", "for crlf/z and 日本/é.txt"],
  [String.raw`'C:\bin\codelia.exe' hook`, "'/tmp/bin/codelia' hook"],
  [String.raw`C:\users\u\.codelia\AGENTS.md`, "/tmp/play/home/.codelia/AGENTS.md"],
])("plain() makes %p and %p the same", (windows, linux) => {
  expect(plain(windows, WINDOWS)).toBe(plain(linux, LINUX));
});

test("plain() keeps what differs", () => {
  expect(plain(String.raw`C:\play\repo\a.md`, WINDOWS)).not.toBe(plain("/tmp/play/repo/b.md", LINUX));
});

test("differences() names the call, the line and both texts", () => {
  const [one, two] = [
    { stdout: "a\nb\n", stderr: "", exitCode: 0 },
    { stdout: "a\nc\n", stderr: "", exitCode: 1 },
  ];
  expect(differences([one], [one])).toEqual([]);
  expect(differences([one], [two])).toEqual([
    `${CALLS[0]?.args.join(" ")}\n    exit code 1, not 0\n    stdout, line 2: "c", not "b"`,
  ]);
  expect(differences([one], [])).toEqual([`${CALLS[0]?.args.join(" ")}: not played`]);
});
