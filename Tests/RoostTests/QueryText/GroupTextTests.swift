import Roost
import RoostEngine
import RoostQueryText
import Testing

/// What queries for groups print, and that the engine reads it.
@Suite struct GroupTextTests {
  @Test func groupsArePrintedAndReadByTheEngine() throws {
    let store = try Store(.inMemory, models: Group.self, Person.self)
    let catalog = store.binding.catalog
    let people = Person.where { $0.age >= 3 }
    let several = people.order(by: \.name).limit(99)
      .grouped(by: { $0.mood }, { $0.group.name.orNil })
    let ranked =
      several
      .having { ($0.count > 2 || $0.key.1 == nil) && $0.max { $0.age } > $0.min { $0.id } }
      .order(descending: true) { $0.sum { $0.score } }.order { $0.key.1 }.limit(5, offset: 1)
    let whole = """
      Person where age >= 3 sort name limit 99 group mood, group.name \
      select count, max(age), min(id), sum(score) \
      having (count > 2 || group.name == nil) && max(age) > min(id) \
      sort sum(score) desc, group.name limit 5 offset 1
      """
    let byGroup = people.grouped { $0.group }
    let texts: [(String, String)] = [
      ("\(people.grouped { $0.mood })", "Person where age >= 3 group mood"),
      (
        "\(byGroup.having { $0.key != Link(id: 7) })",
        "Person where age >= 3 group group having group != 7"
      ), ("\(ranked)", whole),
    ]
    for (text, expected) in texts {
      #expect(text == expected)
      #expect(try GroupQuery(text, in: catalog).text(in: catalog) == text)
    }
  }

  @Test func aLinkThatOnlyAStoreCanLookUpHasNoText() {
    let groups = Letter.all.grouped { $0.stamp }
    #expect("\(groups)" == "Letter group stamp")
    let text = "\(groups.having { $0.key == Link(id: "blue") })"
    #expect(text.hasPrefix("Letter: ") && text.contains("stamp"))
  }
}

private struct Stamp: Model {
  let id: String
  static let schema = Schema(Stamp.init, Key("id", \.id))
}

private struct Letter: Model {
  let id: Int
  var stamp: Link<Stamp>
  static let schema = Schema(Letter.init, Key("id", \.id), Field("stamp", \.stamp))
}
