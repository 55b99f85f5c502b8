/// The result of passing sample values through a model's initializer and reading them back by its key paths.
struct SchemaTrial {
  /// A value of any type.
  ///
  /// Not `AnyHashable`, which looks a type's conformances up: that took a quarter of a small store's opening.
  struct Sample {
    private let value: any Equatable

    init<V: PropertyValue>(_ value: V) { self.value = value }

    /// Whether both are the same value of the same type.
    func isSame(as other: Sample) -> Bool { value.isSame(as: other.value) }
  }

  let sent: [Sample]
  let received: [Sample]
  /// The value that the initializer made.
  let object: Any

  /// The value of the property at `position` in a round of trials.
  ///
  /// A type with many values gives each property its own value. A type with few (`Bool`, an enum) numbers its
  /// properties with the values as digits: over the rounds, any two properties differ somewhere.
  static func sample<V: PropertyValue>(
    of type: V.Type, position: Int, among count: Int, round: Int
  ) throws(NoSample) -> V {
    let samples = V._samples(count + 1)
    guard !samples.isEmpty else { throw NoSample(property: nil) }
    if samples.count > count { return samples[position + 1] }
    var digit = position
    for _ in 0..<round { digit /= samples.count }
    return samples[digit % samples.count]
  }
}

extension Equatable {
  fileprivate func isSame(as other: any Equatable) -> Bool {
    guard let other = other as? Self else { return false }
    return self == other
  }
}

/// A type has no value to test a schema with.
struct NoSample: Error {
  /// The property of the type, if it is known.
  let property: String?
}

extension RecordLayout {
  /// The error if two properties of the same type are in different orders in the schema and the initializer, or are one.
  ///
  /// A property is reported only if it received another property's value in every round; an initializer that
  /// changes its arguments (clamps, trims) is not an error.
  var fieldOrderError: StoreError? { fieldOrderError(trials) }

  /// As many trials as tell any two properties apart; none if a type has no samples.
  fileprivate var trials: [SchemaTrial] {
    var roundCount = 1
    while 1 << roundCount < properties.count { roundCount += 1 }
    let trials = (0..<roundCount).compactMap(trial)
    return trials.count == roundCount ? trials : []
  }

  fileprivate func fieldOrderError(_ trials: [SchemaTrial]) -> StoreError? {
    guard !trials.isEmpty else { return nil }
    for position in properties.indices {
      let isOwn = trials.allSatisfy { $0.received[position].isSame(as: $0.sent[position]) }
      guard !isOwn else { continue }
      let source = properties.indices.first { other in
        trials.allSatisfy { $0.received[position].isSame(as: $0.sent[other]) }
      }
      if let source {
        let isOneProperty = trials.allSatisfy {
          $0.received[position].isSame(as: $0.received[source])
        }
        guard !isOneProperty else {
          return .schemaInvalid(
            model: ModelName.name(of: Root.self),
            reason: "the field \"\(properties[position].name)\" has the value of "
              + "\"\(properties[source].name)\" always: both name one property, or the initializer sets both "
              + "from one parameter.")
        }
        return .fieldOrder(
          model: ModelName.name(of: Root.self), field: properties[position].name,
          receives: properties[source].name)
      }
    }
    return nil
  }
}

extension RecordLayout where Root: Model {
  /// The error if the fields are in another order than in the initializer, or if the key is not the property `id`, by which
  /// programs name objects.
  var modelError: StoreError? {
    let trials = trials
    if let error = fieldOrderError(trials) { return error }
    guard let name = columns.fields.first(where: { $0.isKey })?.name,
      let position = properties.firstIndex(where: { $0.name == name })
    else { return nil }
    for trial in trials {
      guard let object = trial.object as? Root,
        !SchemaTrial.Sample(object.id).isSame(as: trial.received[position])
      else { continue }
      return .schemaInvalid(
        model: ModelName.name(of: Root.self),
        reason: "the key \"\(name)\" is not the property `id`: write `Key(\"\(name)\", \\.id)`, "
          + "and let `id` return it.")
    }
    return nil
  }
}
