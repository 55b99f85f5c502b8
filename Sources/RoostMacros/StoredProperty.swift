#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// A property that a model stores.
struct StoredProperty {
  let name: String
  private let storedName: String
  private let options: [String]

  /// Whether it identifies an object.
  var isKey: Bool { name == "id" }

  /// The property's line in the schema.
  var schemaLine: String {
    let path = "\\.\(name)"
    let kind = isKey ? "Key" : "Field"
    return "Roost.\(kind)(\"\(storedName)\", " + ([path] + options).joined(separator: ", ") + ")"
  }

  /// The properties that a struct's memberwise initializer takes; nil if one cannot be stored, which is diagnosed.
  ///
  /// - Parameter hasInitializer: Whether the struct has an initializer that is written out.
  static func all(
    of model: StructDeclSyntax, hasInitializer: Bool, in context: some MacroExpansionContext
  ) -> [StoredProperty]? {
    var properties: [StoredProperty] = []
    var isRefused = false
    for member in model.memberBlock.members {
      guard let variable = member.decl.as(VariableDeclSyntax.self), isStored(variable) else {
        continue
      }
      let attributes = FieldAttributes(variable)
      // In `var width, height: Int` both properties have the type.
      var type: TypeSyntax?
      var found: [StoredProperty] = []
      for binding in variable.bindings.reversed() {
        if let annotation = binding.typeAnnotation { type = annotation.type }
        if binding.accessorBlock.map(isComputed) ?? false { continue }
        // A constant with a value is not a parameter of the initializer.
        if variable.bindingSpecifier.text == "let", binding.initializer != nil { continue }
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
          context.diagnose(ModelDiagnostic.pattern.at(binding.pattern))
          isRefused = true
          continue
        }
        let name = pattern.identifier.text.trimmingBackticks
        if let problem = problem(of: name, variable.modifiers, type, binding, hasInitializer) {
          context.diagnose(problem)
          isRefused = true
          continue
        }
        // With a written initializer, a lazy property is not part of the schema.
        if isLazy(variable.modifiers) { continue }
        if name == "id", let option = attributes.firstFieldOption {
          context.diagnose(ModelDiagnostic.keyOption.at(option))
          isRefused = true
        }
        found.append(
          StoredProperty(
            name: name, storedName: attributes.storedName ?? name, options: attributes.options))
      }
      properties += found.reversed()
    }
    return isRefused ? nil : properties
  }

  /// Whether a declaration has stored instance properties.
  private static func isStored(_ variable: VariableDeclSyntax) -> Bool {
    !variable.modifiers.contains { ["static", "class"].contains($0.name.text) }
  }

  private static func isLazy(_ modifiers: DeclModifierListSyntax) -> Bool {
    modifiers.contains { $0.name.tokenKind == .keyword(.lazy) }
  }

  /// Why a property cannot be stored.
  private static func problem(
    of name: String, _ modifiers: DeclModifierListSyntax, _ type: TypeSyntax?,
    _ binding: PatternBindingSyntax, _ hasInitializer: Bool
  ) -> Diagnostic? {
    if let problem = PropertyProblem.diagnostic(modifiers, of: name, hasInitializer: hasInitializer)
    {
      return problem
    }
    if isLazy(modifiers) { return nil }
    guard let type else { return ModelDiagnostic.noType(binding) }
    return PropertyProblem.diagnostic(type, of: name)
  }

  /// Whether the accessors compute a value; observers do not.
  private static func isComputed(_ block: AccessorBlockSyntax) -> Bool {
    switch block.accessors {
    case .getter: true
    case .accessors(let accessors):
      accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
  }
}

/// The field options that a property's attributes declare.
private struct FieldAttributes {
  private(set) var options: [String] = []
  private(set) var storedName: String?
  /// The first attribute whose option a key does not have.
  private(set) var firstFieldOption: AttributeSyntax?

  init(_ variable: VariableDeclSyntax) {
    for element in variable.attributes {
      guard let attribute = element.as(AttributeSyntax.self) else { continue }
      let name = attribute.attributeName.trimmedDescription.split(separator: ".").last ?? ""
      let argument = attribute.arguments?.trimmedDescription ?? ""
      switch name {
      case "Indexed": options.append(".indexed")
      case "Unique": options.append(".unique")
      case "OnTargetDelete": options.append(".onTargetDelete(\(argument))")
      case "OnMissingTarget": options.append(".onMissingTarget(\(argument))")
      case "Default": options.append(".default(\(argument))")
      case "Assigned":
        options.append(".assigned")
        continue
      case "Named":
        let literal = attribute.arguments?.as(LabeledExprListSyntax.self)?.first?.expression
          .as(StringLiteralExprSyntax.self)
        storedName = literal?.segments.trimmedDescription
        continue
      default: continue
      }
      if firstFieldOption == nil { firstFieldOption = attribute }
    }
  }
}

extension String {
  /// The name without the backticks around a keyword.
  fileprivate var trimmingBackticks: String {
    hasPrefix("`") && hasSuffix("`") && count > 2 ? String(dropFirst().dropLast()) : self
  }
}
#endif
