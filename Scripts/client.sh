# A small program that uses Roost, or a peer that comes as a Swift package, or none. Source Scripts/common.sh first.
#
# shellcheck shell=bash

# make_client FOLDER roost|grdb|none: makes its package in a new folder, and resolves what it needs.
#
# Roost is taken from a clone of this repository's last commit, as it would be from a server. The programs are in
# Benchmarks/Clients; all are linked alike and import Foundation.
make_client() {
  local folder=$1 name=$2 dependency='' product=''
  mkdir -p "$folder/app/Sources/app"
  case $name in
    roost)
      git clone --quiet --no-local --depth 1 "file://$root" "$folder/roost" 2>/dev/null ||
        git clone --quiet "$root" "$folder/roost"
      git -C "$folder/roost" tag --force 1000.0.0 >/dev/null
      dependency=".package(url: \"file://$folder/roost\", from: \"1000.0.0\")"
      product='.product(name: "Roost", package: "roost")'
      ;;
    grdb)
      dependency='.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")'
      product='.product(name: "GRDB", package: "GRDB.swift")'
      ;;
    none) ;;
    *) fail "There is no program that uses $name." ;;
  esac
  cp "$root/Benchmarks/Clients/$name.swift" "$folder/app/Sources/app/main.swift"
  cat >"$folder/app/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "app", platforms: [.macOS(.v15)],
  dependencies: [$dependency],
  targets: [.executableTarget(name: "app", dependencies: [$product])])
SWIFT
  swift package --package-path "$folder/app" resolve >&2
}

# build_client FOLDER: a release build; prints how many seconds it took.
build_client() {
  local began
  began=$(date +%s.%N)
  env -u ROOST_WARNINGS_AS_ERRORS swift build -c release --package-path "$1/app" --product app >&2
  echo "$(date +%s.%N) $began" | awk '{ printf "%.2f", $1 - $2 }'
}

# stripped_bytes FOLDER: the size of the program that was built, without its symbols.
stripped_bytes() {
  strip -o "$1/stripped" "$1/app/.build/release/app"
  wc -c <"$1/stripped" | tr -d ' '
}
