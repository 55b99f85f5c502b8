#if Macros
internal import SwiftCompilerPlugin
internal import SwiftSyntaxMacros

/// The macros that the compiler asks for.
@main
struct RoostMacros: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [ModelMacro.self, FieldMacro.self]
}
#else
/// Without the trait `Macros` there are none.
@main
struct RoostMacros {
  static func main() {}
}
#endif
