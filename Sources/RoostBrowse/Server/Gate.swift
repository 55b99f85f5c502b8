/// Decides which requests are answered: those of the page that this server has sent, to somebody who knows the token.
///
/// Other programs of this machine can connect, and so can pages of other sites by the user's browser. Pages cannot read answers,
/// since none allows it (no CORS), nor send the token's field. A page whose name was made to lead to 127.0.0.1 is refused by the
/// field `Host`.
package struct Gate: Sendable {
  /// The address with the port, as `Host` has it.
  package let host: String
  private let token: [UInt8]

  /// The field with the token.
  package static let tokenField = "x-roost-token"
  /// The most bytes that a request's body may have.
  package static let bodyBytesMax = 1 << 20

  package init(host: String, token: String) {
    self.host = host
    self.token = Array(token.utf8)
  }

  /// What a request leads to.
  package enum Way: Equatable, Sendable {
    case page
    /// An operation by its name; the body is to be read.
    case operation(String)
    case refused(BrowseResponse)
  }

  /// Decides by all of a request but its body.
  ///
  /// - Parameter bodyBytes: The length of the body that is announced; nil where none is.
  package func way(_ request: BrowseRequest, bodyBytes: Int?) -> Way {
    guard request.headers["host"] == host else {
      return refuse(421, "Only requests to \(host) are answered.")
    }
    if let origin = request.headers["origin"], origin != "http://\(host)" {
      return refuse(403, "Other sites are refused.")
    }
    if request.target == "/" {
      guard request.method == "GET" else { return refuse(405, "The page is only read.") }
      return .page
    }
    guard request.target.hasPrefix("/api/") else { return refuse(404, "There is nothing here.") }
    if let site = request.headers["sec-fetch-site"], site != "same-origin" {
      return refuse(403, "Other sites are refused.")
    }
    guard isToken(request.headers[Self.tokenField]) else {
      return refuse(401, "Open the page by the address that `roost browse` has printed.")
    }
    guard request.method == "POST" else { return refuse(405, "Operations are sent by POST.") }
    guard request.headers["content-type"] == "application/json" else {
      return refuse(415, "Operations are sent as application/json.")
    }
    guard let bodyBytes else { return refuse(411, "The length of the body must be known.") }
    guard bodyBytes <= Self.bodyBytesMax else {
      return refuse(413, "A request has at most \(Self.bodyBytesMax) bytes.")
    }
    return .operation(String(request.target.dropFirst("/api/".count)))
  }

  private func refuse(_ status: Int, _ reason: String) -> Way {
    .refused(BrowseResponse(refusing: status, reason))
  }

  /// Compares in a time that tells nothing of the token.
  private func isToken(_ text: String?) -> Bool {
    let given = Array((text ?? "").utf8)
    // The length is no secret.
    guard given.count == token.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(given, token) { difference |= one ^ other }
    return difference == 0
  }

  /// A token of 256 random bits, from the system.
  package static func newToken() -> String {
    var random = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef")
    return String((0..<64).compactMap { _ in digits.randomElement(using: &random) })
  }
}
