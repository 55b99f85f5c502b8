internal import Roost
internal import RoostImport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The type of the same cases that is printed with the models of a Realm file: its JSON is what a store has.
indirect enum AnyRealmValue: Opaque {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Float)
  case double(Double)
  case string(String)
  case malformedString(Data)
  case data(Data)
  case date(seconds: Int64, nanoseconds: Int32)
  case decimal(high: UInt64, low: UInt64)
  case objectID(String)
  case uuid(UUID)
  case link(className: String, key: Int64)
  case list([AnyRealmValue])
  case dictionary([Entry])

  struct Entry: Codable, Hashable {
    var key: AnyRealmValue
    var value: AnyRealmValue
  }

  init(_ value: RealmValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let bool): .bool(bool)
      case .int(let integer): .int(integer)
      case .float(let float): .float(float)
      case .double(let double): .double(double)
      case .string(let string): .string(string)
      case .malformedString(let bytes): .malformedString(bytes)
      case .data(let data): .data(data)
      case .date(let date): .date(seconds: date.seconds, nanoseconds: date.nanoseconds)
      case .decimal(let number): .decimal(high: number.high, low: number.low)
      case .objectID(let id): .objectID(id.description)
      case .uuid(let uuid): .uuid(uuid)
      case .link(let link), .embedded(let link):
        .link(className: link.className, key: link.key)
      case .list(let values), .set(let values): .list(values.map(AnyRealmValue.init))
      case .dictionary(let entries):
        .dictionary(
          entries.map { Entry(key: AnyRealmValue($0.key), value: AnyRealmValue($0.value)) })
      }
  }
}
