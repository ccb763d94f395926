#!/bin/sh
# Installs codelia @VERSION@ for this machine: downloads its archive, compares it with the published checksums, and puts
# the program into $CODELIA_BIN (default ~/.local/bin). Nothing is left or replaced unless all of that went well.
set -eu

main() {
  url=${CODELIA_URL:-@URL@}
  bin=${CODELIA_BIN:-$HOME/.local/bin}
  archive=codelia-@VERSION@-$(target).tar.gz
  [ -n "$url" ] || fail "CODELIA_URL must say where the release is: this copy of the script does not know"
  workshop=$(mktemp -d)
  trap 'rm -rf "$workshop"' EXIT
  download SHA256SUMS
  download "$archive"
  verify
  tar -xzf "$workshop/$archive" -C "$workshop" codelia
  mkdir -p "$bin"
  # In the same directory first, so that the program is replaced in one step.
  draft=$bin/.codelia.$$.tmp
  trap 'rm -rf "$workshop" "$draft"' EXIT
  cp "$workshop/codelia" "$draft"
  chmod 755 "$draft"
  mv -f "$draft" "$bin/codelia"
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
  if [ "$system" = linux ] && [ -n "$(find /lib -maxdepth 1 -name 'ld-musl-*' 2>/dev/null)" ]; then libc=-musl; fi
  echo "$system-$machine$libc"
}

download() {
  if command -v curl >/dev/null; then
    curl -fsSL -o "$workshop/$1" "$url/$1" || fail "can't download $url/$1"
  elif command -v wget >/dev/null; then
    wget -q -O "$workshop/$1" "$url/$1" || fail "can't download $url/$1"
  else
    fail "this needs curl or wget"
  fi
}

verify() {
  wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $archive\$/\1/p" "$workshop/SHA256SUMS")
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

# At the end, so that half a script does nothing.
main
