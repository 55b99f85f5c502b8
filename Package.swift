// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

/// The settings of every target: strict, but warnings are errors only where our scripts ask for it, never for a client.
var strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  // For the lifetimes of cells, which programs must not keep.
  .enableExperimentalFeature("Lifetimes"),
]
if Context.environment["ROOST_WARNINGS_AS_ERRORS"] != nil {
  strict.append(.treatAllWarnings(as: .error))
}
// For Scripts/asan: each run of the page cache's memory is allocated by itself, so that the sanitizer sees its ends; and
// the engine's assertions stay in an optimised build.
var engine = strict
if Context.environment["ROOST_SEPARATE_FRAMES"] != nil {
  strict.append(.define("ROOST_SEPARATE_FRAMES"))
  engine = strict + [.unsafeFlags(["-assert-config", "Debug"])]
}

/// A product of swift-syntax, which only the macro needs.
func syntax(_ name: String) -> Target.Dependency {
  .product(name: name, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}

/// A product of swift-crypto, which only encrypted Realm files need.
func crypto(_ name: String) -> Target.Dependency {
  .product(name: name, package: "swift-crypto", condition: .when(traits: ["RealmEncryption"]))
}

/// The parts of the page of `roost browse`, which are compiled into the tool.
let pageFiles = [
  "page.html", "page.css", "core.js", "cells.js", "table.js", "query.js", "rows.js", "object.js",
  "views.js", "main.js",
]

let package = Package(
  name: "roost",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Roost", targets: ["Roost"]),
    .library(name: "RoostPredicates", targets: ["RoostPredicates"]),
    .library(name: "RoostDynamic", targets: ["RoostDynamic"]),
    .library(name: "RoostImport", targets: ["RoostImport"]),
    .library(name: "RoostImportSQLite", targets: ["RoostImportSQLite"]),
    .library(name: "RoostInterchange", targets: ["RoostInterchange"]),
    .library(name: "RoostUI", targets: ["RoostUI"]),
    .library(name: "RoostQueryText", targets: ["RoostQueryText"]),
    .executable(name: "roost", targets: ["RoostCLI"]),
    // For the benchmarks, which run it.
    .executable(name: "power-cut", targets: ["PowerCut"]),
  ],
  traits: [
    .trait(
      name: "Tool", description: "The commands of the tool `roost`, with what they depend on."),
    .trait(
      name: "Macros",
      description: "The macro `@Model`, which writes schemas; it builds swift-syntax."),
    .trait(
      name: "RealmEncryption",
      description: "Reading encrypted Realm files; it builds swift-crypto."),
    .default(enabledTraits: []),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "603.0.0"..<"604.0.0"),
    .package(url: "https://github.com/apple/swift-crypto", "4.5.2"..<"5.0.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
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
      swiftSettings: engine),
    .macro(
      name: "RoostMacros",
      dependencies: [
        syntax("SwiftCompilerPlugin"), syntax("SwiftDiagnostics"), syntax("SwiftSyntax"),
        syntax("SwiftSyntaxBuilder"), syntax("SwiftSyntaxMacros"),
      ],
      swiftSettings: strict),
    .target(
      name: "Roost",
      dependencies: [
        "RoostEngine", .target(name: "RoostMacros", condition: .when(traits: ["Macros"])),
      ],
      swiftSettings: strict),
    .target(
      name: "RoostPredicates", dependencies: ["Roost", "RoostEngine"], swiftSettings: strict),
    .target(
      name: "RoostInterchange", dependencies: ["Roost", "RoostEngine"], swiftSettings: strict),
    // The files of other databases, read without these. It needs nothing of ours.
    .target(
      name: "RealmFile", dependencies: [crypto("Crypto"), crypto("CryptoExtras")],
      swiftSettings: strict),
    .target(
      name: "RoostImport", dependencies: ["RealmFile", "Roost", "RoostEngine", "RoostInterchange"],
      swiftSettings: strict),
    // On Apple platforms the system has it.
    .systemLibrary(name: "CRoostSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "RoostImportSQLite",
      dependencies: ["CRoostSQLite", "Roost", "RoostEngine", "RoostImport"],
      swiftSettings: strict),
    // What damaged files and tools need, and no other program should carry.
    .target(name: "RoostMaintenance", dependencies: ["RoostEngine"], swiftSettings: strict),
    // What tools, inspectors and other languages build on, which know no models.
    .target(
      name: "RoostDynamic",
      dependencies: [
        "Roost", "RoostEngine", "RoostInterchange", "RoostMaintenance", "RoostQueryText",
      ], swiftSettings: strict),
    // What shows lists, and no other program should carry.
    .target(name: "RoostUI", dependencies: ["Roost", "RoostEngine"], swiftSettings: strict),
    .target(
      name: "RoostQueryText", dependencies: ["Roost", "RoostEngine", "RoostInterchange"],
      swiftSettings: strict),
    // What the tool prints and converts: other programs have no use for it.
    .target(
      name: "RoostModels",
      dependencies: ["Roost", "RoostDynamic", "RoostEngine", "RoostImport", "RoostImportSQLite"],
      swiftSettings: strict),
    // What the tool does with stores and texts, without its command line.
    .target(
      name: "RoostTool",
      dependencies: [
        "Roost", "RoostDynamic", "RoostEngine", "RoostImportSQLite", "RoostInterchange",
      ],
      swiftSettings: strict),
    // The page of `roost browse` and the server that it talks to.
    .target(
      name: "RoostBrowse",
      dependencies: [
        "RealmFile", "Roost", "RoostDynamic", "RoostEngine", "RoostInterchange", "RoostTool",
        .product(name: "FlyingFox", package: "FlyingFox", condition: .when(traits: ["Tool"])),
      ],
      resources: pageFiles.map { .embedInCode("Page/\($0)") }, swiftSettings: strict),
    .executableTarget(
      name: "RoostCLI",
      dependencies: [
        "RoostDynamic", "RoostInterchange",
        .target(name: "RoostBrowse", condition: .when(traits: ["Tool"])),
        .target(name: "RoostModels", condition: .when(traits: ["Tool"])),
        .target(name: "RoostTool", condition: .when(traits: ["Tool"])),
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Tool"])),
      ],
      swiftSettings: strict),
    .target(
      name: "RoostTestSupport", dependencies: ["RoostEngine", "RoostMaintenance"],
      path: "Tests/RoostTestSupport", swiftSettings: strict),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .target(name: "SystemCallFaults", path: "Tests/SystemCallFaults"),
    // The store that Scripts/test-browse looks at.
    .executableTarget(
      name: "BrowseSample", dependencies: ["Roost"], path: "Tests/BrowseSample",
      swiftSettings: strict),
    .executableTarget(
      name: "ImportChild", dependencies: ["RoostTestSupport"], path: "Tests/ImportChild",
      swiftSettings: strict),
    .executableTarget(
      name: "LimitChild", dependencies: ["Roost", "RoostTestSupport"], path: "Tests/LimitChild",
      swiftSettings: strict),
    // What Scripts/time-import measures.
    .executableTarget(
      name: "MillionRows", dependencies: ["Roost", "RoostImport", "RoostImportSQLite"],
      path: "Tests/MillionRows", exclude: ["million.py"], swiftSettings: strict),
    .executableTarget(
      name: "MutationChild", dependencies: ["RoostTestSupport"], path: "Tests/MutationChild",
      swiftSettings: strict),
    .executableTarget(
      name: "RealmChild", dependencies: ["RoostImport", "RoostTestSupport"],
      path: "Tests/RealmChild",
      swiftSettings: strict),
    .executableTarget(
      name: "PowerCut", dependencies: ["RoostEngine", "RoostTestSupport"],
      path: "Benchmarks/PowerCut", swiftSettings: strict),
    // Five releases of one app, whose files the tests and the simulator migrate.
    .target(
      name: "Releases", dependencies: ["Roost"], path: "Examples/Releases/Releases",
      swiftSettings: strict),
    .target(
      name: "RoostSimulation",
      dependencies: ["Releases", "Roost", "RoostEngine", "RoostMaintenance", "RoostTestSupport"],
      path: "Tests/RoostSimulation", swiftSettings: strict),
    .executableTarget(
      name: "simulate", dependencies: ["MutationChild", "RoostSimulation"], path: "Tests/Simulate",
      swiftSettings: strict),
    .testTarget(
      name: "SimulationTests", dependencies: ["RoostSimulation", "simulate"],
      swiftSettings: strict),
    .testTarget(
      name: "RoostEngineTests",
      dependencies: [
        "AllocationCounter", "ImportChild", "MutationChild", "RoostEngine", "RoostMaintenance",
        "RoostQueryText", "RoostTestSupport", "SystemCallFaults",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RoostCLITests",
      dependencies: [
        "CRoostSQLite", "Roost", "RoostBrowse", "RoostCLI", "RoostDynamic", "RoostEngine",
        "RoostImport", "RoostImportSQLite", "RoostModels", "RoostTestSupport", "RoostTool",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RoostTests",
      dependencies: [
        "AllocationCounter", "ImportChild", "LimitChild", "Releases", "Roost", "RoostDynamic",
        "RoostEngine", "RoostImport", "RoostImportSQLite", "RoostInterchange", "RoostMaintenance",
        "RoostQueryText", "RoostTestSupport", "RoostUI",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RoostDynamicTests",
      dependencies: ["Roost", "RoostDynamic", "RoostEngine", "RoostTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "RoostImportTests",
      dependencies: [
        "RealmChild", "RealmFile", "Roost", "RoostDynamic", "RoostEngine", "RoostImport",
        "RoostInterchange", "RoostModels", "RoostTestSupport",
      ],
      exclude: ["realm"], swiftSettings: strict),
    .testTarget(
      name: "RoostImportSQLiteTests",
      dependencies: [
        "CRoostSQLite", "Roost", "RoostDynamic", "RoostEngine", "RoostImport", "RoostImportSQLite",
        "RoostModels", "RoostTestSupport",
      ],
      // Scripts/check-samples has the samples.
      exclude: Context.environment["ROOST_COREDATA_SAMPLES"] == nil
        ? ["CoreData/CoreDataSampleTests.swift"] : [],
      swiftSettings: strict),
    .testTarget(
      name: "RoostPredicatesTests",
      dependencies: ["Roost", "RoostPredicates", "RoostTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "RepositoryTests", dependencies: ["Roost"], path: "Examples/Repository",
      swiftSettings: strict),
    .testTarget(
      name: "FlightQuestionTests", dependencies: ["Roost", "RoostInterchange"],
      path: "Examples/Flights/Questions", exclude: ["compare-with-sqlite"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// A test target that depends on a macro has all tests built once more, for the host: so it is there when asked for.
if Context.environment["ROOST_TESTS_MACROS"] != nil {
  package.targets.append(
    .testTarget(
      name: "RoostMacrosTests",
      dependencies: [
        "RoostMacros", syntax("SwiftSyntax"), syntax("SwiftSyntaxBuilder"),
        syntax("SwiftSyntaxMacroExpansion"), syntax("SwiftSyntaxMacros"),
        syntax("SwiftSyntaxMacrosGenericTestSupport"),
      ],
      swiftSettings: strict))
}

// The models that the tool printed for samples, with the check of them: Scripts/check-samples names their folder.
if let folder = Context.environment["ROOST_PRINTED_MODELS"] {
  package.targets.append(
    .executableTarget(
      name: "PrintedModels",
      dependencies: ["Roost", "RoostDynamic", "RoostImport", "RoostImportSQLite"],
      path: folder, swiftSettings: [.unsafeFlags(["-Onone"])]))
}

// For Scripts/docs; a client resolves nothing more.
if Context.environment["ROOST_DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}

// Only some of the tests, which is a shorter build: for Scripts/asan and check-samples, and while a test is written.
if let names = Context.environment["ROOST_TEST_TARGETS"] {
  let kept = names.split(separator: ",").map(String.init)
  package.targets.removeAll { $0.type == .test && !kept.contains($0.name) }
}
