// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target: strict, but never warnings as errors in a client's build (`Scripts/lint` does that).
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "roost",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Roost", targets: ["Roost"]),
    .library(name: "RoostEngine", targets: ["RoostEngine"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
    .target(
      name: "RoostEngine",
      dependencies: [
        .target(
          name: "CLZ4", condition: .when(platforms: [.linux, .android, .windows, .openbsd]))
      ],
      swiftSettings: strict),
    .target(name: "Roost", dependencies: ["RoostEngine"], swiftSettings: strict),
    .target(
      name: "RoostTestSupport", dependencies: ["RoostEngine"], path: "Tests/RoostTestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "RoostEngineTests", dependencies: ["RoostEngine", "RoostTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "RoostTests", dependencies: ["Roost", "RoostEngine", "RoostTestSupport"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
