#if Macros
package import SwiftSyntax
package import SwiftSyntaxMacros

/// What `@Indexed` and its like are by themselves: nothing. ``ModelMacro`` reads them.
package struct FieldMacro: PeerMacro {
  /// No declarations.
  package static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] { [] }
}
#endif
