// Sessions of the reference. They are played with those of every other page (test/readme.test.ts), so that what they
// show is what the program prints.

/** Every form in which findings come. */
export const FINDINGS_EXAMPLE = session(["tree: shop"])`
$ printf 'Read \`docs/style.md\` first.\n' > services/catalog/AGENTS.md
$ codelia check
services/catalog/AGENTS.md:1:7 warning instructions-missing-path 'docs/style.md' does not exist; add it or correct the path
codelia: 1 warning (3 files checked)
$ codelia check --format json
{"findings":[{"rule":"instructions-missing-path","severity":"warning","path":"/home/me/project/services/catalog/AGENTS.md","line":1,"column":7,"message":"'docs/style.md' does not exist","remedy":"add it or correct the path","fingerprint":"909aa5a122189e00"}],"counts":{"error":0,"warning":1,"note":0},"checked":3}
$ codelia check --format github --quiet
::warning file=services/catalog/AGENTS.md,line=1,col=7,title=instructions-missing-path::'docs/style.md' does not exist; add it or correct the path
$ codelia check --format sarif | grep -o '"results":.*'
"results":[{"ruleId":"instructions-missing-path","ruleIndex":13,"level":"warning","message":{"text":"'docs/style.md' does not exist; add it or correct the path"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"services/catalog/AGENTS.md","uriBaseId":"%SRCROOT%"},"region":{"startLine":1,"startColumn":7}}}],"partialFingerprints":{"codeliaFinding/v1":"909aa5a122189e00"}}]}]}
$ codelia check --summary page.md --quiet > /dev/null; cat page.md
### codelia check

1 warning (3 files checked)

| | where | rule | what |
| --- | --- | --- | --- |
| warning | services/catalog/AGENTS.md:1 | instructions-missing-path | 'docs/style.md' does not exist; add it or correct the path |

$ codelia check --baseline known.json --write-baseline --quiet; cat known.json
{
  "version": 1,
  "findings": [
    {
      "fingerprint": "909aa5a122189e00",
      "rule": "instructions-missing-path",
      "path": "services/catalog/AGENTS.md",
      "message": "'docs/style.md' does not exist"
    }
  ]
}`;

export const JSON_EXAMPLE = session(["tree: shop", "work: /home/me/shop", "exits: 0 0 1"])`
$ codelia resolve --json services/catalog/items.ts
{"files":[{"path":"/home/me/shop/AGENTS.md","mtimeMs":1763596800000,"sizeBytes":57}]}
$ codelia resolve --json services/catalog/items.ts
{"files":[]}
$ codelia resolve --json --cwd nowhere x
{"error":{"code":"no_such_directory","message":"'nowhere' is not a directory"}}
codelia: 'nowhere' is not a directory`;

export const XML_EXAMPLE = session(["tree: shop", "work: /home/me/shop"])`
$ codelia init-context --only agents | tail -6
<agents_context scope="initial">
Instructions from: /home/me/shop/AGENTS.md
# Shop

Use TypeScript. Every service has its own tests.
</agents_context>
$ codelia resolve services/billing/tax.ts
<system-reminder type="agents.resolve.paths">
Additional AGENTS.md may apply for this path:
- /home/me/shop/services/billing/AGENTS.md (mtime: 1763596800000)
Read and apply these files before editing files in this scope.
</system-reminder>`;

export const HOOK_EXAMPLE = session(["tree: shop", "work: /home/me/shop"])`
$ echo '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/home/me/shop","tool_name":"Read","tool_input":{"file_path":"services/billing/tax.ts"}}' > event.json
$ codelia hook codex < event.json
{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"<system-reminder type=\"agents.resolve.paths\">\nAdditional AGENTS.md may apply for this path:\n- /home/me/shop/AGENTS.md (mtime: 1763596800000)\n- /home/me/shop/services/billing/AGENTS.md (mtime: 1763596800000)\nRead and apply these files before editing files in this scope.\n</system-reminder>\n"}}
$ codelia hook codex < event.json`;

export const LOG_EXAMPLE = session(["tree: greeter", "varies: 2026-11-20T10:15:00.123Z"])`
$ codelia trust greet --yes --quiet
$ codelia agent run greet --var who=she --log run.jsonl > /dev/null
$ sed -n '2p;4,5p' run.jsonl
{"time":"2026-11-20T10:15:00.123Z","event":"iteration","iteration":1,"step":"name"}
{"time":"2026-11-20T10:15:00.123Z","event":"answer","engine":"command","text":"{ \"name\": \"Ada\" }\n"}
{"time":"2026-11-20T10:15:00.123Z","event":"check","step":"name","pass":true,"reason":"the answer has the required output"}`;

export const PAGE_EXAMPLE = session(["tree: shop"])`
$ codelia explain --html reach.html && head -2 reach.html
<!doctype html>
<html lang="en">`;

/** A console block of the manual, with what has to stand above it. The text as it is written: no escape means anything. */
function session(directives: readonly string[]): (text: TemplateStringsArray) => string {
  return ({ raw }) => {
    const lines = (raw[0] ?? "").trim().replaceAll("\\`", "`");
    return `${directives.map((line) => `<!-- ${line} -->\n`).join("")}\n\`\`\`console\n${lines}\n\`\`\``;
  };
}
