public import Roost

// Unavailable declarations: the compiler says what to write instead. Editors do not offer them.

extension WriteTransaction {
  /// A policy beside branches.
  @available(
    *, unavailable,
    message:
      "a nested text keeps what it does not give, as with '.mergeGiven': leave 'onConflict' out"
  )
  @_disfavoredOverload
  public func upsert<M: Model>(
    _ type: M.Type, from input: TextInput, as format: TextFormat = .json,
    onConflict policy: ConflictPolicy<M>,
    @BranchBuilder<M> including branches: (Branches<M>) -> [Branch<M>]
  ) throws -> Int {
    noProgramCalls()
  }
}
