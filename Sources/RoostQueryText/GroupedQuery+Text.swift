public import Roost
internal import RoostEngine

extension GroupedQuery: CustomStringConvertible {
  /// The question for groups as text: `Order group customer.name select count having count > 3 sort count desc limit 10`.
  ///
  /// `RoostEngine.GroupQuery` reads it. What is selected is what `having` and the order ask for. Of a question that no
  /// store can answer, and of one that compares a link to objects whose keys are no integers, the text says why there is
  /// none.
  public var description: String {
    do throws(StoreError) {
      // A query that asks for the fields that the groups ask for knows their models.
      let conditions =
        [content.objects.filter, content.condition] + content.keys.map(Filter.isNull)
      let all = QueryContent(
        .and(conditions), content.objects.order + content.order, countMax: nil, offset: 0,
        origin: content.objects.origin)
      let model = ModelName(M.self)
      let binding = try all.binding(of: model)
      var lowering = try GroupLowering(unstored: binding, model, content)
      return try lowering.lower([]).0.text(in: binding.catalog)
    } catch {
      return "\(M.self): \(error)"
    }
  }
}
