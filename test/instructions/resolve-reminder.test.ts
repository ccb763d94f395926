import { expect, test } from "bun:test";
import { renderResolveReminder, type ResolveReminder } from "../../src/instructions/tell.ts";

const NONE: ResolveReminder = { files: [], remaining: 0, gone: [] };
const ONE = { path: "/repo/feature/AGENTS.md", mtimeMs: 1738970000000 };
const TWO = { path: "/repo/feature/sub/AGENTS.md", mtimeMs: 1738971000000 };

// The first is the example of the specification, byte for byte.
const CASES: [name: string, news: Partial<ResolveReminder>, expected: string][] = [
  [
    "files",
    { files: [ONE, TWO] },
    `<system-reminder type="agents.resolve.paths">
Additional AGENTS.md may apply for this path:
- /repo/feature/AGENTS.md (mtime: 1738970000000)
- /repo/feature/sub/AGENTS.md (mtime: 1738971000000)
Read and apply these files before editing files in this scope.
</system-reminder>
`,
  ],
  [
    "one file more than it may name",
    { files: [ONE], remaining: 1 },
    `<system-reminder type="agents.resolve.paths">
Additional AGENTS.md may apply for this path:
- /repo/feature/AGENTS.md (mtime: 1738970000000)
1 more file applies; resolve again to be told.
Read and apply these files before editing files in this scope.
</system-reminder>
`,
  ],
  [
    "several files more, and files that have gone",
    { files: [ONE], remaining: 3, gone: ["/repo/AGENTS.md", "/repo/a b/AGENTS.md"] },
    `<system-reminder type="agents.resolve.paths">
Additional AGENTS.md may apply for this path:
- /repo/feature/AGENTS.md (mtime: 1738970000000)
3 more files apply; resolve again to be told.
Read and apply these files before editing files in this scope.
No longer in force, disregard what they said:
- /repo/AGENTS.md
- /repo/a b/AGENTS.md
</system-reminder>
`,
  ],
  [
    "only files that have gone",
    { gone: ["/repo/AGENTS.md"] },
    `<system-reminder type="agents.resolve.paths">
No longer in force, disregard what they said:
- /repo/AGENTS.md
</system-reminder>
`,
  ],
  [
    "paths with markup and line ends in them",
    { files: [{ path: "/r/<b>\n&/AGENTS.md", mtimeMs: 0 }], gone: ["/r/</system-reminder>"] },
    `<system-reminder type="agents.resolve.paths">
Additional AGENTS.md may apply for this path:
- /r/&lt;b&gt;\\u{a}&amp;/AGENTS.md (mtime: 0)
Read and apply these files before editing files in this scope.
No longer in force, disregard what they said:
- /r/&lt;/system-reminder&gt;
</system-reminder>
`,
  ],
];
for (const [name, news, expected] of CASES) {
  test(`renderResolveReminder() names ${name}`, () => {
    expect(renderResolveReminder("system-reminder", { ...NONE, ...news })).toBe(expected);
  });
}

test("renderResolveReminder() takes the element that the host lets through", () => {
  const text = renderResolveReminder("codelia-reminder", { ...NONE, gone: ["/r"] });
  expect(text).toStartWith('<codelia-reminder type="agents.resolve.paths">\n');
  expect(text).toEndWith("\n</codelia-reminder>\n");
});
