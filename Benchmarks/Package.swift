// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors where our scripts ask for it.
var strict: [SwiftSetting] = []
if Context.environment["ROOST_WARNINGS_AS_ERRORS"] != nil {
  strict.append(.treatAllWarnings(as: .error))
}

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "bench", targets: ["bench"])],
  traits: [
    .trait(name: "GRDB", description: "GRDB.swift as a peer: it takes a minute to build."),
    .default(enabledTraits: []),
  ],
  dependencies: [
    .package(name: "roost", path: ".."),
    .package(name: "Examples", path: "../Examples"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .target(name: "AllocationCounter"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "AllocationCounter",
        "CLMDB",
        "CSQLite",
        .product(name: "FlightsData", package: "Examples"),
        .product(name: "Roost", package: "roost"),
        .product(name: "RoostInterchange", package: "roost"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
