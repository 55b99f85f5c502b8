// swift-tools-version: 6.2
import PackageDescription

// The same data layers as in Till and Feed, with GRDB. A package of its own, so that nobody else resolves GRDB.

/// Warnings are errors where our scripts ask for it; leave these lines out of your own copy.
var strict: [SwiftSetting] = []
if Context.environment["ROOST_WARNINGS_AS_ERRORS"] != nil {
  strict.append(.treatAllWarnings(as: .error))
}

/// GRDB.
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

let package = Package(
  name: "ExamplesGRDB",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")],
  targets: [
    .target(name: "TillData", dependencies: [grdb], path: "TillData", swiftSettings: strict),
    .target(
      name: "FirstRelease", dependencies: [grdb], path: "FirstRelease", swiftSettings: strict),
    .target(name: "FeedData", dependencies: [grdb], path: "FeedData", swiftSettings: strict),
    // The tests are those of Till and Feed.
    .testTarget(
      name: "TillTests", dependencies: ["FirstRelease", "TillData"], path: "TillTests",
      swiftSettings: strict),
    .testTarget(
      name: "FeedTests", dependencies: ["FeedData"], path: "FeedTests", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
