import { testCommands } from "./command-table.ts";

const ENVELOPE = `*** Begin Patch
*** Update File: src/a.ts
@@
-*** Delete File: no.ts
+x
*** Add File: docs/new.md
+# New
*** Delete File: old.txt
*** Update File: lib/b.ts
*** Move to: lib/c.ts
*** End Patch`;
const PATCHED = ["write src/a.ts", "write docs/new.md", "write old.txt", "write lib/b.ts", "write lib/c.ts"];

const DIFF = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@
--- a/no.ts
+++ b/no.ts
 x
`;

testCommands([
  ["echo hi > notes.txt", ["write notes.txt"]],
  ["echo hi >> notes/log.txt 2>/dev/null", ["write notes/log.txt"]],
  ["npm test > out.log 2>&1", ["write out.log"]],
  ["make &> build.log; make 2>err.log", ["write build.log", "write err.log"]],
  ["cmd >| out.txt <in.txt", ["write out.txt", "read in.txt"]],
  ["echo x >&2", []],
  ["{ echo a; echo b; } > both.txt", ["write both.txt"]],
  ["(cd sub && make) > ../up.log", ["list sub", "write /up.log"]],
  ["> empty.txt", ["write empty.txt"]],
  ["cat a.md b.md > c.md", ["read a.md", "read b.md", "write c.md"]],
  ["cat <<'EOF' > docs/new.md\n# Title `x` $(rm no)\nEOF", ["write docs/new.md"]],
  ['cat > src/a.ts <<EOF\nconst x = "${y}";\nEOF\ncat src/b.ts', ["write src/a.ts", "read src/b.ts"]],
  ["cat <<-EOF >x.txt\n\tbody > no.txt\n\tEOF\nls docs", ["write x.txt", "list docs"]],
  ["cat <<A <<'B' > two.txt\na $(cat inner.txt)\nA\nb $(cat no.txt)\nB", ["read inner.txt", "write two.txt"]],
  ["cat <<EOF > x.md\nan odd ` backtick\nEOF", ["write x.md"]],
  ["cat <<EOF > never-ended.md\nbody > no.txt", ["write never-ended.md"]],
  ["printf '%s\\n' a/b.ts | tee -a out/list.txt", ["write out/list.txt"]],
  ["echo x | sudo tee /etc/app.conf >/dev/null", ["write /etc/app.conf"]],
  ["touch src/new.ts docs/new.md", ["write src/new.ts", "write docs/new.md"]],
  ["mkdir -p packages/{a,b}/src && rmdir old", ["write packages/a/src", "write packages/b/src", "write old"]],
  ["rm -rf dist node_modules/.cache", ["write dist", "write node_modules/.cache"]],
  ["rm -f src/*.js", ["write src"]],
  ["rm $TMP", ["list ."]],
  ["cp src/a.ts src/b.ts", ["read src/a.ts", "write src/b.ts"]],
  ["cp -r templates/x packages/", ["read templates/x", "write packages"]],
  ["cp -t dest a.txt b.txt", ["write dest", "read a.txt", "read b.txt"]],
  ["mv src/a.ts src/b.ts", ["write src/a.ts", "write src/b.ts"]],
  ["ln -sf ../AGENTS.md docs/CLAUDE.md", ["read /AGENTS.md", "write docs/CLAUDE.md"]],
  ["chmod +x scripts/run.sh && chmod -x a.sh", ["write scripts/run.sh", "write a.sh"]],
  ["chmod -R 755 bin", ["write bin"]],
  ["chown -R u:g data", ["write data"]],
  ["sed -i 's/a/b/' src/x.ts", ["write src/x.ts"]],
  ["sed -i.bak -e 's/a/b/' src/x.ts", ["write src/x.ts"]],
  ["sed -i '' 's#a/b#c/d#g' src/x.ts", ["write src/x.ts"]],
  ["sed -i 's/a/b/' $(grep -rl a src)", ["read src", "list ."]],
  ["perl -pi -e 's/a/b/' src/x.ts src/y.ts", ["write src/x.ts", "write src/y.ts"]],
  ["perl -ne 'print if /x/' logs/a.log", ["read logs/a.log"]],
  ["find src -name '*.orig' -delete", ["write src"]],
  ["find src lib -name '*.ts' -exec sed -i 's/a/b/g' {} \\;", ["write src", "write lib"]],
  ["grep -rl old src | xargs sed -i 's/old/new/g'", ["read src"]],
  ["truncate -s 0 logs/app.log", ["write logs/app.log"]],
  ["dd if=in.img of=out.img bs=1M", ["read in.img", "write out.img"]],
  [
    "tar -czf out.tgz -C packages/a dist README.md",
    ["write out.tgz", "list packages/a", "read packages/a/dist", "read packages/a/README.md"],
  ],
  ["tar xzf in.tgz -C vendor", ["read in.tgz", "write vendor"]],
  ["zip -r out.zip dist docs/a.md", ["write out.zip", "read dist", "read docs/a.md"]],
  ["unzip -o in.zip -d vendor/x", ["read in.zip", "write vendor/x"]],
  ["curl -sSL https://example.com/a/b.json -o data/b.json", ["write data/b.json"]],
  ["wget -O data/x.bin https://example.com/x.bin", ["write data/x.bin"]],
  ["rsync -a --exclude node_modules src/ backup/src/", ["read src", "write backup/src"]],
  ["git mv src/a.ts src/b.ts", ["write src/a.ts", "write src/b.ts"]],
  ["git rm -r --cached dist", ["write dist"]],
  ["git restore --staged src/a.ts", ["write src/a.ts"]],
  ["git checkout -- src/a.ts", ["write src/a.ts"]],
  ["git checkout main -- src/a.ts docs", ["write src/a.ts", "write docs"]],
  ["git checkout .", ["write ."]],
  ["git checkout -b feature/x && git checkout main", []],
  ["git stash push -m 'wip: a/b' -- src/a.ts", ["write src/a.ts"]],
  ["git reset --hard HEAD~1", []],
  ["git clone https://example.com/u/r.git vendor/r", ["write vendor/r"]],
  ["git worktree add ../wt -b topic", ["write /wt"]],
  ["git apply fix.patch", ["read fix.patch"]],
  [`git apply <<'EOF'\n${DIFF}EOF`, ["write src/a.ts"]],
  [`patch -p1 <<'EOF'\n${DIFF}EOF`, ["write src/a.ts"]],
  ["patch -d packages/a -p1 < fix.patch", ["list packages/a", "read fix.patch"]],
  ["patch src/a.ts fix.patch", ["write src/a.ts", "read fix.patch"]],
  [`cat <<'EOF' | patch -d sub -p1\n${DIFF}EOF`, ["write src/a.ts", "list sub"]],
  [`apply_patch <<'PATCH'\n${ENVELOPE}\nPATCH`, PATCHED],
  [`apply_patch << "EOF"\n${ENVELOPE}\nEOF\n`, PATCHED],
  [`apply_patch '${ENVELOPE}'`, PATCHED],
  [
    `cd pkg && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch\nEOF`,
    ["list pkg", "write pkg/a.ts"],
    "pkg",
  ],
  [`cat <<'EOF' | apply_patch\n${ENVELOPE}\nEOF`, PATCHED],
  [`printf '*** Begin Patch\\n*** Delete File: x.ts\\n*** End Patch\\n' | apply_patch`, ["write x.ts"]],
  [`cat > fix.patch <<'EOF'\n${ENVELOPE}\nEOF`, ["write fix.patch"]],
  [`bash -lc 'apply_patch <<"EOF"\n${ENVELOPE}\nEOF'`, PATCHED],
  ["prettier --write src docs/a.md", ["write src", "write docs/a.md"]],
  ["npx eslint --fix src/a.ts", ["write src/a.ts"]],
  ["gofmt -w cmd/x/main.go", ["write cmd/x/main.go"]],
  ["black src tests", ["write src", "write tests"]],
  ["vim +10 src/a.ts", ["write src/a.ts"]],
  ["code -g src/a.ts:10:2", ["write src/a.ts"]],
]);
