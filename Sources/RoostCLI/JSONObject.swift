import RoostDynamic

/// A small JSON object whose members keep the order in which they were set.
struct JSONObject {
  private var members: [DynamicValue.Part] = []

  /// Sets a member that is not there yet.
  subscript(name: String) -> DynamicValue? {
    get { members.first { $0.name == name }?.value }
    set { if let newValue { members.append(DynamicValue.Part(name, newValue)) } }
  }

  /// The object as a member of another.
  var value: DynamicValue { .record(members) }

  /// The object on one line.
  var text: String { value.json }
}
