internal import RoostDynamic

/// The fields of a table or of a struct by the parts of their names: `address.city` is in `address`.
struct FieldTree {
  /// One part of a name, with what is called so and what is in it.
  struct Node {
    var name: String
    /// What has this name itself: a value, or whether there is an optional struct.
    var leaf: Leaf?
    var parts = FieldTree()
  }

  /// A field, or a part of a collection's elements.
  struct Leaf {
    var name: String
    var type: DynamicType
    var isOptional: Bool
    /// The field; nil for a part of an element.
    var field: DynamicField?

    init(_ field: DynamicField) {
      (name, type, isOptional) = (field.name, field.type, field.isOptional)
      self.field = field
    }

    init(_ part: DynamicPart) {
      (name, type, isOptional) = (part.name, part.type, part.isOptional)
    }
  }

  private(set) var nodes: [Node] = []

  init() {}

  /// The tree of some fields, in their order.
  init(_ leaves: [Leaf]) {
    for leaf in leaves {
      let path = leaf.name.split(separator: ".", omittingEmptySubsequences: false)
      add(leaf, path.map(String.init)[...])
    }
  }

  private mutating func add(_ leaf: Leaf, _ path: ArraySlice<String>) {
    guard let name = path.first else { return }
    let place: Int
    if let known = nodes.firstIndex(where: { $0.name == name }) {
      place = known
    } else {
      place = nodes.count
      nodes.append(Node(name: name))
    }
    if path.count == 1 {
      nodes[place].leaf = leaf
    } else {
      nodes[place].parts.add(leaf, path.dropFirst())
    }
  }
}
