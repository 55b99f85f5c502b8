extension QueryRoot {
  /// The objects of another model that link to the object.
  @_disfavoredOverload
  public subscript<Source: Model>(
    dynamicMember inverse: KeyPath<M.Type, Inverse<M, Source>>
  ) -> RelatedObjects<Source> {
    self[M.self[keyPath: inverse]]
  }
}

extension QueryValue {
  /// The objects of another model that link to the target of a link.
  @_disfavoredOverload
  public subscript<Source: Model>(
    dynamicMember inverse: KeyPath<Value._LinkedModel.Type, Inverse<Value._LinkedModel, Source>>
  ) -> RelatedObjects<Source> where Value: _LinkToOne {
    self[Value._LinkedModel.self[keyPath: inverse]]
  }
}
