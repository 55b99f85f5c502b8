#if Tool
import Foundation
import RoostTestSupport
import Testing

/// What `roost FILE` says of files of other libraries.
@Suite struct ForeignOverviewTests {
  private let tool = ToolTests()

  private func hint(_ path: String) -> String {
    "`roost import NEW \(path)` makes a store of it, `roost models` prints its models.\n"
  }

  @Test func aRealmFileIsShownByItsClasses() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/object-store.realm"
      try SampleFiles.make("object-store.realm", path)
      #expect(
        try tool.roost(path)
          == ToolTests.Run(
            output: """
              \(path): a Realm file of format 24, schema version 7

              table    kind      objects
              Address  embedded      225
              Dog                     40
              Note                    30
              Person                 150

              """, complaint: hint(path), code: 0))
    }
  }

  @Test func anSQLiteFileIsShownByItsTables() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/shelf.sqlite"
      try ShelfFile.make(path)
      let run = try tool.roost(path)
      #expect(run.complaint == hint(path) && run.code == 0)
      #expect(run.output.hasPrefix("\(path): an SQLite file\n\ntable      kind  objects\n"))
      let json = try tool.roost("info", path, "--format", "json").output
      #expect(json.contains(#""kind":"an SQLite file","tables":[{"name":"Book Item","kind":"","#))
    }
  }
}
#endif
