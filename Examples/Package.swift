// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors where our scripts ask for it; leave these lines out of your own copy.
var strict: [SwiftSetting] = []
if Context.environment["ROOST_WARNINGS_AS_ERRORS"] != nil {
  strict.append(.treatAllWarnings(as: .error))
}

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "Contacts", targets: ["Contacts"]),
    .executable(name: "Flights", targets: ["Flights"]),
    .library(name: "FlightsData", targets: ["FlightsData"]),
    .executable(name: "ReleasesDemo", targets: ["ReleasesDemo"]),
  ],
  dependencies: [.package(name: "roost", path: "..")],
  targets: [
    .target(
      name: "ContactBook",
      dependencies: [
        .product(name: "Roost", package: "roost"), .product(name: "RoostUI", package: "roost"),
      ],
      path: "Contacts/ContactBook", swiftSettings: strict),
    .executableTarget(
      name: "Contacts", dependencies: ["ContactBook"], path: "Contacts/Contacts",
      swiftSettings: strict),
    .target(name: "FlightsData", path: "Flights/FlightsData", swiftSettings: strict),
    .target(
      name: "Recount", dependencies: ["FlightsData"], path: "Flights/Recount",
      swiftSettings: strict),
    .target(
      name: "FlightQuestions",
      dependencies: [
        .product(name: "Roost", package: "roost"),
        .product(name: "RoostInterchange", package: "roost"),
      ],
      path: "Flights/Questions", exclude: ["Tests", "compare-with-sqlite"],
      swiftSettings: strict),
    .executableTarget(
      name: "Flights",
      dependencies: [
        "FlightQuestions", "FlightsData", "Recount", .product(name: "Roost", package: "roost"),
        .product(name: "RoostInterchange", package: "roost"),
      ],
      path: "Flights/Flights", swiftSettings: strict),
    .target(
      name: "Releases", dependencies: [.product(name: "Roost", package: "roost")],
      path: "Releases/Releases", swiftSettings: strict),
    .executableTarget(
      name: "ReleasesDemo",
      dependencies: ["Releases", .product(name: "Roost", package: "roost")],
      path: "Releases/Demo", swiftSettings: strict),
    .target(
      name: "FeedData",
      dependencies: [
        .product(name: "Roost", package: "roost"),
        .product(name: "RoostInterchange", package: "roost"),
        .product(name: "RoostUI", package: "roost"),
      ],
      path: "Feed/FeedData", swiftSettings: strict),
    .testTarget(
      name: "FeedTests", dependencies: ["FeedData"], path: "Feed/Tests", swiftSettings: strict),
    .target(
      name: "TillData",
      dependencies: [
        .product(name: "Roost", package: "roost"),
        .product(name: "RoostInterchange", package: "roost"),
      ],
      path: "Till/TillData", swiftSettings: strict),
    .target(
      name: "FirstRelease", dependencies: [.product(name: "Roost", package: "roost")],
      path: "Till/FirstRelease", swiftSettings: strict),
    .testTarget(
      name: "TillTests", dependencies: ["FirstRelease", "TillData"], path: "Till/Tests",
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
