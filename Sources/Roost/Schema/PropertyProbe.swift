internal import RoostEngine
internal import Synchronization

/// A key path in the cache of a layout.
///
/// Sendable because only key paths that lead to a field are kept: the indexes of a subscript in one, if there are
/// any, do not matter, and nothing changes them.
struct FoundPath: Hashable, @unchecked Sendable {
  private let path: AnyKeyPath

  init(_ path: AnyKeyPath) { self.path = path }
}

extension RecordLayout {
  /// The positions of the columns of the property that a key path leads to; nil if it leads to no field.
  ///
  /// In code over a protocol of models, `\Object.isDirty` leads through the protocol's requirement, and equals no key
  /// path of the schema: the field behind it is then found by sample values, once.
  func positions(of path: AnyKeyPath) -> Range<Int>? {
    let fields = columns.fields
    // A key path literal in the program is usually the same object as the schema's.
    for position in fields.indices where fields[position].path?.keyPath === path {
      return position..<position + 1
    }
    let key = FoundPath(path)
    if let found = foundPaths.withLock({ $0[key] }) { return found }
    guard
      let found = columns.positions(of: path) ?? columns.positions(ofOptionalPart: path)
        ?? probedPositions(of: path)
    else { return nil }
    foundPaths.withLock { $0[key] = found }
    return found
  }

  /// The name, for errors, of a property that is no field, and the reason if no samples could be made to find it.
  func nameOfUnknown(_ path: AnyKeyPath) -> String {
    let name = path.propertyName
    guard columns.places.contains(where: { Swift.type(of: path).valueType == $0.valueType }) else {
      return name
    }
    do throws(NoSample) {
      _ = try probes(.plain)
      return name
    } catch {
      return "\(name), which could not be compared with the fields (no value of "
        + "\"\(error.property ?? "")\" is known; its `.default` would be one)"
    }
  }

  /// Values with properties that calculations are likely to change.
  var unusualSamples: [Root] { (try? probes(.unusual)).map { Array($0.prefix(8)) } ?? [] }

  private func probedPositions(of path: AnyKeyPath) -> Range<Int>? {
    guard let type = Swift.type(of: path).valueType as? any PropertyValue.Type else { return nil }
    return probedPositions(of: path, type)
  }

  /// The positions of the property that equals the value at a key path in all probes; nil if several do.
  private func probedPositions<Value: PropertyValue>(
    of path: AnyKeyPath, _ type: Value.Type
  ) -> Range<Int>? {
    guard let path = path as? KeyPath<Root, Value> else { return nil }
    var candidates = columns.places.compactMap { place in
      (place.path?.keyPath as? KeyPath<Root, Value>).map { (path: $0, columns: place.columns) }
    }
    for kind in ProbeKind.allCases {
      // The getter of a calculated property should meet usual values first, and none that it need not.
      guard !candidates.isEmpty, let probes = try? probes(kind) else { return nil }
      for probe in probes where !candidates.isEmpty {
        let value = probe[keyPath: path]
        candidates.removeAll { probe[keyPath: $0.path] != value }
      }
    }
    return candidates.count == 1 ? candidates.first?.columns : nil
  }
}

extension _Columns {
  /// The positions of the columns of the property with a key path that equals this.
  fileprivate func positions(of path: AnyKeyPath) -> Range<Int>? {
    places.first { $0.path?.keyPath == path }?.columns
  }

  /// The properties: each field, and each embedded struct.
  fileprivate var places: [PropertyPlace] {
    fields.indices.map { PropertyPlace(path: fields[$0].path, columns: $0..<$0 + 1) }
      + groups.map { PropertyPlace(path: $0.path, columns: $0.columns) }
  }
}

/// A property, and the positions of its columns.
private struct PropertyPlace {
  let path: PropertyPath?
  let columns: Range<Int>

  var valueType: Any.Type? { path.map { type(of: $0.keyPath).valueType } }
}

/// Which values the properties of probes have.
enum ProbeKind: CaseIterable, Sendable {
  /// The values that a schema's order is tested with.
  case plain
  /// Also values that a calculation is likely to change.
  case unusual

  /// The number of probes.
  var count: Int { self == .plain ? 16 : 48 }
}

/// The values that a property has in some probes.
struct ProbeValues<Value: PropertyValue> {
  private let values: [Value]

  init<Root>(of property: Property<Root, Value>, _ kind: ProbeKind) throws(NoSample) {
    var values = Value._samples(16)
    if kind == .unusual { values += Value._unusualSamples }
    if values.isEmpty {
      for option in property.options {
        if case .defaulted(let value) = option.kind { values.append(value) }
      }
    }
    if values.isEmpty { throw NoSample(property: property.name) }
    self.values = values
  }

  /// The value of the property at `position` in the probe `number`: drawn at random, the same in each run.
  func value(in number: Int, at position: Int) -> Value {
    var bits = UInt64(truncatingIfNeeded: number << 32 | position) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return values[Int(truncatingIfNeeded: (bits ^ bits >> 31) % UInt64(values.count))]
  }
}

extension AnyKeyPath {
  /// The property's name for errors.
  ///
  /// A key path knows the name of a computed property only if the program exports its symbols; otherwise it has an address.
  package var propertyName: String {
    let name = "\(self)"
    return name.contains("<computed 0x")
      ? "a calculated property of type \(type(of: self).valueType)" : name
  }
}
