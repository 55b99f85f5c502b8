package import Foundation

/// What the compiler says of a program that uses Roost.
package struct TypeCheck {
  /// The lines that have errors, with the first error of each.
  package let errors: [Int: String]
  /// All that the compiler printed.
  package let output: String

  /// Compiles a program as far as its types, with the module that the tests were built with.
  ///
  /// - Parameters:
  ///   - scopesMax: So many steps may the compiler take for the types of an expression; as many as it takes by default.
  ///   - beside: The name and the source of another module that the program imports.
  package init(
    _ source: String, scopesMax: Int? = nil, beside module: (name: String, source: String)? = nil
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("roost-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("main.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let modules = products.appendingPathComponent("Modules")
    // Shared with the build: to compile the system's modules anew takes two seconds each time.
    let cache = products.appendingPathComponent("ModuleCache")
    // Our modules need those of LZ4 and SQLite, whose maps lie in the repository.
    let maps = ["CLZ4", "CRoostSQLite"].map {
      Self.repository.appendingPathComponent("Sources/\($0)/module.modulemap").path
    }
    if let module {
      let other = folder.appendingPathComponent("\(module.name).swift")
      try module.source.write(to: other, atomically: true, encoding: .utf8)
      let compiler = try Process.run(
        URL(fileURLWithPath: "/usr/bin/env"),
        arguments: [
          "swiftc", "-emit-module", "-parse-as-library", "-module-name", module.name,
          "-emit-module-path", folder.appendingPathComponent("\(module.name).swiftmodule").path,
          other.path,
        ])
      compiler.waitUntilExit()
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path, "-I", folder.path,
      "-module-cache-path", cache.path, file.path,
    ]
    process.arguments? += maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    if let scopesMax {
      process.arguments? += ["-Xfrontend", "-solver-scope-threshold=\(scopesMax)"]
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var errors: [Int: String] = [:]
    for line in output.split(separator: "\n") {
      guard let match = line.firstMatch(of: /main\.swift:(\d+):\d+: error: (.*)/),
        let number = Int(match.1), errors[number] == nil
      else { continue }
      errors[number] = String(match.2)
    }
    if process.terminationStatus != 0, errors.isEmpty { errors[0] = output }
    self.errors = errors
  }

  /// The folder of the repository.
  package static let repository = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { path, _ in
    path.deletingLastPathComponent()
  }
}
