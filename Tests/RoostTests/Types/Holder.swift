import Roost
import RoostTestSupport

/// A value of a type in every place where a model can have one.
struct Holder<V: RandomValue>: Model {
  let id: Int
  var plain: V
  var optional: V?
  var indexed: V?
  var box: Box<V>
  var optionalBox: Box<V>?
  var list: [V]
  var optionals: [V?]
  var set: Set<V>
  var dictionary: [V: V]
  var boxes: [Box<V>]
  var optionalBoxes: [Box<V>?]?

  static var schema: Schema<Self> {
    Schemas.of(Self.self) {
      Schema(
        Self.init(
          id:plain:optional:indexed:box:optionalBox:list:optionals:set:dictionary:boxes:
          optionalBoxes:),
        Key("id", \.id), Field("plain", \.plain), Field("optional", \.optional),
        Field("indexed", \.indexed, .indexed), Field("box", \.box),
        Field("optionalBox", \.optionalBox), Field("list", \.list),
        Field("optionals", \.optionals), Field("set", \.set), Field("dictionary", \.dictionary),
        Field("boxes", \.boxes), Field("optionalBoxes", \.optionalBoxes))
    }
  }
}

/// An embedded struct with another one in it.
struct Box<V: RandomValue>: Embedded {
  var value: V
  var inner: Inner<V>
  var optional: V?
  var optionalInner: Inner<V>?

  static var fields: Fields<Self> {
    Schemas.of(Self.self) {
      Fields(
        Self.init(value:inner:optional:optionalInner:), Part("value", \.value, .indexed),
        Part("inner", \.inner), Part("optional", \.optional),
        Part("optionalInner", \.optionalInner))
    }
  }

  static func random(_ random: inout SeededGenerator, _ pool: [V]) -> Box {
    Box(
      value: Pool.one(pool, &random), inner: Inner(value: Pool.one(pool, &random)),
      optional: Pool.maybe(pool, &random),
      optionalInner: Pool.maybe(pool, &random).map { Inner(value: $0) })
  }
}

struct Inner<V: RandomValue>: Embedded {
  var value: V
  static var fields: Fields<Self> {
    Schemas.of(Self.self) { Fields(Self.init(value:), Part("value", \.value)) }
  }
}

/// Values of which each occurs often, so that a comparison finds some objects and not others.
enum Pool {
  static func one<V>(_ pool: [V], _ random: inout SeededGenerator) -> V {
    pool[Int.random(in: 0..<pool.count, using: &random)]
  }
  static func maybe<V>(_ pool: [V], _ random: inout SeededGenerator) -> V? {
    random.chance(1, in: 4) ? nil : one(pool, &random)
  }
  static func some<V>(_ pool: [V], _ random: inout SeededGenerator) -> [V] {
    (0..<Int.random(in: 0...2, using: &random)).map { _ in one(pool, &random) }
  }
}

extension Holder {
  static func random(_ id: Int, _ random: inout SeededGenerator, _ pool: [V]) -> Holder {
    var dictionary: [V: V] = [:]
    for key in Pool.some(pool, &random) { dictionary[key] = Pool.one(pool, &random) }
    let boxes = (0..<Int.random(in: 0...2, using: &random)).map { _ in Box.random(&random, pool) }
    return Holder(
      id: id, plain: Pool.one(pool, &random), optional: Pool.maybe(pool, &random),
      indexed: Pool.maybe(pool, &random), box: .random(&random, pool),
      optionalBox: random.chance(1, in: 3) ? nil : .random(&random, pool),
      list: Pool.some(pool, &random),
      optionals: (0..<Int.random(in: 0...3, using: &random)).map { _ in Pool.maybe(pool, &random) },
      set: Set(Pool.some(pool, &random)), dictionary: dictionary, boxes: boxes,
      optionalBoxes: random.chance(1, in: 3)
        ? nil : boxes.map { random.chance(1, in: 3) ? nil : $0 })
  }
}

/// An object that is known by a value.
struct Keyed<V: RandomValue>: Model {
  let id: V
  var number: Int
  var next: Link<Keyed<V>>?
  static var schema: Schema<Self> {
    Schemas.of(Self.self) {
      Schema(
        Self.init(id:number:next:), Key("id", \.id), Field("number", \.number),
        Field("next", \.next))
    }
  }
}
