import Foundation
import Roost
import RoostImport
import RoostTestSupport

/// The models that `object-store.realm` becomes.
enum Imported {
  struct Person: Model {
    let id: RealmValue.ObjectID
    var name: String
    var email: String?
    var age: Int
    var born: RealmValue.Timestamp?
    var balance: RealmValue.Decimal128
    var friend: Link<Person>?
    var dogs: Links<Dog>
    var tags: Set<String>
    var address: Address?
    static let schema = Schema(
      Person.init, Key("id", \.id), Field("name", \.name), Field("email", \.email),
      Field("age", \.age), Field("born", \.born), Field("balance", \.balance),
      Field("friend", \.friend), Field("dogs", \.dogs), Field("tags", \.tags),
      Field("address", \.address))
  }

  struct Address: Embedded {
    var street: String?
    var zip: Int
    static let fields = Fields(
      Address.init(street:zip:), Part("street", \.street), Part("zip", \.zip))

    init(street: String?, zip: Int) {
      self.street = street
      self.zip = zip
    }

    init(_ object: RealmSource.Object) throws {
      self.init(street: try object["street"], zip: try object["zip"])
    }
  }

  struct Dog: Model {
    let id: String
    var weight: Double
    static let schema = Schema(Dog.init, Key("id", \.id), Field("weight", \.weight))
  }

  struct Note: Model {
    let id: Int
    var text: String
    var isPinned: Bool?
    static let schema = Schema(
      Note.init, Key("id", \.id), Field("text", \.text), Field("isPinned", \.isPinned))
  }

  /// Everything in the file. Persons are first, though they link to dogs.
  static func all(_ importer: inout Importer) {
    people(&importer)
    importer.objects("Dog") { Dog(id: try $0.id(), weight: try $0["weight"]) }
    importer.objects("Note") {
      Note(id: try $0.id(), text: try $0["text"], isPinned: try $0["pinned"])
    }
  }

  static func people(_ importer: inout Importer) {
    importer.objects("Person") {
      Person(
        id: try $0.id(), name: try $0["name"], email: try $0["email"], age: try $0["age"],
        born: try $0["born"], balance: try $0["balance"], friend: try $0.link("bestFriend"),
        dogs: try $0.links("dogs"), tags: try $0["tags"],
        address: try $0.object("address").map(Address.init))
    }
  }
}

/// Objects of files that are made for a test.
struct Item: Model {
  let id: Int
  var value: Int
  static let schema = Schema(Item.init, Key("id", \.id), Field("value", \.value))

  static func mapping(_ importer: inout Importer) {
    importer.objects("Item") { Item(id: try $0.id(), value: try $0["value"]) }
  }

  /// A `.realm` file with such objects, and others of the class `Other`.
  static func file(_ values: [Int: Int], others: [Int: Int] = [:]) -> [UInt8] {
    var builder = RealmBuilder()
    let column = RealmBuilder.Column(name: "value", type: 0)
    let itemTree = tree(values.sorted { $0.key < $1.key }, &builder)
    let items = builder.table(key: 0, [column], objects: itemTree)
    let otherTree = tree(others.sorted { $0.key < $1.key }, &builder)
    let other = builder.table(key: 1, [column], objects: otherTree)
    return builder.file([("class_Item", items), ("class_Other", other)])
  }

  /// Clusters of up to 256 objects under one node, as their keys allow.
  private static func tree(_ objects: [(key: Int, value: Int)], _ builder: inout RealmBuilder)
    -> UInt64
  {
    let clusters = Dictionary(grouping: objects) { $0.key >> 8 }
    var leaves: [UInt64] = []
    for base in clusters.keys.sorted() {
      let cluster = clusters[base] ?? []
      let keys = builder.array(cluster.map { UInt64($0.key & 255) })
      let values = builder.integers(cluster.map { Int64($0.value) })
      leaves.append(builder.array([keys, values], .references))
    }
    guard !leaves.isEmpty else {
      return builder.array([RealmBuilder.tagged(0), builder.integers([])], .references)
    }
    let bases = builder.array(clusters.keys.sorted().map { UInt64($0) << 8 })
    return builder.array(
      [bases, RealmBuilder.tagged(1), RealmBuilder.tagged(UInt64(objects.count))] + leaves,
      .references, .inner)
  }
}
