/// A request as far as it matters here.
package struct BrowseRequest: Equatable, Sendable {
  package var method: String
  /// The path with what follows it, as the client sent it.
  package var target: String
  /// The header's fields by their names in lower case.
  package var headers: [String: String]

  package init(_ method: String, _ target: String, headers: [String: String] = [:]) {
    self.method = method
    self.target = target
    self.headers = headers
  }
}

/// A response, before the fields that all of them have.
package struct BrowseResponse: Equatable, Sendable {
  package var status: Int
  package var type: String
  package var body: [UInt8]

  package init(_ status: Int, type: String = "text/plain; charset=utf-8", body: [UInt8]) {
    self.status = status
    self.type = type
    self.body = body
  }

  /// A refusal, which says in a line why.
  package init(refusing status: Int, _ reason: String) {
    self.init(status, body: Array((reason + "\n").utf8))
  }
}
