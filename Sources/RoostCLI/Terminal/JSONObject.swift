import RoostDynamic

/// A small JSON object whose members keep their insertion order.
struct JSONObject {
  private var members: [DynamicValue.Part] = []

  /// Sets a new member.
  subscript(name: String) -> DynamicValue? {
    get { members.first { $0.name == name }?.value }
    set { if let newValue { members.append(DynamicValue.Part(name, newValue)) } }
  }

  /// The object as a member of another.
  var value: DynamicValue { .record(members) }

  /// The object on one line.
  var text: String { value.json }
}
