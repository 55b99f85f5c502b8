import Foundation
import Roost
import RoostTestSupport
import Testing

/// Single values under names.
@Suite struct ValueTests {
  /// The same settings at several times.
  enum First {
    struct Settings: Embedded {
      var theme: String
      var size: Int
      static let fields = Fields(Settings.init, Part("theme", \.theme), Part("size", \.size))
    }
  }
  enum Grown {
    struct Settings: Embedded {
      var theme: String
      var isLoud: Bool
      var address: Address?
      static let fields = Fields(
        Settings.init, Part("theme", \.theme), Part("isLoud", \.isLoud, .default(true)),
        Part("address", \.address))
    }
  }
  enum Demanding {
    struct Settings: Embedded {
      var theme: String
      var language: String
      static let fields = Fields(
        Settings.init, Part("theme", \.theme), Part("language", \.language))
    }
  }
  /// Nothing that must be there, so that only its names tell it from any other.
  struct Profile: Embedded {
    var nickname: String?
    static let fields = Fields(Profile.init, Part("nickname", \.nickname))
  }
  enum Progress: Opaque { case none, page(Int, of: Int) }

  private let settings = First.Settings(theme: "dark", size: 12)

  @Test func aValueIsWhatWasWrittenLast() throws {
    let store = try Store(.inMemory)
    try store.write { transaction in
      #expect(try transaction.value("settings", as: First.Settings.self) == nil)
      try transaction.setValue("settings", to: settings)
      #expect(try transaction.value("settings") == settings)
      try transaction.setValue("progress", to: Progress.page(3, of: 9))
      try transaction.setValue("progress", to: Progress.none)
      try transaction.setValue("seen", to: Set([3, 1]))
      try transaction.setValue("nothing", to: Int?.none)
    }
    let snapshot = store.snapshot()
    let size = try store.write {
      try $0.updateValue("settings", default: settings) { value in
        value.size += 1
        return value.size
      }
    }
    #expect(size == 13)
    #expect(try store.write { try $0.removeValue("progress") })
    #expect(try !store.write { try $0.removeValue("progress") })
    #expect(try snapshot.value("settings") == settings)
    #expect(try snapshot.value("progress", as: Progress.self) == Progress.none)
    let now = store.snapshot()
    #expect(try now.value("settings", as: First.Settings.self)?.size == 13)
    #expect(try now.value("progress", as: Progress.self) == nil)
    #expect(try now.value("seen") == Set([1, 3]))
    #expect(try now.value("nothing", as: Int?.self) == .some(nil))
    #expect(try store.verify() == [])
  }

  @Test func aValueFollowsItsTypeAsAModelDoes() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/values.roost"
      do {
        let store = try Store(.file(path))
        try store.write { try $0.setValue("settings", to: settings) }
      }
      let store = try Store(.file(path), models: Group.self)
      // Read before it was written as the new type, by a snapshot and in a transaction that changes nothing.
      let grown = Grown.Settings(theme: "dark", isLoud: true, address: nil)
      let old = store.snapshot()
      #expect(try old.value("settings") == grown)
      let version = try old.version
      try store.write { (transaction) throws in
        #expect(try transaction.value("settings") == grown)
      }
      #expect(try store.snapshot().version == version)
      var changed = grown
      changed.address = Address(city: "Delft", zip: nil, place: nil)
      try store.write { [changed] in try $0.setValue("settings", to: changed) }
      #expect(try store.snapshot().value("settings") == changed)
      #expect(try old.value("settings") == grown)
      #expect(try old.value("settings") == settings)
      #expect(
        throws: StoreError.schemaMismatch(
          model: "value:settings", field: "value.language", stored: "nothing",
          declared: "String without a default")
      ) { try store.snapshot().value("settings", as: Demanding.Settings.self) }
      #expect(try store.verify() == [])
    }
  }

  @Test func aValueOfAnotherTypeIsAnErrorUntilItIsRemoved() throws {
    let store = try Store(.inMemory)
    try store.write { try $0.setValue("settings", to: settings) }
    let foreign = StoreError.schemaMismatch(
      model: "value:settings", field: "value",
      stored: "nothing (there are \"value.theme\", \"value.size\")", declared: "Int")
    #expect(throws: foreign) { try store.snapshot().value("settings", as: Int.self) }
    #expect(throws: foreign) { try store.write { try $0.setValue("settings", to: 7) } }
    #expect(throws: StoreError.self) {
      try store.snapshot().value("settings", as: Profile.self)
    }
    #expect(throws: StoreError.self) {
      try store.write { try $0.setValue("settings", to: Profile(nickname: "A")) }
    }
    #expect(try store.snapshot().value("settings") == settings)
    try store.write { transaction in
      try transaction.removeValue("settings")
      try transaction.setValue("settings", to: 7)
      #expect(
        throws: StoreError.schemaMismatch(
          model: "value:settings", field: "value", stored: "Int", declared: "String")
      ) { try transaction.value("settings", as: String.self) }
    }
    #expect(try store.snapshot().value("settings") == 7)
    #expect(try store.verify() == [])
  }

  @Test func aLinkUnderANameIsALinkLikeAnyOther() throws {
    let store = try Store(.inMemory, models: Tag.self)
    try store.write { transaction in
      try transaction.insert(Tag(id: "vip", color: 1))
      try transaction.setValue("favourite", to: Link<Tag>(id: "vip"))
    }
    #expect(try store.snapshot().value("favourite") == Link<Tag>(id: "vip"))
    #expect(
      throws: StoreError.linkedTarget(
        model: "Tag", id: "vip", linkingModel: "value:favourite", linkingField: "value")
    ) { try store.write { try $0.delete(Tag.self, id: "vip") } }
    #expect(throws: StoreError.self) {
      try store.write { try $0.setValue("favourite", to: Link<Tag>(id: "nobody")) }
    }
    try store.write { transaction in
      try transaction.delete(Tag.self, id: "vip")
      #expect(try transaction.value("favourite") == Link<Tag>(id: "vip"))
      try transaction.removeValue("favourite")
    }
    #expect(try store.snapshot().value("favourite", as: Link<Tag>.self) == nil)
    #expect(try store.verify() == [])
  }

  private struct Refusal: Error {}

  /// Names whose values have a type each, and the same in dictionaries.
  private struct Contents: Equatable {
    var numbers: [String: Int] = [:]
    var texts: [String: String] = [:]
    var settings: [String: First.Settings] = [:]

    static let names = (0..<4).map { "name \($0)" }

    mutating func change(
      _ transaction: WriteTransaction, _ random: inout SeededGenerator
    ) throws {
      let name = Self.names[Int.random(in: 0..<4, using: &random)]
      let number = Int.random(in: 0..<5, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        try transaction.setValue("number \(name)", to: number)
        numbers[name] = number
      case 1:
        let text = String(repeating: "text ", count: number * 300)
        try transaction.setValue("text \(name)", to: text)
        texts[name] = text
      case 2:
        let value = First.Settings(theme: name, size: number)
        try transaction.setValue("settings \(name)", to: value)
        settings[name] = value
      case 3:
        #expect(
          try transaction.removeValue("number \(name)")
            == (numbers.removeValue(forKey: name) != nil))
      case 4:
        #expect(
          try transaction.removeValue("settings \(name)")
            == (settings.removeValue(forKey: name) != nil))
      default:
        try transaction.updateValue("number \(name)", default: 100) { $0 += 1 }
        numbers[name] = numbers[name, default: 100] + 1
      }
    }

    static func read(_ reader: some ObjectReader) throws -> Contents {
      var contents = Contents()
      for name in names {
        contents.numbers[name] = try reader.value("number \(name)")
        contents.texts[name] = try reader.value("text \(name)")
        contents.settings[name] = try reader.value("settings \(name)")
      }
      return contents
    }
  }

  @Test(arguments: 0..<8)
  func valuesComeAndGoAndAreUndoneWithTheirTransactions(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store(.inMemory, models: Group.self)
    var contents = Contents()
    var kept: [(Snapshot, Contents)] = []
    for round in 0..<60 {
      let before = contents
      let fails = random.chance(1, in: 4)
      try? store.write { transaction in
        for _ in 0..<Int.random(in: 1..<5, using: &random) {
          try contents.change(transaction, &random)
          if random.chance(1, in: 4) {
            try transaction.upsert(Group(id: round, name: "group", size: nil))
          }
          let saved = contents
          if random.chance(1, in: 4) {
            try? transaction.savepoint {
              try contents.change(transaction, &random)
              throw Refusal()
            }
            contents = saved
          }
          if random.chance(1, in: 3) { #expect(try Contents.read(transaction) == contents) }
        }
        if fails { throw Refusal() }
      }
      if fails { contents = before }
      #expect(try Contents.read(store.snapshot()) == contents, "seed \(seed), round \(round)")
      if random.chance(1, in: 10) { kept.append((store.snapshot(), contents)) }
    }
    for (snapshot, contents) in kept { #expect(try Contents.read(snapshot) == contents) }
    #expect(try store.verify() == [])
  }
}
