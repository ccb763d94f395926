import { expect, test } from "bun:test";
import { pathsOfToolUse } from "../../src/touched/with-grammar.ts";
import { CWD, HOME, shown } from "./command-table.ts";

const ROWS: readonly [command: string, touched: readonly string[]][] = [
  ["Get-Content src/a.ts", ["read src/a.ts"]],
  ["get-content -Path 'src/a b.ts' -TotalCount 20", ["read src/a b.ts"]],
  ["gc a.ts, b.ts -Tail 5; cat -LiteralPath:c.ts; type d.ts", ["read a.ts", "read b.ts", "read c.ts", "read d.ts"]],
  ['Get-Content -Raw "it`"s.md" | Select-Object -First 3', ['read it"s.md']],
  ["Select-String -Pattern 'x y' -Path src/*.ts", ["read src"]],
  ["Select-String TODO src/a.ts, src/b.ts -Context 2", ["read src/a.ts", "read src/b.ts"]],
  ["sls -Path src/a.ts TODO", ["read src/a.ts"]],
  ["Set-Content -Path out/a.txt -Value 'src/no.ts'", ["write out/a.txt"]],
  ["Set-Content out/a.txt 'one', 'two' -Encoding utf8", ["write out/a.txt"]],
  ["Set-Content a.txt @'\nGet-Content no.ts\n'@\nGet-Content b.txt", ["write a.txt", "read b.txt"]],
  ["'text' | Out-File -FilePath log/a.txt -Append", ["write log/a.txt"]],
  ["cd src; Get-Content a.ts", ["list src", "read src/a.ts"]],
  ["Set-Location -Path src && git add a.ts", ["list src", "list src/a.ts"]],
  ["Get-Content a.ts > out.txt 2>$null", ["read a.ts", "write out.txt"]],
  ["npm test *>> log.txt 2>&1", ["write log.txt"]],
  ["Copy-Item a.ts, b.ts -Destination out", ["write out", "read a.ts", "read b.ts"]],
  ["mv a.ts b.ts", ["write a.ts", "write b.ts"]],
  ["Remove-Item -Recurse -Force dist", ["write dist"]],
  ["New-Item -ItemType File -Path src/new.ts", ["write src/new.ts"]],
  ["Get-ChildItem -Recurse -Filter *.md docs", ["list docs"]],
  ["ls", ["list ."]],
  ["if (Test-Path a.ts) { Get-Content a.ts }", ["read a.ts"]],
  ["$text = Get-Content a.ts -Raw", ["read a.ts"]],
  ["(Get-Content a.ts).Replace('x', 'y') | Set-Content a.ts", ["write a.ts"]],
  ["foreach ($f in Get-ChildItem src) { gc $f }", ["list src", "list ."]],
  ["Get-Content `\n  src/a.ts # and no.ts", ["read src/a.ts"]],
  ["git.exe diff -- src/a.ts", ["read src/a.ts"]],
  ["& node.exe scripts/x.js", ["read scripts/x.js"]],
  ["pwsh -NoProfile -Command 'gc a.ts'", ["read a.ts"]],
  ["Write-Output 'src/a.ts'", []],
  ["$env:X = 'src/a.ts'", []],
  ['Get-Content "$dir/a.ts"', ["list ."]],
];

test.each(ROWS)("what PowerShell touches with %p", (command, expected) => {
  const paths = pathsOfToolUse({ tool: "PowerShell", input: { command }, cwd: CWD, home: HOME });
  expect(shown(paths)).toEqual([...expected]);
});

test("a program that is given to be started without a shell is read as PowerShell too", () => {
  const command = ["powershell.exe", "-NoProfile", "-Command", "Get-Content src/a.ts"];
  const paths = pathsOfToolUse({ tool: "shell", input: { command }, cwd: CWD, home: HOME });
  expect(shown(paths)).toEqual(["read src/a.ts"]);
});

test("a long text takes little time", () => {
  const start = performance.now();
  for (const piece of ["'", "$(", "a,", "@'\n", "> ", "`", '"$x', "-a:b ", "{", "pwsh -c "]) {
    pathsOfToolUse({ tool: "PowerShell", input: { command: piece.repeat(200_000) }, cwd: CWD, home: HOME });
  }
  expect(performance.now() - start).toBeLessThan(3000);
});
