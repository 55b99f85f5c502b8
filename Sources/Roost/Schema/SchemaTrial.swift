internal import RoostEngine

/// What became of sample values that went through a model's initializer and came back by its key paths.
struct SchemaTrial: Sendable {
  /// A value as it is stored, and its type.
  struct Sample: Hashable, Sendable {
    let value: Value
    let type: ObjectIdentifier

    init<V: Storable>(_ value: V) {
      self.value = value._constant.value
      type = ObjectIdentifier(V.self)
    }
  }

  let sent: [Sample]
  let received: [Sample]
}

/// There is no value of a type to try a schema with.
struct NoSample: Error {}

extension Schema {
  /// The value that the field at `position` gets in a round of trials.
  ///
  /// A type with many values gives each field its own. A type with few (`Bool`, an enum) numbers its
  /// fields with the values as digits: over the rounds, any two fields differ somewhere.
  static func sample<V: Storable>(
    of type: V.Type, position: Int, among count: Int, round: Int
  ) throws(NoSample) -> V {
    let samples = V._samples(count + 1)
    guard !samples.isEmpty else { throw NoSample() }
    if samples.count > count { return samples[position + 1] }
    var digit = position
    for _ in 0..<round { digit /= samples.count }
    return samples[digit % samples.count]
  }

  /// Throws where two fields of the same type have changed places between the schema and the initializer.
  ///
  /// A field is blamed only if it received another field's value in every round; an initializer that
  /// changes what it gets (clamps, trims) is nobody's mistake.
  func checkFieldOrder() throws(StoreError) {
    var roundCount = 1
    while 1 << roundCount < fields.count { roundCount += 1 }
    let trials = (0..<roundCount).compactMap(trial)
    guard trials.count == roundCount else { return }
    for position in fields.indices {
      let isOwn = trials.allSatisfy { $0.received[position] == $0.sent[position] }
      guard !isOwn else { continue }
      let source = fields.indices.first { other in
        trials.allSatisfy { $0.received[position] == $0.sent[other] }
      }
      if let source {
        throw .fieldOrder(
          model: ModelName.name(of: M.self), field: fields[position].name,
          receives: fields[source].name)
      }
    }
  }
}
