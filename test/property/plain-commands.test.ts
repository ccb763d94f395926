import { expect, test } from "bun:test";
import fc from "fast-check";
import { plainCommands } from "../../src/touched/plain-command.ts";
import { readShell } from "../../src/touched/with-grammar.ts";
import { initialState, type ResolvedCommand } from "../../src/touched/shell/state.ts";
import { nothingFound } from "../../src/touched/paths.ts";

const WORDS = (
  'cd|src/a.ts|sed|-n|\'1,200p\'|"a b"|if|done|case|time|x=1|a\'b\'|x=\'b c\'|"$x"|"a\\"b\\n"|"\\$x"|--k=v|2|*.ts|src/*/?.ts|' +
  "HEAD~1|a#b|!|~/a|{}|{a,b}|\\;|\\ |\\\n|a+=b|$x|'it'\\''s'|[|]|''"
).split("|");
const SIGNS = (
  " ,  ,\t,&&,||,|,;,&,|&,#,# c\n,!,{,},[,*,~,>,>>,>|,<,<>,2>&1,>&2,>&-,2>/dev/null,&>,> a,< 'b c',<<<,(,),\n,\r\n,\0," +
  "<<'E'\nb $x\nE\n,<<-\"E F\"\n\tb\n\tE F\n,<<E\nb\nE\n,<<'E',\nE\n"
).split(",");

const usual = fc.array(fc.constantFrom(...WORDS, ...SIGNS), { maxLength: 12 });
const anyText = fc.string({ unit: "binary-ascii", maxLength: 20 });

/** By the grammar alone; undefined for what it can't read. */
function byGrammar(line: string): readonly ResolvedCommand[] | undefined {
  const commands: ResolvedCommand[] = [];
  const state = initialState({ cwd: "/r", home: "/home/u" }, nothingFound(readShell));
  const isRead = readShell(state, line, (_, command) => {
    // `2>&1` alone does nothing.
    if (command.args.length + command.files.length > 0) commands.push(command);
  });
  return isRead ? commands : undefined;
}

for (const [name, lines] of [
  [
    "words and signs",
    fc.oneof(
      usual.map((parts) => parts.join("")),
      usual.map((parts) => parts.join(" ")),
    ),
  ],
  ["any text", anyText],
] as const) {
  test(`plainCommands() reads what the grammar reads, or leaves it to the grammar (${name})`, () => {
    fc.assert(
      fc.property(lines, (line) => {
        const quick = plainCommands(line);
        if (quick !== undefined) expect(quick).toEqual(byGrammar(line) ?? []);
      }),
      { numRuns: 5_000 },
    );
  });
}

test.each([
  "",
  "# nothing\n",
  "cd a && sed -n '1,9p' b.ts | head -5",
  "ls; cat a || true;",
  'grep -rn "two words" src --include="*.ts" 2>/dev/null | sort',
  "npx tsc --noEmit 2>&1 | tail -5",
  "git diff HEAD~1 -- src/*.ts > a.diff && wc -l < a.diff",
  "find . -name '*.ts' -not -path './dist/*' -exec grep -l foo {} \\;",
  "cat > src/a.ts <<'EOF'\nconst a = `${b}`; // it's\nEOF\nnpm test",
  'cat <<-"END" | tee a b\n\tx\n\tEND',
  'node -e "console.log(\\"a\\")" &&\n  echo done # at last\n\nls \\\n  -la',
])("plainCommands() reads the usual line by itself: %j", (line) => {
  const quick = plainCommands(line);
  expect(quick).toBeDefined();
  expect(quick ?? []).toEqual(byGrammar(line) ?? []);
});

test.each(["a &", "a $b", "a `b`", "a (b)", "a {b,c}", "a [b]", "~/a", "x=1 a", "a <<E\nb\nE", "a <<'E'\nb", "a &&", "; a", "a\r\n"])(
  "plainCommands() leaves to the grammar what has to be looked into: %j",
  (line) => expect(plainCommands(line)).toBeUndefined(),
); // prettier-ignore
