#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder

/// The errors in a model's declaration.
enum ModelDiagnostic: String, DiagnosticMessage {
  case notAStruct, generic, missingKey, pattern, missingType, keyOption

  var message: String {
    switch self {
    case .notAStruct: "A model is a struct: '@Model' cannot make one of this declaration"
    case .generic: "'@Model' writes no schema for a generic struct; declare it by hand"
    case .missingKey: "A model needs a property 'id', by which its objects are known"
    case .pattern: "A stored property of a model has one name; declare each by itself"
    case .missingType:
      "Say the type of this property: '@Model' sees no types but those that are written"
    case .keyOption:
      "The key 'id' is unique and indexed already: only '@Assigned' and '@Named' suit it"
    }
  }

  var diagnosticID: MessageID { MessageID(domain: "RoostMacros", id: rawValue) }
  var severity: DiagnosticSeverity { .error }

  func at(_ node: some SyntaxProtocol) -> Diagnostic {
    Diagnostic(node: Syntax(node), message: self)
  }

  /// A class, an actor or an enum; the fix-it turns a class into a struct.
  static func noStruct(_ declaration: some DeclGroupSyntax, _ node: AttributeSyntax) -> Diagnostic {
    guard let model = declaration.as(ClassDeclSyntax.self) else { return notAStruct.at(node) }
    let keyword = model.classKeyword
    return Diagnostic(
      node: Syntax(keyword), message: notAStruct,
      fixIt: .replace(
        message: ModelFixIt.makeStruct, oldNode: keyword,
        newNode: keyword.with(\.tokenKind, .keyword(.struct))))
  }

  /// A struct without a key; the fix-it adds one.
  static func noKey(_ model: StructDeclSyntax) -> Diagnostic {
    let block = model.memberBlock
    let id: DeclSyntax = "let id: Int"
    let member = MemberBlockItemSyntax(
      leadingTrivia: block.members.first?.leadingTrivia ?? .newline, decl: id)
    return Diagnostic(
      node: Syntax(model.name), message: missingKey,
      fixIt: .replace(
        message: ModelFixIt.addKey, oldNode: block,
        newNode: block.with(\.members, [member] + block.members)))
  }

  /// A property without a written type; for a literal, the fix-it adds the type.
  static func noType(_ binding: PatternBindingSyntax) -> Diagnostic {
    guard let value = binding.initializer?.value, let type = typeName(of: value) else {
      return missingType.at(binding.pattern)
    }
    let annotation = TypeAnnotationSyntax(
      colon: .colonToken(trailingTrivia: .space),
      type: IdentifierTypeSyntax(name: .identifier(type)), trailingTrivia: .space)
    return Diagnostic(
      node: Syntax(binding.pattern), message: missingType,
      fixIt: .replace(
        message: ModelFixIt.addType(type), oldNode: binding,
        newNode: binding.with(\.pattern, binding.pattern.trimmed)
          .with(\.typeAnnotation, annotation)))
  }

  private static func typeName(of value: ExprSyntax) -> String? {
    switch value.kind {
    case .integerLiteralExpr: "Int"
    case .floatLiteralExpr: "Double"
    case .stringLiteralExpr: "String"
    case .booleanLiteralExpr: "Bool"
    default: nil
    }
  }
}

/// The fix-its for a model.
enum ModelFixIt: FixItMessage {
  case makeStruct, addKey
  case addType(String)
  case changeType(String)

  var message: String {
    switch self {
    case .makeStruct: "Make it a struct"
    case .addKey: "Add 'let id: Int'"
    case .addType(let type): "Add ': \(type)'"
    case .changeType(let type): "Make it '\(type)'"
    }
  }

  var fixItID: MessageID { MessageID(domain: "RoostMacros", id: message) }
}
#endif
