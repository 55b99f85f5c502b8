# What the scripts share. Source it first: it goes to the top of the repository's tree, `$root`.
#
# shellcheck shell=bash
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

if [ "${CI:-}" = true ]; then
  # Warnings of our own targets are errors in CI and in Scripts/lint, never in a client's build: the manifests read this.
  export ROOST_WARNINGS_AS_ERRORS=1
fi
# Only Scripts/test builds a part of the tests where a shell asks for it, and not in CI.
if [ "${CI:-}" = true ] || [ "$(basename "$0")" != test ]; then unset ROOST_TEST_TARGETS; fi

# The folders that hold our own Swift.
swift_sources=(Package.swift Sources Tests Examples/Package.swift Examples/Contacts Examples/Feed Examples/Flights Examples/GRDB/Package.swift Examples/GRDB/FeedData Examples/GRDB/FirstRelease Examples/GRDB/TillData Examples/Releases Examples/Repository Examples/Server/Package.swift Examples/Server/Bank Examples/Server/Serve Examples/Server/Tests Examples/Till Benchmarks/Package.swift Benchmarks/PowerCut Benchmarks/Sources)

say() { printf '==> %s\n' "$*" >&2; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# step COMMAND...: runs it, and says how long it took.
step() {
  local began=$SECONDS
  "$@"
  say "$*: $((SECONDS - began)) s"
}

has() { command -v "$1" >/dev/null 2>&1; }

# Swift 6.2 or later, or one line that says what is missing.
need_swift() {
  local version
  has swift || fail "Swift is not installed. Roost needs Swift 6.2 or later: https://www.swift.org/install"
  version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1 \2/p' | head -n 1)
  read -r major minor <<<"${version:-0 0}"
  [ "$major" -gt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -ge 2 ]; } ||
    fail "Swift $major.$minor is too old. Roost needs Swift 6.2 or later: https://www.swift.org/install"
}

# have_library PKG HEADER: the C library is here, headers included.
have_library() {
  if has pkg-config && pkg-config --exists "$1"; then return 0; fi
  local compiler
  for compiler in clang cc gcc; do
    if has "$compiler"; then
      printf '#include <%s>\n' "$2" | "$compiler" -E -x c - >/dev/null 2>&1 && return 0
    fi
  done
  return 1
}

# need_library NAME PKG HEADER APT DNF BREW: finds the C library, or installs it as root or with a sudo that asks for
# no password, or else prints the one command to type and ends.
need_library() {
  local name=$1 pkg=$2 header=$3 apt=$4 dnf=$5 brew=$6
  if have_library "$pkg" "$header"; then return 0; fi

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if has sudo && sudo -n true >/dev/null 2>&1; then as_root=(sudo -n); else as_root=(none); fi
  fi
  if [ "${as_root[0]:-}" != none ]; then
    if has apt-get; then
      say "Installing $name ($apt)"
      install_with_apt "$apt" || fail "$name could not be installed. Try: sudo apt-get update && sudo apt-get install $apt"
    elif has dnf; then
      say "Installing $name ($dnf)"
      "${as_root[@]}" dnf install -y -q "$dnf" >&2 || fail "$name could not be installed. Try: sudo dnf install $dnf"
    fi
    if have_library "$pkg" "$header"; then return 0; fi
  fi

  if has apt-get; then
    fail "$name is not installed. Type: sudo apt-get install $apt"
  elif has dnf; then
    fail "$name is not installed. Type: sudo dnf install $dnf"
  elif has brew; then
    fail "$name is not installed. Type: brew install $brew"
  fi
  fail "$name is not installed. Install it with its header, $header."
}

# Installs at once where the package list is good, and after an update where it is missing or stale.
install_with_apt() {
  local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1")
  if "${install[@]}" >/dev/null 2>&1; then return 0; fi
  "${as_root[@]}" apt-get update -qq >&2 && "${install[@]}" >&2
}

# build PACKAGE ARGUMENT...: a build of the package in that folder, its progress on standard error. $configuration is
# release unless set.
build() {
  local package=$1
  shift
  # A package that uses Roost by its path would not notice a new file of Roost's by itself (SwiftPM 6.3).
  if [ "$package" != . ]; then rm -f "$package"/.build/{release,debug}.yaml; fi
  swift build -c "${configuration:-release}" --package-path "$package" "$@" >&2
}

# sha256 FILE: the digest, in hexadecimal.
sha256() {
  if has sha256sum; then sha256sum "$1" | cut -d ' ' -f 1; else shasum -a 256 "$1" | cut -d ' ' -f 1; fi
}
