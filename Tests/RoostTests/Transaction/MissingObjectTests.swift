import Roost
import Testing

/// The one rule of objects that are not there: to change one is an error, to remove one is not.
@Suite struct MissingObjectTests {
  struct Photo: Model {
    let id: Int
    var title: String
    var image: Blob
    var tags: Links<Tag>
    static let schema = Schema(
      Photo.init, Key("id", \.id), Field("title", \.title), Field("image", \.image),
      Field("tags", \.tags))
  }

  /// What a call says of an object that is not there.
  enum Answer: Equatable {
    case notFound, no, none, nothing
  }

  struct Call: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let answer: Answer
    let run: @Sendable (WriteTransaction, WritableObjects<Photo>) throws -> Answer

    init(
      _ name: String, _ answer: Answer,
      _ run: @escaping @Sendable (WriteTransaction, WritableObjects<Photo>) throws -> Answer
    ) {
      testDescription = name
      self.answer = answer
      self.run = run
    }
  }

  private static let missing = Photo(id: 7, title: "a", image: Blob([]), tags: [])

  static let calls: [Call] = [
    Call("fetch", .nothing) { tx, _ in
      try tx.fetch(Photo.self, id: 7) == nil ? .nothing : .notFound
    },
    Call("find", .notFound) { tx, _ in
      _ = try tx.find(Photo.self, id: 7)
      return .nothing
    },
    Call("update an object", .notFound) { tx, _ in
      try tx.update(missing)
      return .nothing
    },
    Call("update in a closure", .notFound) { tx, _ in
      try tx.update(Photo.self, id: 7) { $0.title = "b" }
      return .nothing
    },
    Call("set a field", .notFound) { tx, _ in
      try tx.update(Photo.self, id: 7, set: \.title, to: "b")
      return .nothing
    },
    Call("edit a blob", .notFound) { tx, _ in
      _ = try tx.blob(\Photo.image, of: 7)
      return .nothing
    },
    Call("edit a list", .notFound) { tx, _ in
      _ = try tx.links(\Photo.tags, of: 7)
      return .nothing
    },
    Call("delete", .no) { tx, _ in try tx.delete(Photo.self, id: 7) ? .nothing : .no },
    Call("delete by ids", .none) { tx, _ in
      try tx.delete(Photo.self, ids: [7, 8]) == 0 ? .none : .nothing
    },
    Call("delete a query", .none) { tx, _ in
      try tx.delete(Photo.where { $0.id == 7 }) == 0 ? .none : .nothing
    },
    Call("update a query", .none) { tx, _ in
      try tx.update(Photo.where { $0.id == 7 }) { $0.title = "b" } == 0 ? .none : .nothing
    },
    Call("set a field of a query", .none) { tx, _ in
      try tx.update(Photo.where { $0.id == 7 }, set: \.title, to: "b") == 0 ? .none : .nothing
    },
    Call("update an object of a scope", .notFound) { _, photos in
      try photos.update(missing)
      return .nothing
    },
    Call("update in a closure in a scope", .notFound) { _, photos in
      try photos.update(id: 7) { $0.title = "b" }
      return .nothing
    },
    Call("set a field in a scope", .notFound) { _, photos in
      try photos.update(id: 7, set: \.title, to: "b")
      return .nothing
    },
    Call("delete in a scope", .no) { _, photos in try photos.delete(id: 7) ? .nothing : .no },
    Call("delete by ids in a scope", .none) { _, photos in
      try photos.delete(ids: [7]) == 0 ? .none : .nothing
    },
  ]

  @Test(arguments: calls, [false, true])
  func aChangeOfAMissingObjectIsAnErrorAndADeletionIsNot(call: Call, wasThere: Bool) throws {
    let store = try Store(.inMemory, models: Photo.self, Tag.self)
    // It was never there, or is deleted in the transaction itself.
    if wasThere { try store.write { try $0.insert(Self.missing) } }
    try store.scope(Photo.self).write { (photos) throws in
      if wasThere { #expect(try photos.delete(id: 7)) }
      let answer: Answer
      do { answer = try call.run(photos.reader, photos) } catch StoreError.notFound(
        model: "Photo", id: "7")
      { answer = .notFound }
      #expect(answer == call.answer)
    }
    #expect(try store.snapshot().count(Photo.all) == 0)
  }
}
