#if Macros
import Foundation
import Roost
import RoostInterchange
import Testing

@Model struct Kennel {
  let id: String
  @Unique var place: String
}

@Model struct Puppy {
  @Assigned let id: Int
  @Indexed var name: String
  @Named("years") var age: Int?
  var weight, height: Double
  @OnTargetDelete(.cascade) var kennel: Link<Kennel>?
  static let limit = 7
  var isYoung: Bool { age ?? 0 < 2 }
}

/// Models whose schema ``Model()`` writes, in use.
@Suite struct MacroTests {
  @Test func aStructWithTheMacroIsAModel() throws {
    let store = try Store(.inMemory, models: Kennel.self, Puppy.self)
    let rex = try store.write { transaction in
      try transaction.insert(Kennel(id: "k", place: "Delft"))
      return try transaction.insert(
        Puppy(
          id: .assigned, name: "Rex", age: 1, weight: 2, height: 3, kennel: Link(id: "k")))
    }
    #expect(rex.id == 1 && rex.isYoung)
    #expect(
      try store.read { try $0.fetch(Puppy.where { $0.name == "Rex" && $0.age < 2 }) } == [rex])
    var text: [UInt8] = []
    try Puppy.write([rex], to: TextOutput { text += $0 }, as: .csv)
    #expect(
      String(decoding: text, as: UTF8.self)
        == "id,name,years,weight,height,kennel\r\n1,Rex,1,2.0,3.0,k\r\n")
    try store.write { try $0.delete(Kennel.self, id: "k") }
    #expect(try store.read { try $0.count(Puppy.all) } == 0)
  }
}
#endif
