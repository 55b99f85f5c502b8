import Foundation
import Roost

/// What redb's benchmark stores: a key of 24 random bytes, here a text, and a value of 150.
struct Entry: Model {
  let id: String
  var value: Data

  static let schema = Schema(Entry.init(id:value:), Key("id", \.id), Field("value", \.value))

  static let keyBytes = 24
  static let valueBytes = 150
}

extension Entry {
  /// The entry of a number, always the same.
  init(number: Int) {
    var random = SplitMix64(seed: UInt64(number) &* 0x9E37_79B9)
    self.init(id: Self.key(using: &random), value: Self.value(using: &random))
  }

  static func key(_ number: Int) -> String {
    var random = SplitMix64(seed: UInt64(number) &* 0x9E37_79B9)
    return key(using: &random)
  }

  private static func key(using random: inout SplitMix64) -> String {
    String(unsafeUninitializedCapacity: keyBytes) { bytes in
      for place in 0..<keyBytes { bytes[place] = UInt8(ascii: "0") + UInt8(random.below(64)) }
      return keyBytes
    }
  }

  private static func value(using random: inout SplitMix64) -> Data {
    Data((0..<valueBytes).map { _ in UInt8(random.below(256)) })
  }
}

/// A database of entries. What a method writes is one transaction, durable when it returns.
protocol EntryDatabase: FileDatabase {
  func insert(_ entries: [Entry]) throws
  func count() throws -> Int
  /// What the values of these keys add up to, see ``textTouch(_:)``; one transaction, one lookup a key.
  func touch(_ keys: [String]) throws -> Int
  /// The same for ten entries from each of these keys on, in the order of keys.
  func touchTen(from keys: [String]) throws -> Int
  func delete(_ keys: [String]) throws
  /// What another thread reads with.
  func reader() throws -> any EntryDatabase
  /// Gives unused space back; returns the path of the result. The database is closed afterwards.
  func compactAndClose() throws -> String
}

extension Subject {
  var entryDatabase: (any EntryDatabase.Type)? {
    switch self {
    case .roost: RoostEntries.self
    case .sqlite: SQLiteEntries.self
    case .lmdb: LMDBEntries.self
    #if GRDB
    case .grdb, .grdbRows: nil
    #endif
    }
  }
}
