import { byName } from "../../lib/table.ts";
import type { Rule } from "./rules.ts";

/** Programs that read, write and list files. Those with a grammar of their own have a file of their own. */
export const FILE_PROGRAMS: ReadonlyMap<string, Rule> = byName<Rule>([
  // Reading
  ["cat, tac, rev, nl, less, more, view, open, xdg-open", { operands: "read" }],
  ["file, cmp, comm, paste, join, uniq, realpath, readlink, source, ., nm, ldd", { operands: "read" }],
  ["head, tail", { operands: "read", values: "n c lines bytes s pid" }],
  ["diff, colordiff", { operands: "read", values: "U C I x X exclude label W ignore-matching-lines" }],
  [
    "cut, column, fold, expand, fmt",
    { operands: "read", values: "d f c b t w delimiter fields output-delimiter width" },
  ],
  ["sort", { operands: "read", values: "k t S T key field-separator", writes: "o output" }],
  ["strings, od, xxd, hexdump", { operands: "read", values: "a n l s c g A t j N w C e" }],
  [
    "bat, batcat",
    { operands: "read", values: "l r H language line-range theme style highlight-line paging color decorations" },
  ],
  ["jq, gojq", { operands: "read", leading: 1, unless: "f from-file", values: "indent L", reads: "f from-file" }],
  ["yq", { operands: "read", leading: 1, unless: "from-file", values: "o p I output-format", inPlace: "i inplace" }],
  [
    "awk, gawk, mawk",
    { operands: "read", leading: 1, unless: "f file", values: "F v assign field-separator", reads: "f file" },
  ],
  [
    "sed, gsed",
    {
      operands: "read",
      leading: 1,
      unless: "e f expression file",
      values: "e l expression line-length",
      reads: "f file",
      inPlace: "i in-place",
    },
  ],
  [
    "grep, egrep, fgrep, zgrep",
    {
      operands: "read",
      leading: 1,
      unless: "e f regexp file",
      values:
        "e A B C m d D regexp after-context before-context context max-count include exclude exclude-dir label binary-files",
      reads: "f file exclude-from",
      here: "r R recursive",
    },
  ],
  [
    "rg, ripgrep",
    {
      operands: "read",
      leading: 1,
      unless: "e f regexp file files type-list",
      values:
        "e g t T A B C m M j E d r regexp glob iglob type type-not after-context before-context context max-count max-columns threads encoding max-depth replace sort sortr color colors max-filesize engine type-add",
      reads: "f file ignore-file",
      here: true,
    },
  ],
  ["ag, ack", { operands: "read", leading: 1, values: "A B C G g m p ignore ignore-dir depth type", here: true }],
  // Listing: names, sizes and checksums, but no text.
  [
    "wc, md5sum, md5, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, b2sum, cksum",
    { operands: "list", reads: "files0-from" },
  ],
  ["shasum", { operands: "list", values: "a algorithm" }],
  ["stat", { operands: "list", values: "c f format printf" }],
  ["ls, dir, vdir", { operands: "list", values: "I w ignore hide sort time block-size", here: true }],
  ["exa, eza, lsd", { operands: "list", values: "I L s ignore-glob level sort", here: true }],
  ["tree", { operands: "list", values: "L I P o filelimit charset gitfile", here: true }],
  ["du", { operands: "list", values: "d B t X max-depth exclude threshold block-size", here: true }],
  [
    "fd, fdfind",
    {
      operands: "list",
      leading: 1,
      values:
        "e t d E x X c j S o extension type max-depth min-depth exact-depth exclude exec exec-batch color threads size changed-within changed-before owner max-results",
      lists: "base-directory search-path",
      here: true,
    },
  ],
  // Writing
  ["rm, rmdir, unlink, trash, shred, tee, sponge", { operands: "write" }],
  ["vim, vi, nvim, nano, emacs", { operands: "write" }],
  ["gzip, gunzip, xz, unxz, bzip2, zstd, dos2unix, unix2dos", { operands: "write" }],
  ["touch", { operands: "write", values: "d t date time", reads: "r reference" }],
  ["mkdir, mkfifo", { operands: "write", values: "m mode" }],
  ["truncate, split", { operands: "write", values: "s r l b n a size lines bytes" }],
  ["chmod, chown, chgrp", { operands: "write", leading: 1, unless: "reference r w x X", reads: "reference" }],
  [
    "code, cursor, subl",
    { operands: "write", values: "profile install-extension extensions-dir user-data-dir", endsAt: ":" },
  ],
  ["mv", { operands: "write", values: "S suffix", writes: "t target-directory" }],
  ["cp, ln", { operands: "read", last: "write", values: "S suffix", writes: "t target-directory" }],
  [
    "install",
    {
      operands: "read",
      last: "write",
      values: "m o g S mode owner group suffix",
      writes: "t target-directory",
      inPlace: "d directory",
    },
  ],
  ["rsync, scp", { operands: "likely", last: "write", values: "e f i P F o exclude include filter rsh port" }],
]);
