public import Roost
internal import RoostEngine

extension GroupedQuery: CustomStringConvertible {
  /// The group query as text: `Order group customer.name select count having count > 3 sort count desc limit 10`.
  ///
  /// `RoostEngine.GroupQuery` reads it. `select` lists the aggregates that `having` and the order use. If no store can answer
  /// the query, or it compares a link to objects whose keys are not integers, the text gives the reason
  /// instead.
  public var description: String {
    do throws(StoreError) {
      // A query over the fields that the groups use knows their models.
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
