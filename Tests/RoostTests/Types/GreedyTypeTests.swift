import Roost
import RoostTestSupport
import Testing

/// Types that read more cells than they are stored in: memory behind a row's columns is nobody's.
@Suite struct GreedyTypeTests {
  /// A type that takes the store's own requirements, and describes one column and reads five.
  struct Greedy: PropertyValue {
    var number: Int
    static func _describe(_ columns: inout _Columns, default value: Greedy?) {
      Int._describe(&columns, default: value?.number)
    }
    static func _describeOptional(_ columns: inout _Columns, default value: Greedy??) {
      Int._describeOptional(&columns, default: value.map { $0?.number })
    }
    static func _decode(_ cells: inout _RowReader) throws(StoreError) -> Greedy {
      for _ in 0..<4 { _ = try Int._decode(&cells) }
      return Greedy(number: try Int._decode(&cells))
    }
    static func _decodeOptional(_ cells: inout _RowReader) throws(StoreError) -> Greedy? { nil }
    static func _encode(
      _ values: _ValueRun<Greedy>, to columns: inout _RowWriter
    ) throws(StoreError) {
      // Its only property.
      try Int._encode(unsafe values.property(at: 0, Int.self), to: &columns)
    }
    static func _encodeOptionals(
      _ values: _ValueRun<Greedy?>, to columns: inout _RowWriter
    ) throws(StoreError) {}
    static func _samples(_ count: Int) -> [Greedy] { [] }
  }

  struct Holder: Model {
    let id: Int
    var greedy: Greedy
    static let schema = Schema(
      Holder.init, Key("id", \.id), Field("greedy", \.greedy))
  }

  @Test func aTypeThatReadsMoreCellsThanItHasGetsAnError() throws {
    let store = try Store(.inMemory, models: Holder.self)
    try store.write { try $0.insert(Holder(id: 1, greedy: Greedy(number: 7))) }
    #expect(throws: StoreError.unknownField(model: "Holder", property: "what lies behind its last"))
    {
      try store.read { try $0.fetch(Holder.self, id: 1) }
    }
  }
}
