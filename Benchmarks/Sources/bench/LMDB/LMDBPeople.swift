import CLMDB
import Foundation
import Roost

/// People and groups in LMDB.
final class LMDBPeople: PeopleDatabase {
  private let environment: LMDBEnvironment
  private let people: MDB_dbi
  private let groups: MDB_dbi
  private let byName: MDB_dbi
  private let byGroup: MDB_dbi
  private var hasIndexes: Bool

  convenience init(creating path: String) throws {
    try self.init(path, hasIndexes: false)
  }

  convenience init(opening path: String) throws {
    try self.init(path, hasIndexes: true)
  }

  private init(_ path: String, hasIndexes: Bool) throws {
    self.hasIndexes = hasIndexes
    environment = try LMDBEnvironment(path: path)
    let sortedIDs = MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP
    let tables = try environment.open([
      ("people", MDB_INTEGERKEY), ("groups", MDB_INTEGERKEY), ("people by name", sortedIDs),
      ("people by group", sortedIDs | MDB_INTEGERKEY),
    ])
    (people, groups, byName, byGroup) = (tables[0], tables[1], tables[2], tables[3])
  }

  func insertion(of groups: [Group], _ people: [Person]) -> () throws -> Void {
    // Someone who loads sorted data knows that it is sorted.
    let ascends = zip(people, people.dropFirst()).allSatisfy { $0.id < $1.id }
    return { [self] in
      try environment.write { transaction in
        for group in groups {
          var name = group.name
          try name.withUTF8 { name in
            try withKey(group.id) { key in
              try transaction.put(self.groups, key, MDB_val(UnsafeRawBufferPointer(name)))
            }
          }
        }
        for person in people { try put(person, in: transaction, appending: ascends) }
      }
    }
  }

  private func put(
    _ person: Person, in transaction: LMDBTransaction, appending: Bool = false
  ) throws {
    try PersonRecord.withBytes(of: person) { record in
      try withKey(person.id) { id in
        try transaction.put(people, id, record, flags: appending ? MDB_APPEND : 0)
        guard hasIndexes else { return }
        try transaction.put(byName, PersonRecord(record).name, id)
        try withKey(person.group.id) { try transaction.put(byGroup, $0, id) }
      }
    }
  }

  func addIndexes() throws {
    var names: [(name: String, id: Int)] = []
    var members: [(group: Int, id: Int)] = []
    try scan { id, record in
      names.append((String(decoding: UnsafeRawBufferPointer(record.name), as: UTF8.self), id))
      members.append((record.group, id))
      return true
    }
    names.sort { $0 < $1 }
    members.sort { $0 < $1 }
    try environment.write { transaction in
      for (name, id) in names {
        var name = name
        try name.withUTF8 { name in
          let key = MDB_val(UnsafeRawBufferPointer(name))
          try withKey(id) {
            try transaction.put(byName, key, $0, flags: MDB_APPENDDUP)
          }
        }
      }
      for (group, id) in members {
        try withKey(group) { group in
          try withKey(id) { try transaction.put(byGroup, group, $0, flags: MDB_APPENDDUP) }
        }
      }
    }
    hasIndexes = true
  }

  func close() { environment.close() }

  /// Gives every person to `body`, in the order of ids, until it says false.
  @inline(__always)
  private func scan(_ body: (Int, PersonRecord) throws -> Bool) throws {
    try environment.read { transaction in
      try transaction.withCursor(people) { cursor in
        var key = MDB_val()
        var value = MDB_val()
        while try cursor.move(MDB_NEXT, &key, &value) {
          guard try body(key.mv_data.loadUnaligned(as: Int.self), PersonRecord(value)) else {
            return
          }
        }
      }
    }
  }
}

/// A person's record, where LMDB keeps it.
private struct PersonRecord {
  // Offsets: createdAt 0, score 8, group 16, age 18, isActive 19, lengths of name and e-mail 20 and 21, their bytes 22.
  private static let header = 22
  private let bytes: UnsafeMutableRawPointer

  init(_ value: MDB_val) {
    bytes = value.mv_data
  }

  var createdAt: Int { bytes.loadUnaligned(as: Int.self) }
  var score: Double { bytes.loadUnaligned(fromByteOffset: 8, as: Double.self) }
  var group: Int { Int(bytes.loadUnaligned(fromByteOffset: 16, as: UInt16.self)) }
  var age: Int { Int(bytes.load(fromByteOffset: 18, as: UInt8.self)) }
  var isActive: Bool { bytes.load(fromByteOffset: 19, as: UInt8.self) != 0 }
  private var nameCount: Int { Int(bytes.load(fromByteOffset: 20, as: UInt8.self)) }
  private var emailCount: Int { Int(bytes.load(fromByteOffset: 21, as: UInt8.self)) }

  var name: MDB_val { MDB_val(mv_size: nameCount, mv_data: bytes + Self.header) }
  var email: MDB_val { MDB_val(mv_size: emailCount, mv_data: bytes + Self.header + nameCount) }

  func setAge(_ age: Int) {
    bytes.storeBytes(of: UInt8(truncatingIfNeeded: age), toByteOffset: 18, as: UInt8.self)
  }

  static func withBytes<R>(of person: Person, _ body: (MDB_val) throws -> R) rethrows -> R {
    try withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { bytes in
      bytes.storeBytes(of: person.createdAt, toByteOffset: 0, as: Int.self)
      bytes.storeBytes(of: person.score, toByteOffset: 8, as: Double.self)
      bytes.storeBytes(of: UInt16(person.group.id), toByteOffset: 16, as: UInt16.self)
      bytes[18] = UInt8(person.age)
      bytes[19] = person.isActive ? 1 : 0
      var name = person.name
      var email = person.email
      let nameCount = name.withUTF8 { name in
        UnsafeMutableRawBufferPointer(rebasing: bytes[header...]).copyMemory(
          from: UnsafeRawBufferPointer(name))
        return name.count
      }
      let emailCount = email.withUTF8 { email in
        UnsafeMutableRawBufferPointer(rebasing: bytes[(header + nameCount)...]).copyMemory(
          from: UnsafeRawBufferPointer(email))
        return email.count
      }
      bytes[20] = UInt8(nameCount)
      bytes[21] = UInt8(emailCount)
      return try body(
        MDB_val(mv_size: header + nameCount + emailCount, mv_data: bytes.baseAddress))
    }
  }
}

extension LMDBPeople: Lookups {
  func sumOfIDAndAge(ids: [Int]) throws -> Int {
    try environment.read { try Self.sumOfIDAndAge(ids: ids[...], people, $0) }
  }

  @inline(__always)
  private static func sumOfIDAndAge(
    ids: ArraySlice<Int>, _ people: MDB_dbi, _ transaction: LMDBTransaction
  ) throws -> Int {
    var sum = 0
    for id in ids {
      guard let value = try withKey(id, { try transaction.get(people, $0) }) else { continue }
      sum += id + PersonRecord(value).age
    }
    return sum
  }
}

extension LMDBPeople: Scans {
  func count(age: Int) throws -> Int {
    var count = 0
    try scan { _, person in
      count += person.age == age ? 1 : 0
      return true
    }
    return count
  }

  func count(nameContaining text: String) throws -> Int {
    var count = 0
    var text = text
    try text.withUTF8 { text in
      try scan { _, person in
        let name = person.name
        count += memmem(name.mv_data, name.mv_size, text.baseAddress, text.count) != nil ? 1 : 0
        return true
      }
    }
    return count
  }

  func count(olderThan age: Int, scoreBelow score: Double) throws -> Int {
    var count = 0
    try scan { _, person in
      count += person.age > age && person.score < score ? 1 : 0
      return true
    }
    return count
  }

  func aggregate() throws -> PeopleAggregate {
    var score = 0.0
    var age = 0
    var latest = 0
    var count = 0
    try scan { _, person in
      score += person.score
      age += person.age
      latest = max(latest, person.createdAt)
      count += 1
      return true
    }
    return PeopleAggregate(
      scoreSum: score, averageAge: Double(age) / Double(max(count, 1)), latest: latest)
  }
}

extension LMDBPeople: IndexedQueries {
  func sumOfIDAndAge(names: [String]) throws -> Int {
    try environment.read { transaction in
      try transaction.withCursor(byName) { cursor in
        var sum = 0
        for var name in names {
          sum += try name.withUTF8 {
            try sumOfIDAndAge(MDB_val(UnsafeRawBufferPointer($0)), cursor, transaction)
          }
        }
        return sum
      }
    }
  }

  func sumOfIDAndAge(groups: Range<Int>) throws -> Int {
    try environment.read { transaction in
      try transaction.withCursor(byGroup) { cursor in
        var sum = 0
        for group in groups {
          sum += try withKey(group) { try sumOfIDAndAge($0, cursor, transaction) }
        }
        return sum
      }
    }
  }

  /// Over the people whose ids an index has under a key: a page of ids at a time.
  private func sumOfIDAndAge(
    _ key: MDB_val, _ index: LMDBCursor, _ transaction: LMDBTransaction
  ) throws -> Int {
    var key = key
    var page = MDB_val()
    guard try index.move(MDB_SET, &key, &page) else { return 0 }
    var sum = 0
    var operation = MDB_GET_MULTIPLE
    while try index.move(operation, &key, &page) {
      operation = MDB_NEXT_MULTIPLE
      for offset in stride(from: 0, to: page.mv_size, by: 8) {
        let id = page.mv_data.loadUnaligned(fromByteOffset: offset, as: Int.self)
        guard let value = try withKey(id, { try transaction.get(people, $0) }) else { continue }
        sum += id + PersonRecord(value).age
      }
    }
    return sum
  }

  func lengthOfGroupNames(ofFirst count: Int) throws -> Int {
    try environment.read { transaction in
      try transaction.withCursor(people) { cursor in
        var length = 0
        var key = MDB_val()
        var value = MDB_val()
        for _ in 0..<count {
          guard try cursor.move(MDB_NEXT, &key, &value) else { break }
          let group = PersonRecord(value).group
          length += try withKey(group) { try transaction.get(groups, $0) }?.mv_size ?? 0
        }
        return length
      }
    }
  }

  func weightedGroupCounts() throws -> Int {
    try environment.read { transaction in
      try transaction.withCursor(byGroup) { cursor in
        var sum = 0
        for group in 0..<People.groupCount {
          try withKey(group) { key in
            var key = key
            var value = MDB_val()
            guard try cursor.move(MDB_SET, &key, &value) else { return }
            sum += group * (try cursor.valueCount())
          }
        }
        return sum
      }
    }
  }
}

extension LMDBPeople: Sorts {
  /// What people are sorted by; the bytes of the name stay where LMDB keeps them.
  private struct SortKey: Comparable {
    let age: Int
    let name: MDB_val

    @inline(__always)
    static func < (a: SortKey, b: SortKey) -> Bool {
      if a.age != b.age { return a.age < b.age }
      let order = memcmp(a.name.mv_data, b.name.mv_data, min(a.name.mv_size, b.name.mv_size))
      return order != 0 ? order < 0 : a.name.mv_size < b.name.mv_size
    }

    static func == (a: SortKey, b: SortKey) -> Bool { !(a < b) && !(b < a) }
  }

  func firstHundredOfAllSorted() throws -> Checksum {
    try environment.read { transaction in
      var keys: [SortKey] = []
      try forEachKey(transaction) { keys.append($0) }
      keys.sort()
      return Self.checksum(keys.prefix(100))
    }
  }

  func firstHundred() throws -> Checksum {
    try environment.read { transaction in
      // The hundred least so far, in order: after the first few hundred people hardly one gets in.
      var least: [SortKey] = []
      try forEachKey(transaction) { key in
        if least.count == 100, let last = least.last, !(key < last) { return }
        let place = least.firstIndex { key < $0 } ?? least.endIndex
        least.insert(key, at: place)
        if least.count > 100 { least.removeLast() }
      }
      return Self.checksum(least[...])
    }
  }

  private func forEachKey(_ transaction: LMDBTransaction, _ body: (SortKey) -> Void) throws {
    try transaction.withCursor(people) { cursor in
      var key = MDB_val()
      var value = MDB_val()
      while try cursor.move(MDB_NEXT, &key, &value) {
        let person = PersonRecord(value)
        body(SortKey(age: person.age, name: person.name))
      }
    }
  }

  private static func checksum(_ keys: ArraySlice<SortKey>) -> Checksum {
    var checksum = Checksum()
    for key in keys {
      checksum.add(key.age)
      checksum.add(UnsafeRawBufferPointer(key.name))
    }
    return checksum
  }
}

extension LMDBPeople: Walks {
  func touchEveryField() throws -> Int {
    var sum = 0
    try scan { id, person in
      let name = person.name
      let email = person.email
      sum &+= personTouch(
        id: id, name: (name.firstByte, name.mv_size), email: (email.firstByte, email.mv_size),
        age: person.age, score: person.score, createdAt: person.createdAt,
        isActive: person.isActive, group: person.group)
      return true
    }
    return sum
  }

  func everyone() throws -> [Person] {
    var everyone: [Person] = []
    try scan { id, person in
      everyone.append(
        Person(
          id: id, name: String(decoding: UnsafeRawBufferPointer(person.name), as: UTF8.self),
          email: String(decoding: UnsafeRawBufferPointer(person.email), as: UTF8.self),
          age: person.age, score: person.score, createdAt: person.createdAt,
          isActive: person.isActive, group: Link(id: person.group)))
      return true
    }
    return everyone
  }
}

extension LMDBPeople: Reads {
  func beginAndEndReads(_ count: Int) throws {
    for _ in 0..<count { try environment.read { _ in } }
  }

  func makeReader() -> any PeopleReader { Reader(environment, people) }

  /// Keeps its transaction, and renews it for each version: cheaper than a new one.
  private final class Reader: PeopleReader {
    private let environment: LMDBEnvironment
    private let people: MDB_dbi
    private var transaction: LMDBTransaction?

    init(_ environment: LMDBEnvironment, _ people: MDB_dbi) {
      self.environment = environment
      self.people = people
    }

    func sumOfIDAndAge(ids: ArraySlice<Int>) throws -> Int {
      let current: LMDBTransaction
      if let transaction {
        current = transaction
        try LMDBError.check(mdb_txn_renew(current.handle))
      } else {
        // Made on the thread that reads: LMDB ties it to that.
        current = try environment.begin(readOnly: true)
        transaction = current
      }
      defer { mdb_txn_reset(current.handle) }
      return try LMDBPeople.sumOfIDAndAge(ids: ids, people, current)
    }

    func close() {
      if let transaction { mdb_txn_abort(transaction.handle) }
      transaction = nil
    }
  }
}

extension LMDBPeople: Commits {
  func insertAlone(_ person: Person) throws {
    try environment.write { try put(person, in: $0) }
  }

  func updateAlone(id: Int, age: Int) throws {
    try environment.write { try updateAge(of: id, to: age, in: $0) }
  }

  func withoutSyncs(_ body: () throws -> Void) throws {
    try environment.setSyncs(false)
    try body()
    try environment.setSyncs(true)
  }

  private func updateAge(of id: Int, to age: Int, in transaction: LMDBTransaction) throws {
    try withKey(id) { key in
      guard let value = try transaction.get(people, key) else { return }
      try withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { bytes in
        bytes.copyMemory(from: UnsafeRawBufferPointer(value))
        let record = MDB_val(mv_size: value.mv_size, mv_data: bytes.baseAddress)
        PersonRecord(record).setAge(age)
        try transaction.put(people, key, record)
      }
    }
  }
}

extension LMDBPeople: ConcurrentCommits {
  func updateConcurrently(id: Int, age: Int) throws { try updateAlone(id: id, age: age) }
}

extension LMDBPeople: Changes {
  func updateAges(ids: [Int], to age: Int) throws {
    try environment.write { transaction in
      for id in ids { try updateAge(of: id, to: age, in: transaction) }
    }
  }

  func delete(ids: [Int]) throws {
    try environment.write { transaction in
      for id in ids {
        try withKey(id) { key in
          guard let value = try transaction.get(people, key) else { return }
          let person = PersonRecord(value)
          // The first deletion may move the record, so the group is taken before.
          let group = person.group
          try transaction.delete(byName, person.name, value: key)
          try withKey(group) { try transaction.delete(byGroup, $0, value: key) }
          try transaction.delete(people, key)
        }
      }
    }
  }

  func compactAndClose() throws -> String { try environment.compactAndClose() }
}
