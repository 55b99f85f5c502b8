internal import RoostEngine

/// An object in an update's expression: the `$0` of `update(people, set: \.age, to: { $0.age + 1 })`.
///
/// Its properties are the model's, as ``FieldExpression``s to calculate with.
@dynamicMemberLookup
public struct ExpressionRoot<M: Model>: Sendable {
  /// An object of the model, whichever.
  public init() {}

  /// A field of the object.
  public subscript<Value: PropertyValue>(
    dynamicMember path: KeyPath<M, Value>
  ) -> FieldExpression<Value> {
    FieldExpression(.field(FieldStep(M.self, path)))
  }
}

/// What a field gets in an update: calculated of the object's fields, without decoding the object.
///
/// Made of fields and constants by `+`, `-`, `*` and `/`, which joins texts too, by `!` for a `Bool`, and by `??`. Where
/// one side is nil, so is the result. Integers are calculated in the field's own type, as Swift's are, and floating
/// numbers too. An expression is a value: it can be kept, compared and sent anywhere.
@dynamicMemberLookup
public struct FieldExpression<Value: PropertyValue>: Hashable, Sendable {
  let term: ExpressionTerm

  init(_ term: ExpressionTerm) { self.term = term }

  /// A part of an embedded struct.
  public subscript<Next: PropertyValue>(
    dynamicMember next: KeyPath<Value, Next>
  ) -> FieldExpression<Next> where Value: Embedded {
    FieldExpression<Next>(term.part(at: Value.fields.position(of: next), named: "\(next)"))
  }

  /// A part of an embedded struct; nil where there is none.
  public subscript<Struct: Embedded, Next: PropertyValue>(
    dynamicMember next: KeyPath<Struct, Next>
  ) -> FieldExpression<Next?> where Value == Struct? {
    // The column before says whether there is a struct.
    let position = Struct.fields.position(of: next).map { $0 + 1 }
    return FieldExpression<Next?>(term.part(at: position, named: "\(next)"))
  }
}

/// What an expression is made of, without a store.
indirect enum ExpressionTerm: Hashable, Sendable {
  case field(FieldStep)
  case constant(ExpressionConstant)
  case arithmetic(Arithmetic, NumberKind, ExpressionTerm, ExpressionTerm)
  case concatenation(ExpressionTerm, ExpressionTerm)
  case coalescing(ExpressionTerm, ExpressionTerm)

  /// A part of the embedded struct that this term is.
  func part(at place: Int?, named name: String) -> ExpressionTerm {
    // Nothing but a field is an embedded struct.
    guard case .field(let step) = self else { return self }
    return .field(step.part(at: place, named: name))
  }
}

/// A value of any type that a field can have.
struct ExpressionConstant: Hashable, Sendable {
  let value: any Storable

  static func == (a: ExpressionConstant, b: ExpressionConstant) -> Bool {
    AnyHashable(a.value) == AnyHashable(b.value)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}
