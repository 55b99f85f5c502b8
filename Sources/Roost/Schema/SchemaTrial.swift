/// The result of passing sample values through a model's initializer and reading them back by its key paths.
struct SchemaTrial {
  /// A value, and its type.
  struct Sample: Hashable {
    let value: AnyHashable
    let type: ObjectIdentifier

    init<V: PropertyValue>(_ value: V) {
      self.value = AnyHashable(value)
      type = ObjectIdentifier(V.self)
    }
  }

  let sent: [Sample]
  let received: [Sample]

  /// The value that the property at `position` gets in a round of trials.
  ///
  /// A type with many values gives each property its own. A type with few (`Bool`, an enum) numbers its
  /// properties with the values as digits: over the rounds, any two of them differ somewhere.
  static func sample<V: PropertyValue>(
    of type: V.Type, position: Int, among count: Int, round: Int
  ) throws(NoSample) -> V {
    let samples = V._samples(count + 1)
    guard !samples.isEmpty else { throw NoSample() }
    if samples.count > count { return samples[position + 1] }
    var digit = position
    for _ in 0..<round { digit /= samples.count }
    return samples[digit % samples.count]
  }
}

/// There is no value of a type to try a schema with.
struct NoSample: Error {}

extension RecordLayout {
  /// The error, where two properties of the same type have changed places between the schema and the initializer.
  ///
  /// A property is blamed only if it received another one's value in every round; an initializer that
  /// changes what it gets (clamps, trims) is nobody's mistake.
  var fieldOrderError: StoreError? {
    var roundCount = 1
    while 1 << roundCount < properties.count { roundCount += 1 }
    let trials = (0..<roundCount).compactMap(trial)
    guard trials.count == roundCount else { return nil }
    for position in properties.indices {
      let isOwn = trials.allSatisfy { $0.received[position] == $0.sent[position] }
      guard !isOwn else { continue }
      let source = properties.indices.first { other in
        trials.allSatisfy { $0.received[position] == $0.sent[other] }
      }
      if let source {
        return .fieldOrder(
          model: ModelName.name(of: Root.self), field: properties[position].name,
          receives: properties[source].name)
      }
    }
    return nil
  }
}
