#if Macros
package import SwiftSyntax
internal import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// Writes the schema of a struct from its stored properties.
package struct ModelMacro: ExtensionMacro {
  /// The extension with the schema; none if a property cannot be stored, which is diagnosed.
  package static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let model = declaration.as(StructDeclSyntax.self) else {
      context.diagnose(ModelDiagnostic.noStruct(declaration, node))
      return []
    }
    if let parameters = model.genericParameterClause {
      context.diagnose(ModelDiagnostic.generic.at(parameters))
      return []
    }
    let hasInitializer = model.memberBlock.members.contains {
      $0.decl.is(InitializerDeclSyntax.self)
    }
    let properties = StoredProperty.all(
      of: model, hasInitializer: hasInitializer, in: context)
    guard let properties else { return [] }
    guard properties.contains(where: \.isKey) else {
      context.diagnose(ModelDiagnostic.noKey(model))
      return []
    }
    let labels = hasInitializer ? "(\(properties.map { $0.name + ":" }.joined()))" : ""
    let access = model.modifiers.first { ["public", "package"].contains($0.name.text) }
    let fields = properties.map(\.schemaLine).joined(separator: ", ")
    let schema: DeclSyntax = """
      extension \(type.trimmed): Roost.Model {
        \(raw: access.map { $0.name.text + " " } ?? "")static let schema = Roost.Schema(\
      \(type.trimmed).init\(raw: labels), \(raw: fields))
      }
      """
    return schema.as(ExtensionDeclSyntax.self).map { [$0] } ?? []
  }
}
#endif
