#!/bin/sh
# Installs codelia @VERSION@ for this machine: downloads its archive, verifies the signature of the published checksums
# with the key below, compares the archive with its checksum, and puts the program into $CODELIA_BIN (default
# ~/.local/bin). Nothing is left or replaced unless all of that went well.
set -eu

# What the checksums are signed with; empty in a release that is not signed.
key='@KEY@'

main() {
  url=${CODELIA_URL:-@URL@}
  bin=${CODELIA_BIN:-$HOME/.local/bin}
  target=$(target)
  archive=codelia-@VERSION@-$target.tar.gz
  [ -n "$url" ] || fail "CODELIA_URL must say where the release is: this copy of the script does not know"
  workshop=$(mktemp -d)
  trap 'rm -rf "$workshop"' EXIT
  download SHA256SUMS
  verify_checksums
  smaller=${archive%.gz}.xz
  if command -v xz >/dev/null && [ -n "$(checksum_of "$smaller")" ]; then archive=$smaller; fi
  download "$archive"
  verify_archive
  case "$archive" in
    *.xz) xz -dc "$workshop/$archive" | tar -xf - -C "$workshop" ;;
    *) tar -xzf "$workshop/$archive" -C "$workshop" ;;
  esac
  mkdir -p "$bin"
  # In the same directory first, so that the program is replaced in one step.
  draft=$bin/.codelia.$$.tmp
  trap 'rm -rf "$workshop" "$draft"' EXIT
  cp "$workshop/codelia" "$draft"
  chmod 755 "$draft"
  start_once
  mv -f "$draft" "$bin/codelia"
  # Where man looks for the pages of a program in such a directory.
  if [ "${bin##*/}" = bin ] && [ -d "$workshop/man" ]; then
    manual=${bin%/*}/share/man/man1
    { mkdir -p "$manual" && cp "$workshop"/man/*.1 "$manual"; } || echo "note: the manual is not installed" >&2
  fi
  echo "installed codelia @VERSION@ in $bin"
  case ":$PATH:" in
    *":$bin:"*) ;;
    *) echo "note: $bin is not on your PATH" >&2 ;;
  esac
}

target() {
  case "$(uname -s)" in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "there is no archive for $(uname -s); see the other ways to install" ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "there is no archive for $(uname -m); see the other ways to install" ;;
  esac
  libc=
  if [ "$system" = linux ] && is_musl; then libc=-musl; fi
  echo "$system-$machine$libc"
}

# The libc of the system's own programs: a system may have the loader of the other one, too.
is_musl() {
  if getconf GNU_LIBC_VERSION >/dev/null 2>&1; then return 1; fi
  case "$(ldd --version 2>&1)" in
    *musl*) return 0 ;;
    *GLIBC* | *GNU*) return 1 ;;
  esac
  [ -n "$(find /lib/ -maxdepth 1 -name 'ld-musl-*' 2>/dev/null)" ]
}

# Only a program that starts here is installed.
start_once() {
  answer=$("$draft" --version 2>&1) && return
  answer=$(echo "$answer" | sed -n 1p)
  case "$target" in
    *-musl) fail "the program does not start here ($answer): it needs libstdc++; 'apk add libstdc++' installs it" ;;
    linux-*) fail "the program does not start here ($answer): it needs glibc 2.17 and, on x64, SSE4.2" ;;
    *) fail "the program does not start here ($answer)" ;;
  esac
}

download() {
  fetch "$1" || fail "can't download $url/$1"
}

# Only https, also after redirections, except from this machine itself.
fetch() {
  case "$url" in
    https://*) protocol='=https' ;;
    *@*) fail "'$url' is no https address" ;;
    http://127.0.0.1:* | http://localhost:*) protocol='=http' ;;
    *) fail "'$url' is no https address" ;;
  esac
  if command -v curl >/dev/null; then
    curl --proto "$protocol" --tlsv1.2 --connect-timeout 30 --speed-limit 1 --speed-time 60 -fsSL -o "$workshop/$1" "$url/$1"
  elif command -v wget >/dev/null; then
    # It may be redirected: the signature says whether the file is ours.
    wget -q -O "$workshop/$1" "$url/$1"
  else
    fail "this needs curl or wget"
  fi
}

# The checksums come from the same place as the archive: anyone who can change one can change the other, but lacks our key.
verify_checksums() {
  if [ -z "$key" ]; then
    echo "note: this release is not signed; its checksums are only as good as $url" >&2
  elif [ "${CODELIA_UNVERIFIED:-}" = 1 ]; then
    echo "note: the signature is not verified, as CODELIA_UNVERIFIED says" >&2
  else
    command -v openssl >/dev/null || fail "this needs openssl to verify the signature; CODELIA_UNVERIFIED=1 goes without"
    download SHA256SUMS.sig
    echo "$key" >"$workshop/codelia.pub"
    openssl base64 -d -A -in "$workshop/SHA256SUMS.sig" -out "$workshop/signature" || fail "SHA256SUMS.sig is no signature"
    openssl dgst -sha256 -verify "$workshop/codelia.pub" -signature "$workshop/signature" "$workshop/SHA256SUMS" \
      >/dev/null 2>&1 || fail "SHA256SUMS is not what was published: its signature is not ours"
  fi
}

checksum_of() {
  sed -n "s/^\([0-9a-f]\{64\}\)  $1\$/\1/p" "$workshop/SHA256SUMS"
}

verify_archive() {
  wanted=$(checksum_of "$archive")
  [ -n "$wanted" ] || fail "SHA256SUMS has no line for $archive"
  if command -v sha256sum >/dev/null; then
    actual=$(sha256sum "$workshop/$archive" | cut -d ' ' -f 1)
  elif command -v shasum >/dev/null; then
    actual=$(shasum -a 256 "$workshop/$archive" | cut -d ' ' -f 1)
  else
    fail "this needs sha256sum or shasum"
  fi
  [ "$actual" = "$wanted" ] || fail "$archive is not what was published: its checksum is $actual, not $wanted"
}

fail() {
  echo "codelia: $1" >&2
  exit 1
}

# At the end, so that a script that was cut off does nothing.
main
