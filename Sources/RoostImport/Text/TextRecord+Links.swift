public import Roost

extension TextRecord {
  /// The key by which a file names the record, where no property is its key.
  ///
  /// It is the object key, `_key`, that `realm2json` gives to objects without a primary key, or what identifies an object in
  /// Realm Studio's `$refId`. A primary key is a value like others: `try record["_id"]`.
  ///
  /// - Throws: ``TextRecordError/noKey(className:line:column:)`` if there is neither; if the type cannot hold the key.
  public func id<Key: TextDecodable>(as type: Key.Type = Key.self) throws(TextRecordError) -> Key {
    guard case .members(let members) = content, let key = Self.ownKey(members, of: className) else {
      throw .noKey(className: className, line: line, column: "")
    }
    return try decoded(key, "_key")
  }

  /// A link to another record, by its key: a `Link`, nil for null.
  ///
  /// A value is the key itself. A link of `realm2json` names it, and so does `$ref` of Realm Studio. An object that stands there
  /// in place of the link, as in Realm Studio's JSON, has the key in its member `key`.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - key: The member that is the target's key; else it is that of ``id(as:)``.
  ///   - target: The model.
  /// - Throws: If there is no key, or the target's id cannot hold it.
  public func link<Target: Model>(
    _ column: String, key: String? = nil, to target: Target.Type = Target.self
  ) throws(TextRecordError) -> Link<Target>? where Target.ID: TextDecodable {
    let stored = try value(column)
    if stored.isMissing { return nil }
    return Link(id: try decoded(try self.key(in: stored, key, column), column))
  }

  /// Links to other records, in the order of an array.
  ///
  /// - Parameters:
  ///   - column: The column; a field of CSV is JSON.
  ///   - key: As for ``link(_:key:to:)``.
  ///   - target: The model.
  /// - Throws: As ``link(_:key:to:)``; if the value is neither an array nor null.
  public func links<Target: Model>(
    _ column: String, key: String? = nil, to target: Target.Type = Target.self
  ) throws(TextRecordError) -> Links<Target> where Target.ID: TextDecodable {
    var ids: [Target.ID] = []
    for element in try targets(column) {
      // A deleted target leaves null in a list.
      if element == .null { continue }
      ids.append(try decoded(try self.key(in: element, key, column), column))
    }
    return Links(ids: ids)
  }

  /// The elements of a list of links; `realm2json` once wrote `{"table": "class_Dog", "keys": [1, 2]}`.
  private func targets(_ column: String) throws(TextRecordError) -> [TextValue] {
    if case .object(let parts) = try value(column), parts.count == 2, parts["table"] != nil,
      case .list(let keys)? = parts["keys"]
    {
      return keys
    }
    return try list(column)
  }

  /// The key in a link.
  private func key(
    in link: TextValue, _ member: String?, _ column: String
  ) throws(TextRecordError) -> TextValue {
    switch link {
    case .link(_, let key): return key
    case .object(let members):
      if case .string(let reference)? = members["$ref"], members.count == 1 {
        return try key(ofReference: reference, column)
      }
      if let member { return members[member] ?? .null }
      if members.count == 2, members["table"] != nil, let key = members["key"] { return key }
      if let key = members["_key"] { return key }
      if case .string(let reference)? = members["$refId"] {
        return try key(ofReference: reference, column)
      }
      throw .noKey(className: className, line: line, column: prefix + column)
    default: return link
    }
  }

  /// The key in a `$ref`: `Person#5`, or `Person5` of older releases.
  private func key(
    ofReference reference: String, _ column: String
  ) throws(TextRecordError) -> TextValue {
    let keys = reader.classNames.compactMap { Self.key(ofReference: reference, to: $0) }
    let marked = reader.classNames.filter { reference.hasPrefix($0 + "#") }
    if marked.count == 1, let key = Self.key(ofReference: reference, to: marked[0]) { return key }
    // `Person51` may be 51 of `Person`, or 1 of `Person5`.
    guard let key = keys.first, keys.count == 1 else {
      throw mismatch(column, .string(reference), asked: "a reference to one class")
    }
    return key
  }

  /// The key in a reference to an object of a class; nil for one of another class.
  private static func key(ofReference reference: String, to className: String) -> TextValue? {
    guard reference.hasPrefix(className) else { return nil }
    let rest = reference.dropFirst(className.count)
    let key = rest.first == "#" ? rest.dropFirst() : rest
    return key.isEmpty ? nil : .field(String(key))
  }

  private static func ownKey(_ members: [String: TextValue], of className: String) -> TextValue? {
    if let key = members["_key"] { return key }
    guard case .string(let reference)? = members["$refId"] else { return nil }
    return key(ofReference: reference, to: className)
  }
}
