import Foundation
import Roost
import RoostTestSupport
import Testing

private struct Reel: Model {
  let id: Int
  var title: String
  var clip: Blob
  var cast: Links<Tag>
  static let schema = Schema(
    Reel.init, Key("id", \.id), Field("title", \.title, .indexed), Field("clip", \.clip),
    Field("cast", \.cast))
}

/// What reads through a reader that was taken out of a transaction.
private struct TakenReader: ObjectReader {
  let reader: _Reader
  var _reader: _Reader { reader }
}

/// A write transaction, and everything that it hands out, belongs to the thread that its closure runs on.
@Suite struct ForeignThreadTests {
  /// Everything that can be asked of a transaction, by name.
  private typealias Uses = [(name: String, use: () throws -> Void)]

  private func store() throws -> Store {
    let store = try Store(.inMemory, models: Reel.self, Tag.self)
    try store.write { transaction in
      try transaction.insert(contentsOf: (0..<40).map { Tag(id: "tag \($0)", color: $0) })
      try transaction.insert(
        contentsOf: (0..<40).map {
          Reel(
            id: $0, title: "reel \($0)", clip: Blob(Array(repeating: 7, count: 3000)),
            cast: ["tag \($0)", "tag 0"])
        })
      try transaction.setValue("count", to: 40)
    }
    return store
  }

  /// Uses of all that a transaction hands out.
  private func uses(_ transaction: WriteTransaction) throws -> Uses {
    let film = Reel(id: 1000, title: "other", clip: Blob([1]), cast: [])
    let tag = Tag(id: "other", color: 1)
    let blob = try transaction.blob(\Reel.clip, of: 3)
    let cast = try transaction.links(\Reel.cast, of: 3)
    let reader = TakenReader(reader: try transaction._reader)
    let edits: Uses = [
      ("blob count", { _ = try blob.count }),
      ("blob read", { _ = try blob.read(0..<1) }),
      ("blob append", { try blob.append([1, 2]) }),
      ("blob write", { try blob.write([1], at: 0) }),
      ("blob insert", { try blob.insert([1], at: 0) }),
      ("blob removeSubrange", { try blob.removeSubrange(0..<1) }),
      ("blob truncate", { try blob.truncate(to: 1) }),
      ("links count", { _ = try cast.count }),
      ("links at", { _ = try cast[0] }),
      ("links value", { _ = try cast.value }),
      ("links insert", { try cast.insert("tag 1", at: 0) }),
      ("links remove", { try cast.remove(at: 0) }),
      ("links replace", { try cast.replace(at: 0, with: "tag 2") }),
      ("links move", { try cast.move(from: 0, to: 1) }),
      ("links removeAll", { try cast.removeAll() }),
    ]
    return edits + writes(transaction, film, tag) + reads(transaction, "") + reads(reader, "taken ")
  }

  private func writes(_ transaction: WriteTransaction, _ film: Reel, _ tag: Tag) -> Uses {
    [
      ("insert", { try transaction.insert(film) }),
      ("insert contents", { try transaction.insert(contentsOf: [film]) }),
      ("update", { try transaction.update(Reel(id: 1, title: "x", clip: Blob([]), cast: [])) }),
      ("update by id", { try transaction.update(Reel.self, id: 1) { $0.title = "x" } }),
      ("set", { try transaction.update(Reel.self, id: 1, set: \.title, to: "x") }),
      ("update query", { try transaction.update(Tag.all) { $0.color = 1 } }),
      ("set query", { try transaction.update(Tag.all, set: \.color, to: 5) }),
      ("set expression", { try transaction.update(Tag.all, set: \.color) { $0.color + 1 } }),
      ("upsert", { try transaction.upsert(tag) }),
      ("upsert contents", { try transaction.upsert(contentsOf: [tag]) }),
      ("replaceAll", { try transaction.replaceAll([tag], of: Tag.where { $0.id == "tag 9" }) }),
      ("delete", { try transaction.delete(Reel.self, id: 1) }),
      ("delete ids", { try transaction.delete(Reel.self, ids: [1, 2]) }),
      ("delete query", { try transaction.delete(Reel.where { $0.id == 5 }) }),
      ("setValue", { try transaction.setValue("count", to: 3) }),
      ("removeValue", { try transaction.removeValue("count") }),
      ("savepoint", { try transaction.savepoint {} }),
      ("blob", { _ = try transaction.blob(\Reel.clip, of: 3) }),
      ("links", { _ = try transaction.links(\Reel.cast, of: 3) }),
      ("reader", { _ = try transaction._reader }),
    ]
  }

  private func reads(_ reader: some ObjectReader, _ prefix: String) -> Uses {
    [
      (prefix + "fetch", { _ = try reader.fetch(Reel.self, id: 3) }),
      (prefix + "fetch ids", { _ = try reader.fetch(Reel.self, ids: [3]) }),
      (prefix + "fetch query", { _ = try reader.fetch(Reel.where { $0.title == "reel 3" }) }),
      (prefix + "first", { _ = try reader.first(Reel.all) }),
      (prefix + "contains", { _ = try reader.contains(Tag.self, id: "tag 1") }),
      (prefix + "count", { _ = try reader.count(Reel.all) }),
      (prefix + "sum", { _ = try reader.sum(\Tag.color, of: Tag.all) }),
      (prefix + "including", { _ = try reader.fetch(Reel.all.including(\.cast)) }),
      (prefix + "value", { _ = try reader.value("count", as: Int.self) }),
    ]
  }

  /// What each use throws on another thread; nil for one that does not throw.
  private func errorsElsewhere(_ uses: Uses) -> [(name: String, error: StoreError?)] {
    nonisolated(unsafe) let uses = uses
    nonisolated(unsafe) var errors: [(name: String, error: StoreError?)] = []
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for (name, use) in unsafe uses {
        do {
          try use()
          unsafe errors.append((name, nil))
        } catch { unsafe errors.append((name, error as? StoreError)) }
      }
      ended.signal()
    }
    ended.wait()
    return unsafe errors
  }

  @Test func anotherThreadCanUseNothingOfATransaction() throws {
    let store = try store()
    var taken: Uses = []
    try store.write { transaction in
      taken = try uses(transaction)
      for (name, error) in errorsElsewhere(taken) {
        #expect(error == .transactionOfAnotherThread, "\(name)")
      }
      // Its own thread goes on.
      try transaction.insert(Tag(id: "own", color: 1))
      #expect(try transaction.count(Tag.all) == 41)
    }
    for (name, error) in errorsElsewhere(taken) {
      #expect(error == .transactionOfAnotherThread, "\(name)")
    }
    for (name, use) in taken {
      #expect(throws: StoreError.transactionEnded, "\(name)") { try use() }
    }
    #expect(try store.snapshot().count(Tag.all) == 41)
    #expect(try store.verify() == [])
  }

  @Test func objectsOfAScopeCannotBeUsedElsewhere() throws {
    let store = try store()
    try store.scope(Tag.self).write { tags in
      let uses: Uses = [
        ("insert", { try tags.insert(Tag(id: "x", color: 1)) }),
        ("fetch", { _ = try tags.fetch(id: "tag 1") }),
        ("count", { _ = try tags.count() }),
        ("delete", { try tags.delete(id: "tag 1") }),
      ]
      for (name, error) in errorsElsewhere(uses) {
        #expect(error == .transactionOfAnotherThread, "\(name)")
      }
    }
    #expect(try store.snapshot().count(Tag.all) == 40)
  }

  @Test func aThreadThatWritesThroughAnothersTransactionDisturbsNothing() throws {
    let store = try store()
    let ended = DispatchSemaphore(value: 0)
    try store.write { transaction in
      nonisolated(unsafe) let leaked = transaction
      Thread.detachNewThread {
        for id in 0..<5000 {
          _ = try? unsafe leaked.insert(Tag(id: "theirs \(id)", color: id))
          _ = try? unsafe leaked.count(Tag.where { $0.color > 3 })
        }
        ended.signal()
      }
      for id in 0..<5000 { try transaction.insert(Tag(id: "mine \(id)", color: id)) }
    }
    ended.wait()
    #expect(try store.snapshot().count(Tag.all) == 5040)
    #expect(try store.verify() == [])
  }

  @Test func aTransactionOfATaskIsUsedThere() async throws {
    let store = try store()
    try await store.write { transaction in
      try transaction.insert(Tag(id: "new", color: 1))
      #expect(try transaction.blob(\Reel.clip, of: 3).count == 3000)
      #expect(try transaction.links(\Reel.cast, of: 3).count == 2)
    }
    #expect(try store.snapshot().count(Tag.all) == 41)
  }
}
