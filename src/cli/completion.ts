import type { FlagDefinition } from "./args.ts";

/** A word that can come next, and what it is for. */
export interface Candidate {
  readonly word: string;
  readonly summary?: string;
}

/** Verbs by name; a nested table is a group. */
export type VerbTable = { readonly [name: string]: string | { readonly summary: string; readonly verbs: VerbTable } };

/** The parts of a flag's or operand's definition that completion needs. */
export interface DescribedFlag extends FlagDefinition {
  readonly description?: string | undefined;
}

/** What can come next: these words, or names that have to be looked up. The shell completes files itself. */
export type Completion =
  | { readonly kind: "words"; readonly words: readonly Candidate[] }
  | { readonly kind: "skill" | "session" | "context" | "client" | "schema" | "file" };

const FILES: Completion = { kind: "file" };

const NAMED_BY_FLAG: Readonly<Record<string, Completion["kind"]>> = { session: "session", agent: "context" };

const NAMED_BY_OPERAND: Readonly<Record<string, Completion["kind"]>> = {
  client: "client",
  skill: "skill",
  schema: "schema",
};

/** The verb that the words begin with and what follows it; or, without one, the verbs that can come next. */
export function findVerb(
  verbs: VerbTable,
  words: readonly string[],
): { readonly verb: string; readonly rest: readonly string[] } | { readonly candidates: readonly Candidate[] } {
  const [first = "", ...rest] = words;
  if (rest.length === 0) return { candidates: candidatesOf(verbs) };
  const entry = Object.hasOwn(verbs, first) ? verbs[first] : undefined;
  if (entry === undefined) return { candidates: [] };
  if (typeof entry === "string") return { verb: first, rest };
  const inner = findVerb(entry.verbs, rest);
  return "verb" in inner ? { ...inner, verb: `${first} ${inner.verb}` } : inner;
}

/**
 * What can complete the last of a verb's words.
 *
 * @param words behind the verb, the last of them not finished and perhaps empty
 */
export function completeWords(args: Readonly<Record<string, DescribedFlag>>, words: readonly string[]): Completion {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  if (before.includes("--")) return FILES;
  const awaited = flagAwaitingValue(args, before.at(-1));
  if (awaited !== undefined) return valuesOf(awaited, args[awaited], NAMED_BY_FLAG);
  if (current.startsWith("-")) return { kind: "words", words: flagsOf(args) };
  const operands = Object.keys(args).filter((name) => args[name]?.type === "positional");
  const place = before.filter((word, index) => isOperand(args, word, before[index - 1])).length;
  const operand = operands[Math.min(place, operands.length - 1)];
  return operand === undefined ? { kind: "words", words: [] } : valuesOf(operand, args[operand], NAMED_BY_OPERAND);
}

/** Those that begin with the current word. */
export function fitting(candidates: readonly Candidate[], current: string): Candidate[] {
  return candidates.filter(({ word }) => word.startsWith(current));
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

function valuesOf(
  name: string,
  definition: DescribedFlag | undefined,
  live: Readonly<Record<string, Completion["kind"]>>,
): Completion {
  if (definition?.options !== undefined) {
    return { kind: "words", words: definition.options.map((word) => ({ word })) };
  }
  const kind = Object.hasOwn(live, name) ? live[name] : undefined;
  return kind === undefined || kind === "words" ? FILES : { kind };
}

function isOperand(args: Readonly<Record<string, DescribedFlag>>, word: string, before: string | undefined): boolean {
  return !word.startsWith("-") && flagAwaitingValue(args, before) === undefined;
}

function flagAwaitingValue(
  args: Readonly<Record<string, DescribedFlag>>,
  word: string | undefined,
): string | undefined {
  if (word === undefined || !word.startsWith("--")) return undefined;
  const name = word.slice(2);
  const type = Object.hasOwn(args, name) ? args[name]?.type : undefined;
  return type === "string" || type === "enum" ? name : undefined;
}

/** The script for each shell. Once loaded, it calls `codelia completions candidates` at every tab. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_codelia() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$(printf %q "$word")")
  done < <(codelia completions candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -o bashdefault -F _codelia codelia
`,
  zsh: `#compdef codelia
_codelia() {
  local line word
  local -a candidates
  while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    candidates+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
  done < <(codelia completions candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then _describe codelia candidates; else _files; fi
}
compdef _codelia codelia
`,
  fish: `function __codelia_candidates
    set -l typed (commandline -opc)
    set -l found (codelia completions candidates -- $typed[2..] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
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
