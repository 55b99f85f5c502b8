// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody else resolves Hummingbird.

/// Warnings are errors where our scripts ask for it; leave these lines out of your own copy.
var strict: [SwiftSetting] = []
if Context.environment["ROOST_WARNINGS_AS_ERRORS"] != nil {
  strict.append(.treatAllWarnings(as: .error))
}

let package = Package(
  name: "Server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "roost", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ],
  targets: [
    .target(
      name: "Bank",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Roost", package: "roost"),
      ],
      path: "Bank", swiftSettings: strict),
    .executableTarget(
      name: "serve",
      dependencies: ["Bank", .product(name: "Hummingbird", package: "hummingbird")],
      path: "Serve", swiftSettings: strict),
    .testTarget(
      name: "BankTests",
      dependencies: [
        "Bank", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      path: "Tests", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
