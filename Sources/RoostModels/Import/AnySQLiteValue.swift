internal import Roost
internal import RoostImportSQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The type of the same cases that is printed with the models of an SQLite file: its JSON is what a store has.
enum AnySQLiteValue: Opaque {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case malformedText(Data)
  case blob(Data)

  init(_ value: SQLiteValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): .text(text)
      case .malformedText(let bytes): .malformedText(bytes)
      case .blob(let bytes): .blob(bytes)
      }
  }
}
