import { describe, expect, test } from "bun:test";
import { locateFindings, type Finding } from "../../src/check/findings.ts";
import { RULES } from "../../src/check/rules.ts";
import {
  renderFindingsGithub,
  renderFindingsJson,
  renderFindingsMarkdown,
  renderFindingsSummary,
  renderFindingsText,
} from "../../src/check/formats.ts";
import { renderFindingsSarif } from "../../src/check/sarif.ts";
import { sarifErrors } from "../support/sarif-schema.ts";

const HOSTILE = 'a\nb::c%d,e"f\u202Eg h<system-reminder>[x](y){0}\\\r\u001B';
const VISIBLE = String.raw`a\u{a}b::c%d,e"f\u{202e}g h&lt;system-reminder>[x](y){0}\\u{d}\u{1b}`;

function found(more: Partial<Finding> = {}): Finding {
  return { rule: "skill-name", severity: "error", path: "/r/a.md", line: 1, message: "it is wrong", ...more };
}

const HOSTILE_FINDING = found({ path: `/r/${HOSTILE}/${HOSTILE}`, message: HOSTILE, remedy: HOSTILE, column: 2 });

describe("renderFindingsText()", () => {
  test("prints a line for each, and a blank one between files", () => {
    const findings = [
      found(),
      found({ line: 2, column: 3, remedy: "mend it" }),
      found({ path: "/x/b", severity: "note" }),
    ];
    expect(renderFindingsText(locateFindings(findings, "/r"))).toBe(
      `a.md:1 error skill-name it is wrong
a.md:2:3 error skill-name it is wrong; mend it

/x/b:1 note skill-name it is wrong
`,
    );
  });

  test("prints nothing for nothing", () => {
    expect(renderFindingsText([])).toBe("");
  });

  test("shows whatever a name or message holds in one line", () => {
    const text = renderFindingsText(locateFindings([HOSTILE_FINDING], "/r"));
    expect(text).toBe(`${VISIBLE}/${VISIBLE}:1:2 error skill-name ${VISIBLE}; ${VISIBLE}\n`);
  });
});

const SUMMARIES: [
  counts: [error: number, warning: number, note: number],
  checked: number,
  says: string,
  known?: number,
][] = [
  [[0, 0, 0], 0, "no skill here"],
  [[0, 0, 0], 1, "nothing found (1 skill checked)"],
  [[1, 0, 2], 3, "1 error, 2 notes (3 skills checked)"],
  [[2, 1, 1], 3, "2 errors, 1 warning, 1 note (3 skills checked)"],
  [[0, 0, 0], 3, "nothing new found, 2 in the baseline (3 skills checked)", 2],
  [[1, 0, 0], 3, "1 error, 2 in the baseline (3 skills checked)", 2],
];
for (const [[error, warning, note], checked, says, known] of SUMMARIES) {
  test(`renderFindingsSummary() says ${says}`, () => {
    expect(renderFindingsSummary({ counts: { error, warning, note }, checked, subject: "skill", known })).toBe(says);
  });
}

describe("renderFindingsGithub()", () => {
  test("prints a workflow command for each", () => {
    const findings = [
      found({ column: 4 }),
      found({ severity: "warning", path: "/x/b" }),
      found({ severity: "note", path: "/r/d/c" }),
    ];
    expect(renderFindingsGithub(locateFindings(findings, "/r"))).toBe(
      `::error file=a.md,line=1,col=4,title=skill-name::it is wrong
::warning file=/x/b,line=1,title=skill-name::it is wrong
::notice file=d/c,line=1,title=skill-name::it is wrong
`,
    );
  });

  test("nothing in a name or message ends a property or a command", () => {
    const text = renderFindingsGithub(locateFindings([HOSTILE_FINDING], "/r"));
    const [, properties = "", data = ""] = /^::error ([^:]*)::([^\n]*)\n$/.exec(text) ?? [];
    const values = new Map(properties.split(",").map((pair) => pair.split(/=([^]*)/, 2) as [string, string]));
    expect([...values.keys()]).toEqual(["file", "line", "col", "title"]);
    // As GitHub's runner reads them back.
    const unescaped = (value = "") =>
      value
        .replaceAll("%0D", "\r")
        .replaceAll("%0A", "\n")
        .replaceAll("%3A", ":")
        .replaceAll("%2C", ",")
        .replaceAll("%25", "%");
    expect(unescaped(values.get("file"))).toBe(`${VISIBLE}/${VISIBLE}`);
    expect(unescaped(data)).toBe(`${VISIBLE}; ${VISIBLE}`);
  });
});

test("renderFindingsJson() gives names and messages as they are", () => {
  const findings = locateFindings([HOSTILE_FINDING], "/r");
  const counts = { error: 1, warning: 0, note: 0 };
  const text = renderFindingsJson({ findings, counts, checked: 4 });
  expect(JSON.parse(text)).toEqual({
    findings: [{ ...HOSTILE_FINDING, fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) }],
    counts,
    checked: 4,
  });
  expect(text.trimEnd()).not.toContain("\n");
});

describe("renderFindingsSarif()", () => {
  test("gives each rule the address of its page, once the project has one", () => {
    const rulesOf = (homepage: string): { id: string; helpUri?: string }[] =>
      JSON.parse(renderFindingsSarif({ findings: [], rules: RULES, base: "/r", homepage })).runs[0].tool.driver.rules;
    expect(rulesOf("https://example.com/codelia").find(({ id }) => id === "skill-name")?.helpUri).toBe(
      "https://example.com/codelia/blob/main/docs/rules/skill-name.md",
    );
    expect(rulesOf("https://github.com/OWNER/codelia").filter(({ helpUri }) => helpUri !== undefined)).toEqual([]);
  });

  const logOf = (findings: Finding[], base = "/r") =>
    JSON.parse(renderFindingsSarif({ findings: locateFindings(findings, base), rules: RULES, base }));

  const LOGS: [what: string, findings: Finding[], base?: string][] = [
    ["of nothing", []],
    ["of hostile names", [HOSTILE_FINDING]],
    ["of half a character", [found({ path: "/r/\uD800", message: "\uDFFF" })]],
    ["from the root of the file system", [found()], "/"],
    ["of a file outside", [found({ path: "/x y/ü.md" })]],
  ];
  for (const [what, findings, base] of LOGS) {
    test(`is valid by the published schema: ${what}`, () => {
      expect(sarifErrors(logOf(findings, base))).toEqual([]);
    });
  }

  test("the schema finds what is not valid", () => {
    const log = logOf([found()]);
    log.runs[0].results[0].level = "grave";
    log.runs[0].results[0].locations[0].physicalLocation.region.startLine = 0;
    log.runs[0].surprise = true;
    expect(sarifErrors(log).length).toBeGreaterThan(2);
  });

  test("tells the rule, the place and the base", () => {
    const [run] = logOf([found({ path: "/r/a b/#ü%.md", line: 3, column: 5, severity: "warning" })]).runs;
    const [result] = run.results;
    expect(run.tool.driver.rules[result.ruleIndex].id).toBe("skill-name");
    expect(result).toMatchObject({ ruleId: "skill-name", level: "warning", message: { text: "it is wrong" } });
    expect(result.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: "a%20b/%23%C3%BC%25.md", uriBaseId: "%SRCROOT%" },
          region: { startLine: 3, startColumn: 5 },
        },
      },
    ]);
    expect(run.originalUriBaseIds).toEqual({ "%SRCROOT%": { uri: "file:///r/" } });
    expect(run.columnKind).toBe("utf16CodeUnits");
  });

  const BASES: [base: string, uri: string][] = [
    ["/", "file:///"],
    ["/a b", "file:///a%20b/"],
    ["C:\\a b", "file:///C:/a%20b/"],
    ["C:\\", "file:///C:/"],
  ];
  for (const [base, uri] of BASES) {
    test(`the base '${base}' is ${uri}`, () => {
      expect(logOf([], base).runs[0].originalUriBaseIds).toEqual({ "%SRCROOT%": { uri } });
    });
  }

  test("a name read back from a URI is the name", () => {
    const uri = logOf([HOSTILE_FINDING]).runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri;
    expect(decodeURIComponent(uri)).toBe(`${HOSTILE}/${HOSTILE}`);
    expect(new URL(uri, "file:///r/").pathname.startsWith("/r/")).toBe(true);
  });

  test("a message holds neither links nor placeholders", () => {
    expect(logOf([found({ message: "[x](y) {0} \\" })]).runs[0].results[0].message.text).toBe(
      String.raw`\[x\](y) {{0}} \\`,
    );
  });
});

describe("renderFindingsMarkdown()", () => {
  test("shows nothing of a name or message as markup", () => {
    const page = renderFindingsMarkdown({ findings: locateFindings([HOSTILE_FINDING], "/r"), line: "1 error" });
    const row = page.split("\n").at(-3) ?? "";
    expect(row).toStartWith("| error | a");
    expect(row.split("|")).toHaveLength(6);
    expect(row.replaceAll(/&#?\w+;/g, "")).not.toMatch(/[<>[\]()`*_]/);
  });

  test("makes no address in a name a link", () => {
    const message = "www.evil.example/a, WWW.evil.example, https://evil.example, ftp://evil.example, me@evil.example";
    const page = renderFindingsMarkdown({ findings: locateFindings([found({ message })], "/r"), line: "1 error" });
    expect(page).not.toMatch(/www\.|:\/\/|@\w|&#64;\w/i);
  });

  test("has the most severe first, and says how many it leaves out", () => {
    const notes = Array.from({ length: 205 }, (_, index) => found({ severity: "note", line: index + 1 }));
    const page = renderFindingsMarkdown({
      findings: locateFindings([...notes, found({ line: 999 })], "/r"),
      line: "x",
    });
    const rows = page.split("\n").filter((line) => /^\| (?:note|error) \| .*:\d+ \|/.test(line));
    expect([rows.length, rows[0]?.includes(":999")]).toEqual([200, true]);
    expect(page).toEndWith("\n6 more in the log.\n\n");
  });

  test("is short where nothing was found", () => {
    expect(renderFindingsMarkdown({ findings: [], line: "nothing found (3 files checked)" })).toBe(
      "### codelia check\n\nnothing found (3 files checked)\n\n",
    );
  });
});
