import Foundation
import Roost
import RoostTestSupport
import Synchronization
import Testing

/// While steps run: progress, and cancellation.
extension MigrationTests {
  @Test func aMigrationTellsHowFarItIs() throws {
    try withLibrary { path in
      let reports = Mutex<[MigrationProgress]>([])
      let note: @Sendable (MigrationProgress) -> Void = { report in
        reports.withLock { $0.append(report) }
      }
      var configuration = Configuration()
      configuration.reportsMigration = note
      _ = try open(path, configuration) {
        MigrationStep("nothing") { _ in }
        MigrationStep("twice") {
          try $0.rewrite("Book") { _, _ in }
          try $0.forEach("Author") { _ in }
        }
      }
      let told = reports.withLock { $0 }
      #expect(told.map(\.step).prefix(2) == ["nothing", "twice"])
      #expect(told.map(\.number).prefix(2) == [1, 2] && told.allSatisfy { $0.count == 2 })
      #expect(told.map(\.model).prefix(3) == [nil, nil, "Book"])
      let books = told.filter { $0.model == "Book" }
      #expect(books.count > 1 && books.map(\.done) == books.map(\.done).sorted())
      #expect(books.last?.done == 5000 && books.allSatisfy { $0.total == 5000 })
      #expect(told.last?.model == "Author" && told.last?.done == 10 && told.last?.total == 10)
    }
  }

  enum PassOverObjects: CaseIterable {
    case rewrite, forEach, convert, settle, insert

    /// A step that calls a closure for each of some objects.
    func step(_ body: @escaping @Sendable () -> Void) -> MigrationStep {
      MigrationStep("pass") { migration in
        try migration.remove("pages", of: "Book")
        switch self {
        case .rewrite:
          try migration.rewrite("Book") { _, new in
            body()
            try new.set("title", to: "")
          }
        case .forEach: try migration.forEach("Book") { _ in body() }
        case .convert:
          try migration.convert("title", of: "Book", from: String.self, to: String.self) { title in
            body()
            return title + "."
          }
        case .settle:
          try migration.makeUnique("title", of: "Book") { _, other in
            body()
            other.delete()
          }
        case .insert:
          for number in 0..<100 {
            try migration.insert(into: "Author") {
              body()
              try $0.set("id", to: 100 + number)
              try $0.set("name", to: "")
            }
          }
        }
      }
    }
  }

  @Test(arguments: PassOverObjects.allCases)
  func aCancelledTaskEndsTheStepBeforeTheNextObjectAndTheFileIsAsBefore(
    _ pass: PassOverObjects
  ) async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/library.roost"
      try withLibrary { try FileManager.default.copyItem(atPath: $0, toPath: path) }
      let calls = Mutex(0)
      let step = pass.step {
        let count = calls.withLock { calls in
          calls += 1
          return calls
        }
        if count == 7 { unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() } }
      }
      let error = await Task { () -> StoreError? in
        do throws(StoreError) {
          _ = try self.open(path) {
            MigrationStep("before") { try $0.makeOptional("title", of: "Book") }
            MigrationStep("required") { try $0.makeRequired("title", of: "Book", default: "") }
            step
          }
          return nil
        } catch { return error }
      }.value
      #expect(error == .cancelled)
      #expect(calls.withLock { $0 } == 7)
      try checkThatNothingIsLeftOfTheStep(path)
    }
  }

  private func checkThatNothingIsLeftOfTheStep(_ path: String) throws {
    let store = try open(path) {
      MigrationStep("before") { _ in }
      MigrationStep("required") { _ in }
    }
    #expect(try store.history.map(\.name) == ["before", "required"])
    let books = try store.snapshot().fetch(Old.Book.all)
    #expect(books.count == 5000 && books.allSatisfy { $0.title.hasPrefix("T") })
    #expect(try store.snapshot().find(Old.Book.self, id: "b9").pages == 9)
    #expect(try store.snapshot().count(Old.Author.all) == 10)
    #expect(try store.verify() == [])
  }
}
