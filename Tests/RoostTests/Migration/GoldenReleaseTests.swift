import Foundation
import Releases
import Roost
import RoostTestSupport
import Testing

/// Files that each release of one app wrote, kept in Tests/FormatTests/golden.
///
/// `ROOST_GOLDEN_RELEASES=FOLDER` in the environment makes them anew in a folder; old ones stay.
@Suite struct GoldenReleaseTests {
  private static let people = 30

  private func name(_ number: Int) -> String { "release-\(number).roost" }

  private func bytes(_ number: Int) throws -> Data {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try Data(
      contentsOf: tests.appendingPathComponent("FormatTests/golden/\(name(number))"))
  }

  @Test(arguments: releases.map { $0.number })
  func theNewestReleaseOpensAFileThatAnyReleaseWroteLongAgo(number: Int) throws {
    let writer = try #require(releases.first { $0.number == number })
    if let folder = ProcessInfo.processInfo.environment["ROOST_GOLDEN_RELEASES"] {
      let store = try writer.open(.file("\(folder)/\(name(number))"), Configuration())
      try writer.add(0..<Self.people, to: store)
      try writer.add([World.idAdded(by: number)], to: store)
    }
    try withTemporaryDirectory { directory in
      let path = directory + "/app.roost"
      try bytes(number).write(to: URL(fileURLWithPath: path))
      let world = World(count: Self.people, addedBy: [number])
      do {
        let store = try writer.open(.file(path), Configuration())
        #expect(try writer.people(in: store) == world.people)
      }
      let newest = try #require(releases.last)
      let store = try newest.open(.file(path), Configuration())
      #expect(try newest.people(in: store) == world.people)
      #expect(try store.history.map(\.name) == newest.plan.steps.map(\.name))
      #expect(try store.verify() == [])
    }
  }
}
