import Foundation
import Releases
import Roost

/// A file that the first release of an app writes, opened by each later one in turn.
@main
struct ReleasesDemo {
  /// Somebody who has everything: a nickname, an image, a phone and pets.
  private static let somebody = 20

  static func main() throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "releases-\(ProcessInfo.processInfo.processIdentifier).roost").path
    defer { try? Store.remove(at: path) }
    var added: [Int] = []
    for release in releases {
      let pending = try Store.pendingSteps(at: .file(path), of: release.plan)
      let store = try release.open(.file(path), Configuration())
      if added.isEmpty { try release.add(0..<3000, to: store) }
      try release.add([World.idAdded(by: release.number)], to: store)
      added.append(release.number)
      guard try release.people(in: store) == World(count: 3000, addedBy: added).people else {
        fatalError("Release \(release.number) does not find everybody as before.")
      }
      let person = try release.person(somebody, in: store)
      print("Release \(release.number) opens the file.")
      print("  runs:    \(list(pending))")
      print("  history: \(list(try store.history.map(\.name)))")
      print("  person:  \(fields(of: person))")
    }
    print("All \(3000 + added.count) people are as the five releases have written them.")
  }

  private static func list(_ steps: [String]) -> String {
    steps.isEmpty ? "no step" : steps.joined(separator: "; ")
  }

  /// The properties of an object with their values, as a program that has it in hands sees them.
  private static func fields(of object: any Model) -> String {
    Mirror(reflecting: object).children.map { child in
      let mirror = Mirror(reflecting: child.value)
      let isOptional = mirror.displayStyle == .optional
      let value = isOptional ? mirror.children.first?.value ?? "nil" : child.value
      return "\(child.label ?? "") \(value)"
    }.joined(separator: ", ")
  }
}
