#if Tool
import RoostBrowse
import Testing

/// Which requests are answered.
@Suite struct GateTests {
  private let gate = Gate(host: "127.0.0.1:4000", token: "secret")

  /// The way of a request that is right but for some fields.
  private func way(
    _ method: String = "POST", _ target: String = "/api/rows", bodyBytes: Int? = 2,
    with changes: [String: String?] = [:]
  ) -> Gate.Way {
    var headers = [
      "host": "127.0.0.1:4000", "x-roost-token": "secret", "content-type": "application/json",
      "origin": "http://127.0.0.1:4000", "sec-fetch-site": "same-origin",
    ]
    for (name, value) in changes { headers[name] = value }
    return gate.way(BrowseRequest(method, target, headers: headers), bodyBytes: bodyBytes)
  }

  private func status(_ way: Gate.Way) -> Int? {
    if case .refused(let response) = way { response.status } else { nil }
  }

  @Test func thePageAsksByPost() {
    #expect(way() == .operation("rows"))
    #expect(
      way("GET", "/", with: ["content-type": nil, "x-roost-token": nil, "origin": nil]) == .page)
    // A browser that says nothing of sites is let in by its token.
    #expect(way(with: ["origin": nil, "sec-fetch-site": nil]) == .operation("rows"))
  }

  @Test(
    arguments: [
      nil, "", "127.0.0.1", "127.0.0.1:4001", "localhost:4000", "evil.example:4000",
      "127.0.0.1:4000.evil.example", " 127.0.0.1:4000", "127.0.0.1:04000",
    ])
  func anotherHostIsRefused(_ host: String?) {
    #expect(status(way(with: ["host": host])) == 421)
    #expect(status(way("GET", "/", with: ["host": host])) == 421)
  }

  @Test(
    arguments: [
      "http://evil.example", "null", "", "https://127.0.0.1:4000", "http://127.0.0.1:4001",
      "http://localhost:4000",
    ])
  func anotherOriginIsRefused(_ origin: String) {
    #expect(status(way(with: ["origin": origin])) == 403)
    #expect(status(way("GET", "/", with: ["origin": origin])) == 403)
  }

  @Test(arguments: ["cross-site", "same-site", "none"])
  func aRequestFromAnotherSiteIsRefused(_ site: String) {
    #expect(status(way(with: ["sec-fetch-site": site])) == 403)
  }

  @Test(arguments: [nil, "", "secre", "secres", "Secret", "secret ", "secretsecret"])
  func withoutTheTokenNothingIsTold(_ token: String?) {
    #expect(status(way(with: ["x-roost-token": token])) == 401)
    // Not even which operations there are.
    #expect(status(way("POST", "/api/nothing", with: ["x-roost-token": token])) == 401)
  }

  @Test(arguments: ["GET", "PUT", "OPTIONS", "HEAD", "post"])
  func anotherMethodIsRefused(_ method: String) {
    #expect(status(way(method)) == 405)
  }

  @Test(
    arguments: [
      "/index.html", "//", "/?x", "", "*", "/etc/passwd", "/../etc/passwd",
      "http://127.0.0.1:4000/",
    ])
  func noPathLeadsElsewhere(_ target: String) {
    #expect(status(way("GET", target)) == 404)
  }

  @Test func aBodyIsJSONOfABoundedLength() {
    #expect(status(way(with: ["content-type": "text/plain"])) == 415)
    #expect(status(way(with: ["content-type": nil])) == 415)
    #expect(status(way(bodyBytes: nil)) == 411)
    #expect(status(way(bodyBytes: (1 << 20) + 1)) == 413)
    #expect(way(bodyBytes: 1 << 20) == .operation("rows"))
  }

  @Test func eachTokenIsAnother() {
    let tokens = (0..<100).map { _ in Gate.newToken() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test func thePageIsSmallAndHasNothingFromElsewhere() {
    let page = String(decoding: PageText.body, as: UTF8.self)
    #expect(PageText.script.count < 150_000)
    #expect(page.contains("<script>(() => {\n\"use strict\""))
    #expect(!page.contains("/*style*/") && !page.contains("/*script*/"))
    for mark in ["src=", "http://", "https://", "@import", "url(", "innerHTML", "eval("] {
      #expect(!page.contains(mark), "\(mark)")
    }
  }
}
#endif
