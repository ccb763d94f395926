/** What each shell must be told once; from then on it asks `codelia completions candidates` at every tab. */
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
