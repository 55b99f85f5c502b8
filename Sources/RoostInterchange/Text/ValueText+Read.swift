package import RoostEngine

/// Field values read from text: CSV cells, JSON strings and numbers, and names of JSON members.
package enum ValueText {
  /// The expected form of a type's values, for errors.
  ///
  /// - Parameter null: How the text writes nil.
  static func expectation(_ shape: ValueShape, null: String = "null") -> String {
    let form =
      switch shape.type {
      case .bool: "true or false"
      case .int: "an integer of 64 bits"
      case .uint: "an unsigned integer of 64 bits"
      case .double, .float: "a number"
      case .string: "a string"
      case .data, .blob: "Base64"
      case .compound: "an object of its parts"
      case .date: "a date such as 2013-01-31 or 2013-01-31T05:00:00Z"
      case .uuid: "a UUID"
      case .duration: "seconds with at most 18 decimals"
      case .decimal: "a decimal number of at most 38 digits"
      case .json: "JSON"
      case .list, .set: "an array"
      case .links: "an array of identifiers"
      case .dictionary: "an object"
      case .link: "an identifier"
      }
    return shape.mayBeNil ? "\(form) or \(null)" : form
  }

  /// The expected form of a type's values, for the error about a text that has another.
  static func expectation(
    _ shape: ValueShape, null: String = "null", refused text: ArraySlice<UInt8>
  ) -> String {
    let form = expectation(shape, null: null)
    guard shape.type == .date else { return form }
    guard WrittenNumber.number(text, as: Double.self) != nil else {
      return TimeText.seconds(text, mayLackOffset: true) == nil
        ? form : form + " (for times without an offset, set `dates` of the format to `.textInUTC`)"
    }
    return form
      + " (for numbers, set `dates` of the format: `.secondsSince1970`, `.millisecondsSince1970` or "
      + "`.secondsSince2001`)"
  }

  /// The value in a text; nil if the text is not valid for the type.
  package static func value(_ text: ArraySlice<UInt8>, _ type: FieldType, _ times: TimeForm)
    -> Value?
  {
    switch type {
    case .bool:
      if text.elementsEqual("true".utf8) { return .integer(1) }
      return text.elementsEqual("false".utf8) ? .integer(0) : nil
    case .int: return WrittenNumber.integer(text, as: Int64.self).map { .integer($0) }
    case .uint:
      return WrittenNumber.integer(text, as: UInt64.self).map {
        .integer(Int64(bitPattern: $0 ^ FieldType.signBit))
      }
    case .double: return WrittenNumber.number(text, as: Double.self).map { .double($0) }
    case .float: return WrittenNumber.number(text, as: Float.self).map { .float($0) }
    case .date:
      if let seconds = TimeText.seconds(text, mayLackOffset: times == .textInUTC) {
        return .double(seconds)
      }
      return times.seconds(text).map { .double($0) }
    case .uuid: return BinaryText.uuid(text).map { .uuid($0.high, $0.low) }
    case .duration: return WrittenNumber.duration(text).map { .uuid($0.high, $0.low) }
    case .data, .compound, .blob: return BinaryText.base64(text).map { .bytes($0) }
    case .decimal: return WrittenNumber.decimal(text).map { .bytes($0) }
    case .string: return .bytes(Array(text))
    case .json, .list, .set, .dictionary, .link, .links: return nil
    }
  }

  /// Appends the value in a text to its column; false, without any change, if the text is not valid for the type.
  static func append(
    _ text: ArraySlice<UInt8>, _ shape: ValueShape, _ times: TimeForm, to column: ColumnBuffer,
    _ identifiers: inout [Value]
  ) -> Bool {
    // Two types are appended without an intermediate `Value`.
    if shape.type == .string && !shape.isLookedUp {
      text.withByteView { column.append(bytes: $0) }
      return true
    }
    if shape.type == .int, let number = WrittenNumber.integer(text, as: Int64.self) {
      column.append(number)
      return true
    }
    guard let value = value(text, shape.type, times) else { return false }
    guard shape.isLookedUp else {
      column.append(value)
      return true
    }
    column.append(Int64(identifiers.count))
    identifiers.append(value)
    return true
  }
}

extension TimeForm {
  /// The end of a text with seconds since 2001, for what ISO 8601 cannot express.
  static var unit: StaticString { " s" }

  /// The seconds since 2001 in a text that is not ISO 8601; nil if it is no date of this form.
  fileprivate func seconds(_ text: ArraySlice<UInt8>) -> Double? {
    let unit = ByteView(Self.unit).array
    if text.suffix(unit.count).elementsEqual(unit) {
      return WrittenNumber.number(text.dropLast(unit.count), as: Double.self)
    }
    guard let number = WrittenNumber.number(text, as: Double.self) else { return nil }
    switch self {
    case .iso8601, .textInUTC: return number.isFinite ? nil : number
    case .secondsSince1970: return number - TimeForm.secondsBetween
    case .millisecondsSince1970: return number / 1000 - TimeForm.secondsBetween
    case .secondsSince2001: return number
    }
  }
}
