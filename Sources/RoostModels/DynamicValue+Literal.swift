internal import RoostDynamic

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DynamicValue {
  /// The value as a literal in Swift; nil for a collection, and for what no literal is exactly.
  var swiftLiteral: String? {
    switch self {
    case .null: "nil"
    case .bool(let holds): "\(holds)"
    case .int(let number): "\(number)"
    case .uint(let number): "\(number)"
    case .double(let number): number.isFinite ? "\(number)" : nil
    case .float(let number): number.isFinite ? "\(number)" : nil
    case .string(let text): text.swiftLiteral
    case .data(let data): "Data([\(data.map { "\($0)" }.joined(separator: ", "))])"
    case .date(let date):
      date.timeIntervalSinceReferenceDate.isFinite
        ? "Date(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))" : nil
    case .uuid(let uuid): Self.literal(uuid)
    case .duration(let duration):
      "Duration(secondsComponent: \(duration.components.seconds), "
        + "attosecondsComponent: \(duration.components.attoseconds))"
    case .decimal(let number): Self.literal(number)
    case .json, .list, .dictionary, .record: nil
    }
  }

  private static func literal(_ uuid: UUID) -> String {
    let id = uuid.uuid
    let bytes = [
      id.0, id.1, id.2, id.3, id.4, id.5, id.6, id.7, id.8, id.9, id.10, id.11, id.12, id.13,
      id.14, id.15,
    ]
    return "UUID(uuid: (\(bytes.map { "\($0)" }.joined(separator: ", "))))"
  }

  private static func literal(_ number: Decimal) -> String? {
    guard !number.isNaN else { return nil }
    let digits = "\(number.significand)"
    guard Int64(digits) != nil else { return nil }
    return
      "Decimal(sign: .\(number.sign == .minus ? "minus" : "plus"), "
      + "exponent: \(number.exponent), significand: \(digits))"
  }
}
