import Foundation
import Roost
import RoostEngine
import RoostInterchange
import RoostMaintenance
import RoostTestSupport
import Testing

/// Blobs: what an object says of them, and reading and writing them in ranges.
@Suite struct BlobTests {
  private let path = "films.roost"

  private func open(_ disk: SimulatedDisk) throws -> Store {
    var configuration = Configuration()
    configuration.fileSystem = disk
    return try Store(.file(path), models: Film.self, configuration: configuration)
  }

  private func store(_ bytes: [UInt8]) throws -> Store {
    let store = try Store(.inMemory, models: Film.self)
    try store.write { try $0.insert(Film(id: 1, title: "One", pictures: Blob(bytes))) }
    return store
  }

  // MARK: What an object says

  @Test func anObjectHasTheBytesThatAreFewAndKnowsTheNumberOfMany() throws {
    for count in [0, 1, 1024, 1025, 300_000] {
      let bytes = noise(count)
      let store = try store(bytes)
      let film = try store.snapshot().find(Film.self, id: 1)
      #expect(film.pictures.count == count)
      #expect(film.pictures.isEmpty == (count == 0))
      #expect(film.pictures.bytes == (count > 1024 ? nil : bytes))
      #expect("\(film.pictures)" == "Blob of \(count) bytes")
      #expect(try store.snapshot().blob(\Film.pictures, of: 1).read(0..<count) == bytes)
      let row = try #require(try store.snapshot().rows(Film.all).first)
      #expect(try row.pictures == film.pictures)
      #expect(try row.sound == film.sound)
      #expect(try row.value == film)
    }
  }

  @Test func toUpdateAnObjectLeavesItsBlobsAsTheyAre() throws {
    let store = try store(noise(200_000))
    let made = Film(id: 1, title: "Made", sound: Sound(speed: 24))
    let fetched = try store.snapshot().find(Film.self, id: 1)
    try store.write { transaction in
      try transaction.blob(\Film.pictures, of: 1).append([7])
      try transaction.blob(\Film.sound.left, of: 1).append([8, 9])
      // One knows nothing of its blobs, the other what they were before.
      try transaction.update(made)
      try transaction.update(fetched)
      try transaction.upsert(made)
      try transaction.update(Film.self, id: 1) { $0.title = "Changed" }
    }
    let film = try store.snapshot().find(Film.self, id: 1)
    #expect(film.title == "Changed")
    #expect(film.pictures.count == 200_001)
    #expect(film.sound == Sound(left: Blob([8, 9]), speed: 24))
    #expect(film.pictures != fetched.pictures)
  }

  @Test func aBlobMadeFromBytesTakesThePlaceOfWhatIsStored() throws {
    let store = try store(noise(200_000))
    var film = try store.snapshot().find(Film.self, id: 1)
    film.pictures = Blob([1, 2, 3])
    try store.write { try $0.update(film) }
    #expect(try store.snapshot().find(Film.self, id: 1).pictures.bytes == [1, 2, 3])
    try store.write { _ = try $0.update(Film.self, id: 1, set: \.pictures, to: Blob(noise(5000))) }
    #expect(try store.snapshot().blob(\Film.pictures, of: 1).read(0..<5000) == noise(5000))
    film.pictures = Blob(EmptyCollection())
    try store.write { try $0.update(film) }
    #expect(try store.snapshot().find(Film.self, id: 1).pictures.isEmpty)
    #expect(try store.verify().isEmpty)
  }

  @Test func bytesThatDidNotComeAlongCannotGoToAnotherObject() throws {
    let store = try store(noise(5000))
    let other = try Store(.inMemory, models: Film.self)
    let film = try store.snapshot().find(Film.self, id: 1)
    try store.write { transaction in
      try transaction.insert(Film(id: 2, title: "Two", pictures: Blob([4, 5])))
      var two = try transaction.find(Film.self, id: 2)
      two.pictures = film.pictures
      #expect { try transaction.update(two) } throws: { Self.isMissing($0) }
      #expect {
        try transaction.update(Film.self, id: 2, set: \.pictures, to: film.pictures)
      } throws: { Self.isMissing($0) }
    }
    #expect { try other.write { try $0.insert(film) } } throws: { Self.isMissing($0) }
    // Of several none is added.
    let few = Film(id: 7, title: "Few", pictures: Blob([1]))
    try other.write { (transaction) throws in
      #expect { try transaction.insert(contentsOf: [few, film]) } throws: { Self.isMissing($0) }
      #expect(try transaction.count(Film.all) == 0)
      try transaction.insert(few)
    }
    #expect(try other.snapshot().fetch(Film.all) == [few])
    // Few bytes go along, and many by their reader.
    try other.write { transaction in
      var two = try store.snapshot().find(Film.self, id: 2)
      #expect(two.pictures.bytes == [4, 5])
      try transaction.insert(two)
      two.title = "Again"
      try transaction.update(two)
      try transaction.blob(\Film.pictures, of: 7)
        .append(contentsOf: try store.snapshot().blob(\Film.pictures, of: 1))
    }
    #expect(
      try other.snapshot().blob(\Film.pictures, of: 7).read(0..<5001) == [1] + noise(5000))
    #expect(try other.snapshot().find(Film.self, id: 2).pictures.bytes == [4, 5])
  }

  private static func isMissing(_ error: any Error) -> Bool {
    guard case StoreError.unencodable(type: "Blob", _) = error else { return false }
    return true
  }

  @Test func aQueryAsksWhetherABlobIsEmpty() throws {
    let store = try store(noise(3000))
    try store.write { transaction in
      try transaction.insert(Film(id: 2, title: "Two"))
      try transaction.insert(Film(id: 3, title: "Three", sound: Sound(left: Blob([1]))))
    }
    let snapshot = store.snapshot()
    #expect(try snapshot.fetch(Film.where { $0.pictures.isEmpty }).map(\.id) == [2, 3])
    #expect(try snapshot.fetch(Film.where { !$0.sound.left.isEmpty }).map(\.id) == [3])
  }

  @Test func aBlobIsNoKeyAndNeverNil() {
    func refusal<M: Model>(_ type: M.Type) -> String? {
      do {
        _ = try Store(.inMemory, models: type)
        return nil
      } catch StoreError.schemaInvalid(_, let reason) { return reason } catch { return "\(error)" }
    }
    #expect(
      refusal(OptionalBlob.self) == "\"blob\" is an optional blob; an empty blob says as much.")
    #expect(
      refusal(BlobInOptional.self) == "\"sound.left\" is a blob in a struct that may be missing.")
  }

  @Test func aFieldThatIsNewHasItsDefault() throws {
    let disk = SimulatedDisk()
    var configuration = Configuration()
    configuration.fileSystem = disk
    let old = try Store(.file(path), models: Old.Note.self, configuration: configuration)
    try old.write { try $0.insert(Old.Note(id: 1)) }
    old.close()
    let store = try Store(.file(path), models: New.Note.self, configuration: configuration)
    #expect(
      try store.snapshot().find(New.Note.self, id: 1)
        == New.Note(id: 1, image: Blob([1, 2]), film: Blob()))
    try store.write { try $0.blob(\New.Note.image, of: 1).append([3]) }
    #expect(try store.snapshot().find(New.Note.self, id: 1).image.bytes == [1, 2, 3])
  }

  // MARK: Ranges

  @Test func aRangeThatIsNotThereIsAnError() throws {
    let store = try store(noise(2000))
    let reader = try store.snapshot().blob(\Film.pictures, of: 1)
    #expect(throws: StoreError.outOfRange(place: 2001, count: 2000)) { try reader.read(0..<2001) }
    #expect(throws: StoreError.outOfRange(place: -1, count: 2000)) { try reader.read(-1..<5) }
    #expect(try reader.read(2000..<2000) == [])
    #expect(throws: StoreError.notFound(model: "Film", id: "9")) {
      try store.snapshot().blob(\Film.pictures, of: 9)
    }
    try store.write { transaction in
      let editor = try transaction.blob(\Film.pictures, of: 1)
      #expect(throws: StoreError.outOfRange(place: 2001, count: 2000)) {
        try editor.write([1], at: 2001)
      }
      #expect(throws: StoreError.outOfRange(place: 2001, count: 2000)) {
        try editor.truncate(to: 2001)
      }
      #expect(throws: StoreError.outOfRange(place: 3000, count: 2000)) {
        try editor.removeSubrange(0..<3000)
      }
      #expect(throws: StoreError.outOfRange(place: -1, count: 2000)) {
        try editor.insert([1], at: -1)
      }
      #expect(try editor.read(1990..<2000) == Array(noise(2000)[1990...]))
      try transaction.delete(Film.self, id: 1)
      #expect(throws: StoreError.notFound(model: "Film", id: "1")) { try editor.append([1]) }
    }
    #expect(try reader.read(0..<2000) == noise(2000))
  }

  @Test func chunksAreTheWholeBlobInOrder() async throws {
    let bytes = noise(1_000_000) + [UInt8](repeating: 3, count: 500_000)
    let store = try store([])
    try await store.write { transaction in
      var rest = bytes[...]
      try transaction.blob(\Film.pictures, of: 1).append {
        defer { rest = rest.dropFirst(70_001) }
        return rest.isEmpty ? nil : rest.prefix(70_001)
      }
    }
    let reader = try await store.read { try $0.blob(\Film.pictures, of: 1) }
    var found: [UInt8] = []
    for try await chunk in reader.chunks(of: 77_777) {
      #expect(chunk.count == min(77_777, bytes.count - found.count))
      found += chunk
    }
    #expect(found == bytes)
    found = []
    try unsafe reader.forEachChunk(in: 5..<1_400_000) { unsafe found.append(contentsOf: $0) }
    #expect(found == Array(bytes[5..<1_400_000]))
    #expect(throws: CancellationError.self) {
      try unsafe reader.forEachChunk { _ in throw CancellationError() }
    }
    // The first object's errors stop the writing, and what came before is there.
    try await store.write { transaction in
      let editor = try transaction.blob(\Film.sound.left, of: 1)
      var count = 0
      #expect(throws: CancellationError.self) {
        try editor.append { () -> [UInt8]? in
          count += 1
          if count == 3 { throw CancellationError() }
          return [1, 2]
        }
      }
      #expect(try editor.count == 4)
    }
  }

  @Test func aLongBlobGoesToTheFileAsItComes() throws {
    var bytes = noise(12_000_000)
    let store = try Store(.inMemory, models: Film.self)
    try store.write { transaction in
      try transaction.insert(Film(id: 1, title: "Long"))
      let editor = try transaction.blob(\Film.pictures, of: 1)
      try editor.append(bytes)
      try? transaction.savepoint {
        try editor.write(noise(6_000_000, seed: 2), at: 1_000_000)
        throw CancellationError()
      }
      try editor.write(noise(5_000_001, seed: 3), at: 2_000_001)
      try editor.append(bytes)
    }
    bytes.replaceSubrange(2_000_001..<7_000_002, with: noise(5_000_001, seed: 3))
    let reader = try store.snapshot().blob(\Film.pictures, of: 1)
    #expect(try reader.read(0..<12_000_000) == bytes)
    #expect(try reader.read(12_000_000..<24_000_000) == noise(12_000_000))
    // Damage of many parts would be seen here, and parts that nobody owns.
    #expect(try store.verify().isEmpty)
  }

  // MARK: Texts

  @Test func textsHaveBlobsInBase64() throws {
    let store = try store(noise(100_000))
    try store.write { try $0.insert(Film(id: 2, title: "Two", sound: Sound(left: Blob([1, 2])))) }
    for format in [TextFormat.json, .ndjson, .csv] {
      var text: [UInt8] = []
      let all = Film.all
      #expect(try store.snapshot().export(all, to: TextOutput { text += $0 }, as: format) == 2)
      let copy = try Store(.inMemory, models: Film.self)
      try copy.write { _ = try $0.insert(Film.self, from: .bytes(text), as: format) }
      let snapshot = copy.snapshot()
      #expect(try snapshot.blob(\Film.pictures, of: 1).read(0..<100_000) == noise(100_000))
      #expect(
        try snapshot.find(Film.self, id: 2)
          == Film(id: 2, title: "Two", sound: Sound(left: Blob([1, 2]))))
      // What a text says takes the place of what is stored.
      try copy.write { transaction in
        try transaction.blob(\Film.pictures, of: 1).removeAll()
        _ = try transaction.upsert(Film.self, from: .bytes(text), as: format)
      }
      #expect(try copy.snapshot().find(Film.self, id: 1).pictures.count == 100_000)
    }
    let few = try store.snapshot().find(Film.self, id: 2)
    let sound = try few.dictionary()["sound"] as? [String: any Sendable]
    #expect(sound?["left"] as? Data == Data([1, 2]))
    #expect(try Film(dictionary: few.dictionary()) == few)
    let many = try store.snapshot().find(Film.self, id: 1)
    #expect { try many.dictionary() } throws: { Self.isMissing($0) }
  }

  // MARK: Damage

  @Test func damageHitsTheRangesThatItIsInAndNoOthers() throws {
    let disk = SimulatedDisk()
    let bytes = noise(1_000_000)
    try {
      let store = try open(disk)
      try store.write { transaction in
        try transaction.insert(Film(id: 1, title: "One", pictures: Blob(bytes)))
        try transaction.insert(Film(id: 2, title: "Two", pictures: Blob(noise(5000, seed: 2))))
      }
      store.close()
    }()
    var file = try #require(disk.contents(of: path))
    let part = try #require(Data(file).range(of: Data(bytes[600_000..<600_050])))
    file[part.lowerBound] ^= 4
    let damaged = SimulatedDisk()
    damaged.install(file, at: path)
    func look(_ store: Store) throws {
      let reader = try store.snapshot().blob(\Film.pictures, of: 1)
      func isDamage(_ error: any Error) -> Bool {
        guard case StoreError.corrupt(_, let damage) = error else { return false }
        return damage.reason == "checksum" && damage.model == "Film" && damage.keys == 1...1
      }
      #expect { try reader.read(600_000..<600_001) } throws: { isDamage($0) }
      #expect { try reader.read(0..<1_000_000) } throws: { isDamage($0) }
      #expect(try reader.read(0..<530_000) == Array(bytes[..<530_000]))
      #expect(try reader.read(670_000..<1_000_000) == Array(bytes[670_000...]))
      #expect(try store.snapshot().find(Film.self, id: 1).title == "One")
      #expect(try store.verify().map(\.keys) == [1...1])
      // Elsewhere it can still be edited, and the damaged part be removed.
      try store.write { transaction in
        let editor = try transaction.blob(\Film.pictures, of: 1)
        try editor.write([1, 2, 3], at: 100)
        try editor.append([9])
      }
      #expect(try store.snapshot().blob(\Film.pictures, of: 1).read(99..<103)[1...] == [1, 2, 3])
    }
    try look(try open(damaged))
    let report = try Engine.salvage(path, to: "saved.roost", in: damaged)
    #expect(report.losses.map(\.field) == ["pictures"])
    #expect(report.losses.map(\.keys) == [1...1])
    #expect(report.tables.map(\.objectsSaved) == [2])
    var configuration = Configuration()
    configuration.fileSystem = damaged
    let saved = try Store(.file("saved.roost"), models: Film.self, configuration: configuration)
    #expect(try saved.snapshot().find(Film.self, id: 1).title == "One")
    #expect(
      try saved.snapshot().blob(\Film.pictures, of: 2).read(0..<5000) == noise(5000, seed: 2))
  }
}

private struct OptionalBlob: Model {
  let id: Int
  var blob: Blob?
  static let schema = Schema(OptionalBlob.init, Key("id", \.id), Field("blob", \.blob))
}

private struct BlobInOptional: Model {
  let id: Int
  var sound: Sound?
  static let schema = Schema(BlobInOptional.init, Key("id", \.id), Field("sound", \.sound))
}

private enum Old {
  struct Note: Model {
    let id: Int
    static let schema = Schema(Note.init, Key("id", \.id))
  }
}

private enum New {
  struct Note: Model {
    let id: Int
    var image: Blob
    var film: Blob
    static let schema = Schema(
      Note.init, Key("id", \.id), Field("image", \.image, .default(Blob([1, 2]))),
      Field("film", \.film))
  }
}
