#if Tool
import RoostDynamic
import RoostTool

extension StoreDifference.Change {
  /// A line for people.
  var text: String {
    switch self {
    case .onlyBefore(let model): "- \(model)"
    case .onlyAfter(let model): "+ \(model)"
    case .inserted(let model, let key): "+ \(model) \(key.json)"
    case .deleted(let model, let key): "- \(model) \(key.json)"
    case .modified(let model, let key, let fields):
      "~ \(model) \(key.json): "
        + fields.map { "\($0.name) \(Self.short($0.before)) → \(Self.short($0.after))" }
        .joined(separator: ", ")
    }
  }

  /// The beginning of a value.
  private static func short(_ value: DynamicValue) -> String {
    value.listed(fitting: TextTable.cellMax)
  }

  /// A line for programs.
  var json: JSONObject {
    var object = JSONObject()
    func set(_ kind: String, _ model: String, _ key: DynamicValue?) {
      object["change"] = .string(kind)
      object["model"] = .string(model)
      object["key"] = key
    }
    switch self {
    case .onlyBefore(let model): set("onlyBefore", model, nil)
    case .onlyAfter(let model): set("onlyAfter", model, nil)
    case .inserted(let model, let key): set("inserted", model, key)
    case .deleted(let model, let key): set("deleted", model, key)
    case .modified(let model, let key, let fields):
      set("modified", model, key)
      var changes = JSONObject()
      for field in fields { changes[field.name] = .list([field.before, field.after]) }
      object["fields"] = changes.value
    }
    return object
  }
}
#endif
