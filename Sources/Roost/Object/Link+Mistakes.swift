// Unavailable declarations: for a likely mistake, the compiler says what to write instead. Editors do not offer them.

extension DeleteRule {
  /// The rule of an optional link for one that is not.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "a link that is not optional cannot become nil: declare it as 'Link<…>?', or use '.cascade' or '.deny'"
  )
  @_disfavoredOverload
  public static var nullify: Self { noProgramCalls() }
}

extension FieldOption {
  /// The rule of a link for another property.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "only a 'Link' or 'Links' has a target: declare the property as one"
  )
  @_disfavoredOverload
  public static func onTargetDelete(_ rule: DeleteRule<Value>) -> Self { noProgramCalls() }

  /// As in SQL.
  @_alwaysEmitIntoClient
  @available(*, unavailable, renamed: "onTargetDelete(_:)")
  public static func onDelete(_ rule: DeleteRule<Value>) -> Self { noProgramCalls() }

  /// The rule of an optional link for a list of links.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message:
      "a list has no such rule: remove the ids of missing objects before the transaction ends"
  )
  public static func onMissingTarget<Target>(_ rule: MissingTargetRule) -> Self
  where Value == Links<Target> { noProgramCalls() }

  /// The rule of an optional link for another property.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "only an optional link can become nil: declare it as 'Link<…>?'"
  )
  @_disfavoredOverload
  public static func onMissingTarget(_ rule: MissingTargetRule) -> Self { noProgramCalls() }
}

extension FieldOption where Value: _LinkList {
  /// The index that each list has.
  @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "a list of links always has an index, which conditions on it use"
  )
  public static var indexed: Self { noProgramCalls() }
}
