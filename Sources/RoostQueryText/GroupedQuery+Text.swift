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
      let (query, catalog) = try content.unstored(of: ModelName(M.self))
      return query.text(in: catalog)
    } catch {
      return "\(M.self): \(error)"
    }
  }
}
