#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

/// Why one property of a model cannot be stored, and what to do instead.
struct PropertyProblem: DiagnosticMessage {
  enum Reason: String {
    case function, tuple, existential, pointer, unwrapped, optionalLinks, optionalBlob
    case weak, unowned, lazy
  }

  let reason: Reason
  /// The property's name.
  let name: String

  var message: String {
    switch reason {
    case .function:
      "'\(name)' holds a function, which cannot be stored; make the property computed or static"
    case .tuple: "'\(name)' holds a tuple, which cannot be stored; use a struct that is 'Embedded'"
    case .existential:
      "'\(name)' holds values of any type, and only those of one known type can be stored; use an enum that is 'Opaque' for several"
    case .pointer:
      "'\(name)' holds a pointer, which means nothing in a file; store what it points to"
    case .unwrapped:
      "'\(name)' is unwrapped where it is read, though nothing may be stored; make it optional with '?'"
    case .optionalLinks: "'\(name)' is a list of links, which may be empty, but not nil"
    case .optionalBlob: "'\(name)' is a blob, which may be empty, but not nil"
    case .weak, .unowned:
      "'\(name)' is a reference, which cannot be stored; use a 'Link' to another model, which keeps no object in memory"
    case .lazy:
      "'\(name)' is lazy, and so the initializer that Swift writes takes it, too; make it computed, or write an initializer"
    }
  }

  var diagnosticID: MessageID {
    MessageID(domain: "RoostMacros", id: "property." + reason.rawValue)
  }
  var severity: DiagnosticSeverity { .error }

  // MARK: Types

  /// The problem with a property's type; nil if the syntax shows none.
  static func diagnostic(_ type: TypeSyntax, of name: String) -> Diagnostic? {
    if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      let optional = OptionalTypeSyntax(
        wrappedType: unwrapped.wrappedType, trailingTrivia: unwrapped.trailingTrivia)
      return mendable(.unwrapped, name, type, by: TypeSyntax(optional))
    }
    if let wrapped = wrapped(type), let inner = nominal(wrapped)?.name {
      let bare = wrapped.with(\.trailingTrivia, type.trailingTrivia)
      if inner == "Links" { return mendable(.optionalLinks, name, type, by: bare) }
      if inner == "Blob" { return mendable(.optionalBlob, name, type, by: bare) }
    }
    return reason(type).map {
      Diagnostic(node: Syntax(type), message: PropertyProblem(reason: $0, name: name))
    }
  }

  private static func mendable(
    _ reason: Reason, _ name: String, _ type: TypeSyntax, by other: TypeSyntax
  ) -> Diagnostic {
    Diagnostic(
      node: Syntax(type), message: PropertyProblem(reason: reason, name: name),
      fixIt: .replace(
        message: ModelFixIt.changeType(other.trimmedDescription), oldNode: type, newNode: other))
  }

  /// The type inside an optional, in any spelling.
  private static func wrapped(_ type: TypeSyntax) -> TypeSyntax? {
    if let optional = type.as(OptionalTypeSyntax.self) { return bare(optional.wrappedType) }
    guard let (name, arguments) = nominal(type), name == "Optional" else { return nil }
    return arguments.first.map(bare)
  }

  /// A type without the parentheses around it, and without attributes.
  private static func bare(_ type: TypeSyntax) -> TypeSyntax {
    if let attributed = type.as(AttributedTypeSyntax.self) { return bare(attributed.baseType) }
    guard let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let only = tuple.elements.first
    else { return type }
    return bare(only.type)
  }

  /// The name of a nominal type, without its module, and its generic arguments.
  private static func nominal(_ type: TypeSyntax) -> (name: String, arguments: [TypeSyntax])? {
    if let type = type.as(IdentifierTypeSyntax.self) {
      return (type.name.text, arguments(type.genericArgumentClause))
    }
    if let type = type.as(MemberTypeSyntax.self),
      ["Swift", "Roost"].contains(type.baseType.trimmedDescription)
    {
      return (type.name.text, arguments(type.genericArgumentClause))
    }
    return nil
  }

  private static func arguments(_ clause: GenericArgumentClauseSyntax?) -> [TypeSyntax] {
    clause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
  }

  /// Why values of a type, or of its element type, cannot be stored.
  private static func reason(_ written: TypeSyntax) -> Reason? {
    let type = bare(written)
    if let wrapped = wrapped(type) { return reason(wrapped) }
    if let array = type.as(ArrayTypeSyntax.self) { return reason(array.element) }
    if let dictionary = type.as(DictionaryTypeSyntax.self) {
      return reason(dictionary.key) ?? reason(dictionary.value)
    }
    if type.is(FunctionTypeSyntax.self) { return .function }
    if type.is(TupleTypeSyntax.self) { return .tuple }
    if type.is(SomeOrAnyTypeSyntax.self) { return .existential }
    guard let (name, arguments) = nominal(type) else { return nil }
    switch name {
    case "Any", "AnyObject", "AnyHashable": return .existential
    case "Unmanaged", "OpaquePointer": return .pointer
    case "Array", "Set", "Dictionary": return arguments.lazy.compactMap(reason).first
    default:
      return name.contains(/^Unsafe\w*Pointer$/) ? .pointer : nil
    }
  }

  // MARK: Modifiers

  /// The problem with a property's modifiers; nil if they are allowed.
  static func diagnostic(
    _ modifiers: DeclModifierListSyntax, of name: String, hasInitializer: Bool
  ) -> Diagnostic? {
    for modifier in modifiers {
      guard let reason = Reason(modifier.name), reason != .lazy || !hasInitializer else { continue }
      return Diagnostic(
        node: Syntax(modifier), message: PropertyProblem(reason: reason, name: name))
    }
    return nil
  }
}

extension PropertyProblem.Reason {
  fileprivate init?(_ modifier: TokenSyntax) {
    switch modifier.tokenKind {
    case .keyword(.weak): self = .weak
    case .keyword(.unowned): self = .unowned
    case .keyword(.lazy): self = .lazy
    default: return nil
    }
  }
}
#endif
