import RoostEngine
import RoostInterchange

/// A small JSON object whose members keep the order in which they were set.
struct JSONObject {
  /// A value.
  indirect enum Value {
    case string(String)
    case number(UInt64)
    case integer(Int64)
    case bool(Bool)
    case array([Value])
    case object(JSONObject)
  }

  private var members: [(name: String, value: Value)] = []

  /// Sets a member that is not there yet.
  subscript(name: String) -> Value? {
    get { members.first { $0.name == name }?.value }
    set { if let newValue { members.append((name, newValue)) } }
  }

  /// The object on one line.
  var text: String {
    var bytes: [UInt8] = []
    Self.add(.object(self), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func add(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .string(let text): bytes.addString(text)
    case .number(let number): bytes.append(contentsOf: "\(number)".utf8)
    case .integer(let number): bytes.addNumber(number)
    case .bool(let isTrue): if isTrue { bytes.add("true") } else { bytes.add("false") }
    case .array(let values):
      bytes.add("[")
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.add(",") }
        add(value, to: &bytes)
      }
      bytes.add("]")
    case .object(let object):
      bytes.add("{")
      for (index, member) in object.members.enumerated() {
        if index > 0 { bytes.add(",") }
        bytes.addString(member.name)
        bytes.add(":")
        add(member.value, to: &bytes)
      }
      bytes.add("}")
    }
  }
}
