import Roost
import RoostEngine

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PredicateExpressions.KeyPath: TranslatedNode {
  func translation(in scope: PredicateScope) throws(StoreError) -> Translation {
    try scope.translation(of: root).map(Self.self) { (operand) throws(StoreError) in
      switch operand {
      case .constant(let constant as Constant<Root.Output>):
        return .value(constant.value[keyPath: keyPath])
      case .object(let model): return Translation(.term(try field(of: model)))
      case .term(let term): return try part(of: term)
      case .elements(let elements): return try property(of: elements)
      case .constant, .range: throw unknown
      }
    }
  }

  /// The error that queries do not support the property.
  private var unknown: StoreError {
    .unsupported(
      Self.self,
      "Queries have nothing for \(keyPath.propertyName). Compare the whole value, or store what it tells."
    )
  }

  private func field<M: Model>(of model: M.Type) throws(StoreError) -> Term {
    guard let path = keyPath as? Swift.KeyPath<M, Output> else { throw unknown }
    let step = FieldStep(model, path)
    guard step.position != nil else {
      throw .unknownField(model: "\(model)", property: keyPath.propertyName)
    }
    return Term(.path(FieldPath(field: step)), of: Output.self)
  }

  /// A part of an embedded struct, or a property of a value that queries support.
  private func part(of term: Term) throws(StoreError) -> Translation {
    if let type = Root.Output.self as? any Embedded.Type {
      return Translation(.term(try part(of: term, type)))
    }
    if let type = Root.Output.self as? any CaseNamed.Type {
      return Translation(.term(try kind(of: term, type)))
    }
    if let type = Root.Output.self as? any LinkValue.Type {
      guard keyPath == type.idPath else { throw unknown }
      let key = term.expression.comparable(as: type.storableType)
      return Translation(.term(Term(key, nilWith: term.nilWith)))
    }
    if let type = Root.Output.self as? any LinkCollection.Type {
      if keyPath == type.countPath, let links = Operand.links(term, type) {
        return Translation(.term(links.count))
      }
      guard keyPath == type.isEmptyPath else { throw unknown }
      return Translation(Condition(.compare(term.expression, .equal, .bytes([]))))
    }
    if let type = Root.Output.self as? any BytesValue.Type, keyPath == type.isEmptyPath {
      return Translation(Condition(.compare(term.expression, .equal, .bytes([]))))
    }
    if let type = Root.Output.self as? any _ElementCollection.Type {
      if let type = Root.Output.self as? any KeyedValues.Type {
        if keyPath == type.keysPath {
          return Translation(.elements(ElementSelection(term, at: 0)))
        }
        if keyPath == type.valuesPath {
          return Translation(.elements(ElementSelection(term, at: type._elementPlace)))
        }
      }
      return try property(of: ElementSelection(term, at: type._elementPlace))
    }
    throw unknown
  }

  private func part<Struct: Embedded>(
    of term: Term, _ type: Struct.Type
  ) throws(StoreError) -> Term {
    guard let path = keyPath as? Swift.KeyPath<Struct, Output>,
      let position = Struct.fields.position(of: path)
    else { throw .unknownField(model: "\(type)", property: keyPath.propertyName) }
    let part = term.expression.part(
      at: term.shape == .optionalStructure ? position + 1 : position, named: "\(keyPath)")
    return Term(part, of: Output.self, nilWith: term.nilWith)
  }

  private func kind<Named: CaseNamed>(
    of term: Term, _ type: Named.Type
  ) throws(StoreError) -> Term {
    guard let path = keyPath as? Swift.KeyPath<Named, Named.Kind>, Named.hasKind(at: path) else {
      throw unknown
    }
    return Term(term.expression.kind, of: Output.self, nilWith: term.nilWith)
  }

  private func property(of elements: ElementSelection) throws(StoreError) -> Translation {
    guard let type = Root.Output.self as? any CountedValue.Type else { throw unknown }
    if keyPath == type.countPath { return Translation(.term(elements.gathered(.count))) }
    guard keyPath == type.isEmptyPath else { throw unknown }
    return Translation(!elements.isNotEmpty)
  }
}

/// A link.
protocol LinkValue {
  static var idPath: AnyKeyPath { get }
  static var storableType: any Storable.Type { get }
}

extension Link: LinkValue {
  static var idPath: AnyKeyPath { \Link<Target>.id }
  static var storableType: any Storable.Type { Self.self }
}

/// A text or bytes.
protocol BytesValue {
  static var isEmptyPath: AnyKeyPath { get }
}

extension String: BytesValue {
  static var isEmptyPath: AnyKeyPath { \String.isEmpty }
}

extension Data: BytesValue {
  static var isEmptyPath: AnyKeyPath { \Data.isEmpty }
}

extension Blob: BytesValue {
  static var isEmptyPath: AnyKeyPath { \Blob.isEmpty }
}

/// A collection whose elements can be counted.
protocol CountedValue {
  static var countPath: AnyKeyPath { get }
  static var isEmptyPath: AnyKeyPath { get }
}

extension Array: CountedValue {
  static var countPath: AnyKeyPath { \[Element].count }
  static var isEmptyPath: AnyKeyPath { \[Element].isEmpty }
}

extension Set: CountedValue {
  static var countPath: AnyKeyPath { \Set<Element>.count }
  static var isEmptyPath: AnyKeyPath { \Set<Element>.isEmpty }
}

extension Dictionary: CountedValue {
  static var countPath: AnyKeyPath { \[Key: Value].count }
  static var isEmptyPath: AnyKeyPath { \[Key: Value].isEmpty }
}

extension Dictionary.Keys: CountedValue {
  static var countPath: AnyKeyPath { \[Key: Value].Keys.count }
  static var isEmptyPath: AnyKeyPath { \[Key: Value].Keys.isEmpty }
}

extension Dictionary.Values: CountedValue {
  static var countPath: AnyKeyPath { \[Key: Value].Values.count }
  static var isEmptyPath: AnyKeyPath { \[Key: Value].Values.isEmpty }
}

/// A dictionary that a field can hold.
protocol KeyedValues: _KeyedCollection {
  static var keysPath: AnyKeyPath { get }
  static var valuesPath: AnyKeyPath { get }
}

extension Dictionary: KeyedValues where Key: Storable, Value: PropertyValue {
  static var keysPath: AnyKeyPath { \[Key: Value].keys }
  static var valuesPath: AnyKeyPath { \[Key: Value].values }
}

/// A list of links.
protocol LinkCollection: CountedValue {
  associatedtype Target: Model
}

extension Links: LinkCollection {
  static var countPath: AnyKeyPath { \Links<Target>.count }
  static var isEmptyPath: AnyKeyPath { \Links<Target>.isEmpty }
}

/// The targets of a to-many link.
struct LinkSelection {
  private(set) var path: RelationPath
  let target: ModelName

  /// The same selection, with a number by which conditions refer to its objects.
  func numbered(_ number: Int) -> LinkSelection {
    var selection = self
    selection.path.number = number
    return selection
  }

  /// The identifier of a target, as a condition on it refers to it.
  var key: ExpressionTerm { .path(FieldPath(field: FieldStep(keyOf: target), root: path.number)) }

  var count: Term { Term(.related(path, target, .count, key, .always(true))) }

  /// Whether one of the targets fulfils a condition.
  func contains(_ condition: Condition) -> Condition {
    Condition(.related(path, target, condition.filter))
  }
}

extension Operand {
  /// The targets of a field's links; nil if the term is not a field.
  static func links<List: LinkCollection>(_ term: Term, _ type: List.Type) -> LinkSelection? {
    guard let path = term.expression.path else { return nil }
    return LinkSelection(
      path: RelationPath(links: path.links, end: .links(path.field), root: path.root),
      target: ModelName(List.Target.self))
  }
}
