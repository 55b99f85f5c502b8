#if Macros
package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@Indexed` and similar attributes: they expand to nothing, and ``ModelMacro`` reads them.
package struct FieldMacro: PeerMacro {
  /// No declarations.
  package static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] { [] }
}
#endif
