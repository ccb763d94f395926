import { testCommands } from "./command-table.ts";

// Where two shell readers disagreed: each row is what bash does.
testCommands([
  // Each command of a pipeline is a shell of its own.
  ["pushd a | cat b.ts; cat c.ts", ["list a", "read b.ts", "read c.ts"]],
  ["x=src | cat $x; { cd d; } | cat e.ts", ["list .", "list d", "read e.ts"]],
  ["ls | while read -r f; do cd $f; done; cat g.ts", ["list .", "read g.ts"]],
  // What runs in the background moves nobody.
  ["f() { cd a; } & cat b.ts", ["list a", "read b.ts"]],
  // Redirections are opened before a command runs, substitutions before that.
  ["cd a > b.log; cd $(cat c.txt) <<< $(cat d.txt)", ["list a", "write b.log", "read a/c.txt", "read a/d.txt"], "?"],
  ["cd a <<E\n$(cat b.txt)\nE", ["read b.txt", "list a"], "a"],
  // `>&` is a copy only where a number or a dash follows.
  ["a >& 'b c.log'; d >& src/*.log; e >&$fd; f >&2-", ["write b c.log", "write src"]],
  ["exec {fd}> a.log; cat b.ts >&$fd", ["write a.log", "read b.ts"]],
  // Reserved words are known behind what ends a command by itself.
  ["case a in b) { cat c; } esac; case d in e) [[ -f f ]] esac", ["read c", "list f"]],
  ["if (cat a) then cat b; fi; while [[ -e c ]] do cat d; done", ["read a", "read b", "list c", "read d"]],
  ["case <(cat a) in b) cat c;; esac", ["read a", "read c"]],
  ["x=$((cat a; cat b) | sort); ((y > 3)) || cat c", ["read a", "read b", "read c"]],
  ["x=$(case a in b) cat c;; esac)", ["read c"]],
  ["[[ -f <(cat a) && ( -d b || c -nt d ) ]]", ["read a", "list b", "list c", "list d"]],
  // What a variable holds is split where it is used, not where it is assigned.
  ["x='a b.ts'; y=$x; cat \"$y\"", ["read a b.ts"]],
  ["x=; cat a.ts $x", ["read a.ts"]],
  ["x[2]=a.ts; x+=(b.ts); cat \"${x[@]}\"", ["list .", "read a.ts", "read b.ts"]],
  // Quotes and variables are no hindrance in braces.
  ["cat {a,\"b c\",$HOME/d}.ts src/{e\\,f,g}", ["read a.ts", "read b c.ts", "read /home/u/d.ts", "read src/e,f", "read src/g"]],
  ["cat a/{b/{c,d} {e{f,g}", ["read a/{b/c", "read a/{b/d", "read {ef", "read {eg"]],
  ["touch src/f{1..99}.ts lib/{a,b}*.ts", ["write src", "write lib"]],
  // Only a name can stand between `~` and a slash.
  ["cat ~*/a ~$x \\~/b", ["read .", "read ~/b"]],
  ["cat $'a\\x62\\'c' a\\", ["read ab'c", "read a\\"]],
  ["bash -c 'cat a\\'", ["read a\\"]],
  // A line that can't be read comes after those before it.
  ["bash -c \"cat a.ts\ncat 'b\"; cat c.ts", ["read a.ts", "list .", "read c.ts"]],
  ["cat a.ts $(cat 'b)c.ts", [], "?"],
  ["cat a.ts \"$(cat (b))\"; cat c.ts", ["list .", "read a.ts", "read c.ts"]],
  ["cat <<E > a.md\n$(cat b.txt) ` and $(cat 'c\nE\ncat d.ts", ["read b.txt", "list .", "write a.md", "read d.ts"]],
]); // prettier-ignore
