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
      #expect(
        try tool.roost(path)
          == ToolTests.Run(
            output: """
              \(path): an SQLite file

              table      kind  objects
              Book Item              3
              author                 2
              book_tag               3
              note                   2
              place                  2
              tag                    2

              """, complaint: hint(path), code: 0))
      let json = try tool.roost("info", path, "--format", "json").output
      #expect(
        json.contains(
          #""kind":"an SQLite file","tables":[{"name":"Book Item","kind":"","objects":3},{"name":"author","kind":"","objects":2},"#
        ))
    }
  }
}
#endif
