import { findFlag, type FlagDefinition } from "./args.ts";

/** A word that can come next, and what it is for. */
export interface Candidate {
  readonly word: string;
  readonly summary?: string;
}

/** Verbs by name; a nested table is a group. */
type VerbTable = { readonly [name: string]: string | { readonly summary: string; readonly verbs: VerbTable } };

/** The parts of a flag's or operand's definition that completion needs. */
interface DescribedFlag extends FlagDefinition {
  readonly description?: string | undefined;
}

/** What can come next: these words, or names that have to be looked up. The shell completes files itself. */
export type Completion = { readonly kind: "words"; readonly words: readonly Candidate[] } | { readonly kind: Kind };

type Kind = "skill" | "session" | "context" | "client" | "schema" | "rule" | "shell" | "definition" | "file";

const FILES: Completion = { kind: "file" };

const NAMED_BY_FLAG: Readonly<Record<string, Kind>> = { session: "session", agent: "context", as: "client" };

const NAMED_BY_OPERAND: Readonly<Record<string, Kind>> = {
  client: "client",
  skill: "skill",
  schema: "schema",
  rule: "rule",
  shell: "shell",
  definition: "definition",
};

/** A hint that lists the values: 'a|b' for one of them, 'a,b' for several separated by commas. */
const LISTED_VALUES = /^[a-z-]+(?:(?:(\|)[a-z-]+)+|(?:(,)[a-z-]+)+)$/;

/** The verb that the words begin with, and what follows it; without one, the verbs that can come next. */
export function findVerb(
  verbs: VerbTable,
  words: readonly string[],
): { readonly verb: string; readonly rest: readonly string[] } | { readonly candidates: readonly Candidate[] } {
  const [first = "", ...rest] = words;
  if (rest.length === 0) return { candidates: candidatesOf(verbs) };
  if (first === "help") return { candidates: candidatesAt(verbs, rest) };
  const entry = Object.hasOwn(verbs, first) ? verbs[first] : undefined;
  if (entry === undefined) return { candidates: [] };
  if (typeof entry === "string") return { verb: first, rest };
  const inner = findVerb(entry.verbs, rest);
  return "verb" in inner ? { ...inner, verb: `${first} ${inner.verb}` } : inner;
}

/**
 * What can complete the last of a verb's words, and how much of that word comes before what is completed: `--as=` or,
 * in a list, the values before the last comma.
 *
 * @param words after the verb; the last is unfinished and may be empty
 */
export function completeWords(
  args: Readonly<Record<string, DescribedFlag>>,
  words: readonly string[],
): { readonly completion: Completion; readonly kept: string } {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  if (before.includes("--")) return { completion: FILES, kept: "" };
  const [, flag, given] = /^(--[\w-]+=)(.*)$/.exec(current) ?? [];
  const awaited = flagAwaitingValue(args, flag === undefined ? before.at(-1) : flag.slice(0, -1));
  if (awaited !== undefined) return valuesOfFlag(awaited, args[awaited], flag ?? "", given ?? current);
  if (current.startsWith("-")) return { completion: { kind: "words", words: flagsOf(args) }, kept: "" };
  const operands = Object.keys(args).filter((name) => args[name]?.type === "positional");
  const place = before.filter((word, index) => isOperand(args, word, before[index - 1])).length;
  const operand = operands[Math.min(place, operands.length - 1)];
  if (operand === undefined) return { completion: { kind: "words", words: [] }, kept: "" };
  return { completion: valuesOf(operand, args[operand], NAMED_BY_OPERAND), kept: "" };
}

/** Those that begin with the current word. */
export function fitting(candidates: readonly Candidate[], current: string): Candidate[] {
  return candidates.filter(({ word }) => word.startsWith(current));
}

/** The names of verbs, without what a verb takes. */
function candidatesAt(verbs: VerbTable, words: readonly string[]): readonly Candidate[] {
  const found = findVerb(verbs, words);
  return "candidates" in found ? found.candidates : [];
}

function candidatesOf(verbs: VerbTable): Candidate[] {
  return Object.entries(verbs).map(([word, entry]) => ({
    word,
    summary: typeof entry === "string" ? entry : entry.summary,
  }));
}

function flagsOf(args: Readonly<Record<string, DescribedFlag>>): Candidate[] {
  return Object.entries(args).flatMap(([name, { type, description }]) =>
    type === "positional"
      ? []
      : [{ word: `--${name}`, ...(description === undefined ? {} : { summary: description }) }],
  );
}

function valuesOfFlag(
  name: string,
  definition: DescribedFlag | undefined,
  flag: string,
  given: string,
): { readonly completion: Completion; readonly kept: string } {
  const [hint = "", bar, comma] = LISTED_VALUES.exec(definition?.valueHint ?? "") ?? [];
  const separator = bar ?? comma;
  if (separator === undefined) return { completion: valuesOf(name, definition, NAMED_BY_FLAG), kept: flag };
  const chosen = separator === "," ? given.split(",").slice(0, -1) : [];
  const words = hint.split(separator).filter((word) => !chosen.includes(word));
  const kept = flag + chosen.map((word) => `${word},`).join("");
  return { completion: { kind: "words", words: words.map((word) => ({ word })) }, kept };
}

function valuesOf(
  name: string,
  definition: DescribedFlag | undefined,
  live: Readonly<Record<string, Kind>>,
): Completion {
  if (definition?.options !== undefined) {
    return { kind: "words", words: definition.options.map((word) => ({ word })) };
  }
  const kind = Object.hasOwn(live, name) ? live[name] : undefined;
  return kind === undefined ? FILES : { kind };
}

function isOperand(args: Readonly<Record<string, DescribedFlag>>, word: string, before: string | undefined): boolean {
  return !word.startsWith("-") && flagAwaitingValue(args, before) === undefined;
}

function flagAwaitingValue(
  args: Readonly<Record<string, DescribedFlag>>,
  word: string | undefined,
): string | undefined {
  if (word === undefined || !word.startsWith("-")) return undefined;
  const name = findFlag(word, args);
  const type = name === undefined ? undefined : args[name]?.type;
  return type === "string" || type === "enum" ? name : undefined;
}

/** The script for each shell. Once loaded, it calls `codelia completions candidates` at every tab. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = {
  // bash splits words at '=' and replaces only what comes after it.
  bash: `_codelia() {
  local word last=0
  local -a words=('')
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $last -gt 0 && ( $word == = || \${words[last]} == --*= ) ]]; then
      words[last]+=$word
    else
      words[++last]=$word
    fi
  done
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    if [[ \${words[last]} == --*=* ]]; then word=\${word#*=}; fi
    if [[ $word == *[^[:alnum:]._/,@-]* ]]; then word=$(printf %q "$word"); fi
    COMPREPLY+=("$word")
  done < <(codelia completions candidates -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -o bashdefault -F _codelia codelia
`,
  // Sourced, or found as '_codelia' in a directory of fpath.
  zsh: `#compdef codelia
_codelia() {
  local line word
  local -a candidates
  while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    candidates+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
  done < <(codelia completions candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe codelia candidates
  elif [[ \${words[CURRENT]} == --*=* ]]; then
    compset -P '*='
    _files
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _codelia ]]; then
  _codelia "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit }
  compdef _codelia codelia
fi
`,
  fish: `function __codelia_candidates
    set -l typed (commandline -opc)
    set -l found (codelia completions candidates -- $typed[2..] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        set -l parts (string match -r '^(--[^=]*=)?(.*)' -- (commandline -ct))
        __fish_complete_path $parts[3] | string replace -r '^' -- $parts[2]
    end
end
complete -c codelia -f -a '(__codelia_candidates)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName codelia -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
    if ($wordToComplete -eq '') { $words += '' }
    codelia completions candidates -- @words 2>$null | ForEach-Object {
        $word, $summary = $_ -split "\`t", 2
        $shown = if ($summary) { $summary } else { $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $shown)
    }
}
`,
};
