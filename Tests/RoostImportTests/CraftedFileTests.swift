import Foundation
import RoostImport
import Testing

/// Files made by hand: trees of forms that the samples do not have, and references that lead astray.
@Suite struct CraftedFileTests {
  private typealias Builder = RealmBuilder

  /// The values of the only property of the only class.
  private func values(_ file: [UInt8], bytesMax: Int = 16 << 20) throws -> [RealmValue] {
    let temporary = try TemporaryFile(file)
    let source = try RealmSource(temporary.url, valueBytesMax: bytesMax)
    let definition = try #require(source.classes.first)
    let property = try #require(definition.properties.first)
    var objects = try source.objects(definition.name)
    var values: [RealmValue] = []
    while let object = try objects.next() {
      values.append(try object.value(property.name))
      #expect(try source.object(object.link)?.key == object.key)
    }
    return values
  }

  /// The reason of the error that reading the file throws; nil if it has another error or none.
  private func damage(_ file: [UInt8]) -> String? {
    do {
      _ = try values(file)
      return nil
    } catch RealmError.damaged(_, _, let reason) {
      return reason
    } catch {
      return "\(error)"
    }
  }

  private func file(
    _ column: Builder.Column, _ build: (inout Builder) -> UInt64
  ) -> [UInt8] {
    var builder = Builder()
    let root = build(&builder)
    let table = builder.table(key: 0, [column], objects: root)
    return builder.file([("class_Crafted", table)])
  }

  private static let int = Builder.Column(name: "value", type: 0)
  private static let list = Builder.Column(name: "value", type: 0, attributes: 32)
  private static let mixed = Builder.Column(name: "value", type: 6, attributes: 16)

  @Test func treesOfObjectsHaveSeveralLevelsWithKeysAndWithout() throws {
    let file = file(Self.int) { builder in
      var inner: [UInt64] = []
      for level in 0..<3 {
        var leaves: [UInt64] = []
        for leaf in 0..<2 {
          let values = builder.integers([Int64(level * 10 + leaf), -1])
          // The first leaf numbers its objects, the second names their keys.
          let keys = leaf == 0 ? Builder.tagged(2) : builder.array([3, 200])
          leaves.append(builder.array([keys, values], .references))
        }
        inner.append(
          builder.array(
            [0, Builder.tagged(1), Builder.tagged(4)] + leaves, .references, .inner))
      }
      let keys = builder.array([0, 1 << 20, 1 << 50])
      return builder.array(
        [keys, Builder.tagged(2), Builder.tagged(12)] + inner, .references, .inner)
    }
    let temporary = try TemporaryFile(file)
    let source = try RealmSource(temporary.url)
    var objects = try source.objects("Crafted")
    var found: [[Int64]] = []
    while let object = try objects.next() {
      found.append([object.key, try object["value"]])
      #expect(try source.object(object.link)?["value"] as Int64? == found.last?[1])
    }
    var expected: [[Int64]] = []
    for (level, base) in [Int64(0), 1 << 20, 1 << 50].enumerated() {
      let value = Int64(level * 10)
      expected += [
        [base, value], [base + 1, -1], [base + 256 + 3, value + 1], [base + 456, -1],
      ]
    }
    #expect(found == expected)
    #expect(try source.count(of: "Crafted") == 12)
    for key in [Int64(2), 258, 1 << 20 - 1, 1 << 51, .max, -1] {
      #expect(try source.object(RealmValue.Link(className: "Crafted", key: key)) == nil)
    }
  }

  @Test func aNodeThatIsItsOwnChildIsAnError() {
    let objects = file(Self.int) { builder in
      let place = builder.zeros(0) + 8
      return builder.array(
        [0, Builder.tagged(1), Builder.tagged(2), place], .references, .inner)
    }
    #expect(damage(objects) == "a tree is deeper than it can be")
    let elements = file(Self.list) { builder in
      let place = builder.zeros(0) + 8
      let tree = builder.array([Builder.tagged(1), place, Builder.tagged(1)], .references, .inner)
      let lists = builder.array([tree], .references)
      return builder.array([Builder.tagged(1), lists], .references)
    }
    #expect(damage(elements) == "a tree is deeper than it can be")
  }

  @Test func aMixedListThatContainsItselfIsAnError() {
    let file = file(Self.mixed) { builder in
      let place = builder.zeros(0) + 8
      // The leaf's composites, and the references of its collections, lie behind it.
      let composites = place + 8 + 5 * 8
      let references = composites + 16
      let leaf = builder.array([composites, 0, 0, 0, references], .references)
      #expect(leaf == place)
      _ = builder.array([20 | 4 << 5])
      _ = builder.array([leaf], .references)
      return builder.array([Builder.tagged(1), leaf], .references)
    }
    #expect(damage(file) == "a tree is deeper than it can be")
  }

  @Test func manyReferencesToOneNodeAreBoundedByMemoryOrByTheFile() {
    let elements = file(Self.list) { builder in
      var tree = builder.zeros(1000)
      var count: UInt64 = 1000
      for _ in 0..<3 {
        let children = [UInt64](repeating: tree, count: 200)
        count *= 200
        tree = builder.array(
          [Builder.tagged(1)] + children + [Builder.tagged(count)], .references, .inner)
      }
      let lists = builder.array([tree], .references)
      return builder.array([Builder.tagged(1), lists], .references)
    }
    #expect(throws: RealmError.tooLarge(bytesMax: 16 << 20)) { try values(elements) }
    let objects = file(Self.int) { builder in
      let column = builder.zeros(256)
      var tree = builder.array([Builder.tagged(256), column], .references)
      for depth in 1...5 {
        let children = [UInt64](repeating: tree, count: 256)
        tree = builder.array(
          [0, Builder.tagged(UInt64(depth)), Builder.tagged(1 << 48)] + children,
          .references, .inner)
      }
      return tree
    }
    #expect(damage(objects) == "a tree has more nodes than fit in the file")
  }

  @Test(arguments: [8, 20, 1 << 40, UInt64.max, UInt64(Int64.max) - 7, 1 << 63])
  func referencesOutOfTheFileAreErrors(reference: UInt64) {
    #expect(damage(RealmBuilder().file(top: reference)) != nil)
    let root = file(Self.int) { _ in reference & ~1 }
    #expect(damage(root) != nil)
    let column = file(Self.int) { $0.array([Builder.tagged(1), reference & ~1], .references) }
    #expect(damage(column) != nil)
  }

  @Test func lengthsBeyondTheFileAreErrors() {
    let blob = file(Builder.Column(name: "value", type: 4, attributes: 16)) { builder in
      let blob = builder.blob([1, 2, 3], claiming: 1 << 23)
      let leaf = builder.array([blob], .references, .context)
      return builder.array([Builder.tagged(1), leaf], .references)
    }
    #expect(damage(blob) == "a node has more elements than the file or its kind can hold")
    let count = file(Self.int) { builder in
      let column = builder.integers([1, 2])
      return builder.array([Builder.tagged(3), column], .references)
    }
    #expect(damage(count) == "arrays that belong together differ in length")
    let objects = file(Self.int) { builder in
      let column = builder.zeros(257)
      return builder.array([Builder.tagged(257), column], .references)
    }
    #expect(damage(objects) == "a node has more elements than the file or its kind can hold")
  }

  @Test func keysThatDoNotAscendAreAnError() {
    let file = file(Self.int) { builder in
      let keys = builder.array([5, 5])
      let column = builder.integers([1, 2])
      return builder.array([keys, column], .references)
    }
    #expect(damage(file) == "the keys of objects do not ascend")
    let large = self.file(Self.int) { builder in
      let keys = builder.array([1 << 63])
      let column = builder.integers([1])
      return builder.array([keys, column], .references)
    }
    #expect(damage(large) == "the keys of objects do not ascend")
  }

  @Test func aListOfAMillionNeedsTheMemoryThatItIsAllowed() throws {
    let file = file(Self.list) { builder in
      var trees: [UInt64] = []
      for _ in 0..<40 {
        let leaves = (0..<25).map { _ in builder.zeros(1000) }
        trees.append(
          builder.array(
            [Builder.tagged(1000)] + leaves + [Builder.tagged(25_000)], .references, .inner))
      }
      let root = builder.array(
        [Builder.tagged(25_000)] + trees + [Builder.tagged(1_000_000)], .references, .inner)
      let lists = builder.array([root], .references)
      return builder.array([Builder.tagged(1), lists], .references)
    }
    #expect(throws: RealmError.tooLarge(bytesMax: 16 << 20)) { try values(file) }
    let zeros = [RealmValue](repeating: .int(0), count: 1_000_000)
    #expect(try values(file, bytesMax: 128 << 20) == [.list(zeros)])
  }

  @Test func textThatIsNotUTF8IsKeptAsItsBytes() throws {
    let file = file(Builder.Column(name: "value", type: 2, attributes: 16)) { builder in
      let text = builder.blob([0x41, 0xff, 0])
      let leaf = builder.array([text], .references, .context)
      return builder.array([Builder.tagged(1), leaf], .references)
    }
    #expect(try values(file) == [.malformedString(Data([0x41, 0xff]))])
  }
}
