import { expect, test } from "bun:test";
import { renderResumeReminder, type ResumeChanges } from "../../src/instructions/resume.ts";

const MARKERS = '[".codelia",".git",".jj"]';
const NEWS: ResumeChanges = {
  cwd: { before: "/repo/a", after: "/repo/b" },
  root: { before: "/repo", after: "/repo" },
  markers: { before: MARKERS, after: MARKERS },
  files: [],
  gone: [],
  changedSkills: [],
  goneSkills: [],
};

test("renderResumeReminder() is the example of the specification, byte for byte", () => {
  const files = [{ path: "/repo/b/AGENTS.md", mtimeMs: 1738973000000 }];
  expect(renderResumeReminder("system-reminder", { ...NEWS, files })).toBe(`<system-reminder type="session.resume.diff">
Session resumed with context changes:
- cwd: /repo/a -> /repo/b
- root: /repo -> /repo
- markers: [".codelia",".git",".jj"] -> [".codelia",".git",".jj"]
Re-check AGENTS.md for current scope:
- /repo/b/AGENTS.md (mtime: 1738973000000)
</system-reminder>
`);
});

test("renderResumeReminder() names all that changed, a section each", () => {
  const news: ResumeChanges = {
    ...NEWS,
    cwd: { before: "(not known)", after: "/r/a&b" },
    gone: ["/repo/AGENTS.md"],
    changedSkills: [{ path: "/repo/s/SKILL.md", mtimeMs: 7 }],
    goneSkills: ["/repo/<t>/SKILL.md"],
  };
  expect(renderResumeReminder("codelia-reminder", news)).toBe(`<codelia-reminder type="session.resume.diff">
Session resumed with context changes:
- cwd: (not known) -> /r/a&amp;b
- root: /repo -> /repo
- markers: [".codelia",".git",".jj"] -> [".codelia",".git",".jj"]
No longer in force, disregard what they said:
- /repo/AGENTS.md
Loaded skills that changed, load them again before use:
- /repo/s/SKILL.md (mtime: 7)
Loaded skills that are gone:
- /repo/&lt;t&gt;/SKILL.md
</codelia-reminder>
`);
});
