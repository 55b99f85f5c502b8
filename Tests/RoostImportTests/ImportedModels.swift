import Foundation
import Roost
import RoostImport
import RoostTestSupport

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
