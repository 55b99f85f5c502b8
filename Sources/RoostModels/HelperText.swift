/// The texts of the types.
extension Helper {
  /// The lines of its declaration.
  func lines(_ name: String, _ names: Names) -> [Substring] {
    let text =
      switch self {
      case .json: Self.json(name, names)
      case .realmValue: Self.realmValue(name, names)
      case .sqliteValue: Self.sqliteValue(name, names)
      }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func json(_ name: String, _ names: Names) -> String {
    let string = names.library("String", "Swift")
    return """
      /// A value in JSON, its numbers as `Int64` or `Double`: write the type that it stands for instead, as an `Opaque` one.
      indirect enum \(name): \(names.library("Opaque", "Roost")) {
        case null
        case bool(\(names.library("Bool", "Swift")))
        case integer(\(names.library("Int64", "Swift")))
        case number(\(names.library("Double", "Swift")))
        case text(\(string))
        case array([\(name)])
        case object([\(string): \(name)])

        init(from decoder: any Decoder) throws {
          let value = try decoder.singleValueContainer()
          if value.decodeNil() {
            self = .null
          } else if let bool = try? value.decode(\(names.library("Bool", "Swift")).self) {
            self = .bool(bool)
          } else if let integer = try? value.decode(\(names.library("Int64", "Swift")).self) {
            self = .integer(integer)
          } else if let text = try? value.decode(\(string).self) {
            self = .text(text)
          } else if let number = try? value.decode(\(names.library("Double", "Swift")).self) {
            self = .number(number)
          } else if let array = try? value.decode([\(name)].self) {
            self = .array(array)
          } else {
            self = .object(try value.decode([\(string): \(name)].self))
          }
        }

        func encode(to encoder: any Encoder) throws {
          var value = encoder.singleValueContainer()
          switch self {
          case .null: try value.encodeNil()
          case .bool(let bool): try value.encode(bool)
          case .integer(let integer): try value.encode(integer)
          case .number(let number): try value.encode(number)
          case .text(let text): try value.encode(text)
          case .array(let array): try value.encode(array)
          case .object(let object): try value.encode(object)
          }
        }
      }
      """
  }

  /// A type whose values have kinds: the cases of an enum, as Swift encodes it.
  static func caseNamed(_ name: String, json: String, _ names: Names) -> [Substring] {
    let string = names.library("String", "Swift")
    let text = """
      /// A value of an enum with payloads, as JSON, with the name of its case: write the enum instead.
      struct \(name): \(names.library("CaseNamed", "Roost")) {
        var json: \(json)

        struct Kind: RawRepresentable, \(names.library("Sortable", "Roost")) {
          var rawValue: \(string)
        }

        var kind: Kind {
          switch json {
          case .text(let text): Kind(rawValue: text)
          case .object(let object): Kind(rawValue: object.keys.first ?? "")
          default: Kind(rawValue: "")
          }
        }

        init(from decoder: any Decoder) throws { json = try \(json)(from: decoder) }

        func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
      }
      """
    return text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func realmValue(_ name: String, _ names: Names) -> String {
    let string = names.library("String", "Swift")
    let data = names.library("Data", "Foundation")
    let uuid = names.library("UUID", "Foundation")
    let int = names.library("Int64", "Swift")
    return """
      /// What Realm calls AnyRealmValue: a value of any type.
      indirect enum \(name): \(names.library("Opaque", "Roost")), RealmDecodable {
        case null
        case bool(\(names.library("Bool", "Swift")))
        case int(\(int))
        case float(\(names.library("Float", "Swift")))
        case double(\(names.library("Double", "Swift")))
        case string(\(string))
        case malformedString(\(data))
        case data(\(data))
        case date(seconds: \(int), nanoseconds: \(names.library("Int32", "Swift")))
        case decimal(high: \(names.library("UInt64", "Swift")), low: \(names.library("UInt64", "Swift")))
        case objectID(\(string))
        case uuid(\(uuid))
        case link(className: \(string), key: \(int))
        case list([\(name)])
        case dictionary([Entry])

        struct Entry: Codable, Hashable {
          var key: \(name)
          var value: \(name)
        }

        static func decode(realm value: RealmValue) -> RealmReading<\(name)> {
          .exact(\(name)(value))
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
            case .list(let values), .set(let values): .list(values.map(\(name).init))
            case .dictionary(let entries):
              .dictionary(
                entries.map { Entry(key: \(name)($0.key), value: \(name)($0.value)) })
            }
        }
      }
      """
  }

  private static func sqliteValue(_ name: String, _ names: Names) -> String {
    let data = names.library("Data", "Foundation")
    return """
      /// A value in a column that has values of several types.
      enum \(name): \(names.library("Opaque", "Roost")), SQLiteDecodable {
        case null
        case integer(\(names.library("Int64", "Swift")))
        case real(\(names.library("Double", "Swift")))
        case text(\(names.library("String", "Swift")))
        case malformedText(\(data))
        case blob(\(data))

        static func decode(sqlite value: SQLiteValue) -> SQLiteReading<\(name)> {
          switch value {
          case .null: .exact(.null)
          case .integer(let integer): .exact(.integer(integer))
          case .real(let real): .exact(.real(real))
          case .text(let text): .exact(.text(text))
          case .malformedText(let bytes): .exact(.malformedText(bytes))
          case .blob(let bytes): .exact(.blob(bytes))
          }
        }
      }
      """
  }
}
