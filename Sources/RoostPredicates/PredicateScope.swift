import Roost
import RoostEngine

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An expression of a predicate that can be translated to a query.
protocol TranslatedNode {
  /// Its translation, with the variables that the scope binds.
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation
}

/// The translations of a predicate's variables.
struct PredicateScope {
  private var variables: [PredicateExpressions.VariableID: Translation] = [:]
  /// The number of enclosing conditions on link targets.
  private(set) var linkDepth = 0

  /// Binds a variable to a translation.
  mutating func bind<Value>(
    _ variable: PredicateExpressions.Variable<Value>, to meaning: Translation
  ) {
    variables[variable.key] = meaning
  }

  /// The scope of a condition on link targets.
  var behindLinks: PredicateScope {
    var scope = self
    scope.linkDepth += 1
    return scope
  }

  func translation<Value>(
    of variable: PredicateExpressions.Variable<Value>
  ) throws(StoreError) -> Translation {
    guard let meaning = variables[variable.key] else {
      throw .unsupported(type(of: variable), "It belongs to another predicate.")
    }
    return meaning
  }

  /// The translation of an expression.
  func translation(of expression: some PredicateExpression) throws(StoreError) -> Translation {
    guard let node = expression as? any TranslatedNode else {
      throw .unsupported(type(of: expression), RefusedNodes.reason(type(of: expression)))
    }
    return try node.translation(in: self)
  }

  /// The condition that an expression is true.
  func condition(of expression: some PredicateExpression) throws(StoreError) -> Condition {
    let node = type(of: expression)
    return try translation(of: expression).condition(node) { (operand) throws(StoreError) in
      switch operand {
      case .constant(let constant as Constant<Bool>): return .always(constant.value)
      case .term(let term): return Condition(.compare(term.expression, .equal, .integer(1)))
      default: throw .unsupported(node, "It is no condition.")
      }
    }
  }
}

extension StoreError {
  /// The error that an expression cannot be translated.
  ///
  /// - Parameter node: Its type; what it is generic over is left out.
  static func unsupported(_ node: Any.Type, _ reason: String) -> StoreError {
    .predicateUnsupported(node: RefusedNodes.name(node), reason: reason)
  }

  /// The error that an expression gives too long a condition.
  static func tooManyCases(_ node: Any.Type) -> StoreError {
    .unsupported(
      node, "There are too many cases. Write it with fewer values, and with fewer `?:` and `??`.")
  }
}

/// The names and messages for expressions that queries do not support.
enum RefusedNodes {
  /// The name of an expression's type, without its enclosing types and generic arguments.
  static func name(_ node: Any.Type) -> String {
    String(String(describing: node).prefix { $0 != "<" })
  }

  static func reason(_ node: Any.Type) -> String {
    switch name(node) {
    case "StringLocalizedStandardContains":
      "Stores know no languages. Write `Model.where { $0.text.contains(_:options:) }` with "
        + "`[.caseInsensitive, .diacriticInsensitive]`, which is the same on every platform."
    case "StringCaseInsensitiveCompare", "StringLocalizedCompare":
      "Stores know no languages. Compare with `==` or `<`, or write "
        + "`Model.where { $0.text.equals(_:options: .caseInsensitive) }`."
    case "PredicateEvaluate", "ExpressionEvaluate":
      "It is no part of the predicate. Write out what it evaluates, or join queries by `where`."
    default: "No query can say it. Write the condition as `Model.where { … }`."
    }
  }
}
