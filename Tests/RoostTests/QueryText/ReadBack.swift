import Roost
import RoostQueryText
import Testing

extension Query {
  /// The query that this one's description is the text of.
  func readBack(in store: Store) throws -> Query {
    let query = try Query("\(self)", in: store)
    try #require("\(query)" == "\(self)")
    return query
  }
}
