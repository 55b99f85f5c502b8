#if Macros
internal import SwiftCompilerPlugin
internal import SwiftSyntaxMacros

/// The macros for the compiler.
@main
struct RoostMacros: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [ModelMacro.self, FieldMacro.self]
}
#else
/// Without the trait `Macros`, there are no macros.
@main
struct RoostMacros {
  static func main() {}
}
#endif
