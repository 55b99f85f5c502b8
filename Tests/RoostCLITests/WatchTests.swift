#if Tool
import Foundation
import RoostDynamic
import RoostEngine
import RoostTestSupport
import RoostTool
import Testing

/// Changes that `roost watch` prints.
@Suite struct WatchTests {
  private let tool = ToolTests()

  private func makeStore(_ path: String) throws -> DynamicStore {
    let store = try DynamicStore(path, access: .create)
    try store.write { transaction in
      try transaction.add(
        ["Note", "Tag"].map { name in
          DynamicTable(
            name,
            fields: [
              DynamicField("id", .int, isKey: true), DynamicField("text", .string),
            ])
        })
      try transaction.insert(["id": 1, "text": "one"], into: "Note")
    }
    return store
  }

  private struct Enough: Error {}

  @Test func changesComeAsTheyAreWritten() async throws {
    try await withTemporaryDirectory { directory in
      let store = try makeStore(directory + "/notes.roost")
      let start = try store.snapshot()
      try await store.write { transaction in
        try transaction.update(1, of: "Note", ["text": "two"])
        try transaction.insert(["id": 2, "text": "new"], into: "Note")
        try transaction.insert(["id": 7, "text": "not watched"], into: "Tag")
      }
      var told: [String] = []
      do {
        try await StoreWatch(store, models: ["Note"]).run(since: start) { change in
          switch change {
          case .inserted(let model, let key): told.append("+ \(model) \(key.json)")
          case .deleted(let model, let key): told.append("- \(model) \(key.json)")
          case .modified(let model, let key, let fields):
            let words = fields.map { "\($0.name) \($0.before.json) \($0.after.json)" }
            told.append("~ \(model) \(key.json): \(words.joined(separator: ", "))")
          case .onlyBefore, .onlyAfter: told.append("a model")
          }
          // The next write is made while the changes of the first are told.
          if told.count == 2 {
            try await store.write { transaction in
              try transaction.delete(1, from: "Note")
              try transaction.insert(["id": 8, "text": "not watched"], into: "Tag")
            }
          }
          if told.count == 3 { throw Enough() }
        }
      } catch is Enough {}
      #expect(told == ["+ Note 2", #"~ Note 1: text "one" "two""#, "- Note 1"])
    }
  }

  @Test func aWatchOfAClosedStoreIsRefused() async throws {
    try await withTemporaryDirectory { directory in
      let store = try makeStore(directory + "/notes.roost")
      store.close()
      await #expect(throws: StoreError.closed) {
        try await StoreWatch(store).run { _ in Issue.record("Nothing was written.") }
      }
    }
  }

  @Test func aFileThatAnotherProcessHasIsInUse() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/notes.roost"
      let store = try makeStore(path)
      let run = try tool.roost("watch", path)
      #expect(
        run
          == ToolTests.Run(
            output: "",
            complaint:
              "roost: \(path) is in use by another process; close it there and try again.\n",
            code: 1))
      store.close()
      let other = try tool.roost("watch", path, "--model", "Nota")
      #expect(
        other.complaint == "roost: \(path) has no model Nota. Did you mean \"Note\"?\n")
    }
  }
}
#endif
