import Foundation
import Releases
import Roost
import RoostTestSupport
import Testing

/// Five releases of one app: files that skip some of them, that stop at some, and that an older one opens.
@Suite struct ReleaseTests {
  /// Every way from one release to a later one, by any of those between: 26 of them, and five that stay.
  static let paths = (1..<32).map { bits in (1...5).filter { bits >> ($0 - 1) & 1 == 1 } }

  @Test(arguments: paths)
  func everyPathOfReleasesKeepsEverything(path: [Int]) throws {
    try withTemporaryDirectory { directory in
      let location = Location.file(directory + "/app.roost")
      var added: [Int] = []
      for number in path {
        let release = releases[number - 1]
        let store = try release.open(location, Configuration())
        if added.isEmpty { try release.add(0..<3000, to: store) }
        try release.add([World.idAdded(by: number)], to: store)
        added.append(number)
        #expect(try release.people(in: store) == World(count: 3000, addedBy: added).people)
        #expect(try store.history.map(\.name) == release.plan.steps.map(\.name))
        #expect(try store.verify() == [])
        #expect(try store.keptFields == [])
      }
    }
  }

  @Test func theHistorySaysWhatEachStepMadeOfTheModels() throws {
    try withTemporaryDirectory { directory in
      let location = Location.file(directory + "/app.roost")
      try Release1.open(location, Configuration()).close()
      #expect(
        try Store.pendingSteps(at: location, of: Release3.plan) == Release3.plan.steps.map(\.name))
      let history = try Release3.open(location, Configuration()).history
      for (step, next) in zip(history, history.dropFirst()) {
        #expect(step.fingerprintAfter != step.fingerprintBefore)
        #expect(step.fingerprintAfter == next.fingerprintBefore)
        #expect(step.fingerprintAfter.count == 16 && step.library == "0.1.0")
      }
      #expect(try Store.pendingSteps(at: location, of: Release3.plan) == [])
      #expect(
        try Store.pendingSteps(at: .file(directory + "/none"), of: Release3.plan) == [])
    }
  }

  @Test func aPlanIsSoundAgainstItsOwnModelsAndNotAgainstOthers() throws {
    for release in releases { try release.validate(release.plan) }
    #expect(throws: StoreError.self) { try Release1.validate(Release5.plan) }
  }

  /// The steps that a file of a release has behind it and an earlier one does not know.
  private static func unknown(_ newer: Int, to older: Int) -> [String] {
    let known = releases[older - 1].plan.steps.map(\.name)
    return releases[newer - 1].plan.steps.map(\.name).filter { !known.contains($0) }
  }

  @Test(arguments: (1..<5).flatMap { older in (older + 1...5).map { [$0, older] } })
  func anOlderReleaseLeavesAFileThatIsNewer(pair: [Int]) throws {
    let (newer, older) = (pair[0], pair[1])
    try withTemporaryDirectory { directory in
      let path = directory + "/app.roost"
      do {
        let store = try releases[newer - 1].open(.file(path), Configuration())
        try releases[newer - 1].add(0..<10, to: store)
      }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let error = StoreError.fileIsNewer(
        path: path, features: [], unknownSteps: Self.unknown(newer, to: older))
      #expect(throws: error) {
        _ = try releases[older - 1].open(.file(path), Configuration())
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
  }
}
