#if Tool
internal import FlyingFox
internal import FlyingSocks
internal import Foundation
internal import Synchronization

/// The server of a page: on this machine's own address alone, at a port that the system chooses.
package struct BrowseServer: Sendable {
  private let session: BrowseSession
  private let token: String

  package init(_ session: BrowseSession, token: String = Gate.newToken()) {
    self.session = session
    self.token = token
  }

  /// Answers until the task is cancelled.
  ///
  /// - Parameter ready: Called once with the address of the page, the token in its fragment.
  package func run(_ ready: @escaping @Sendable (String) -> Void) async throws {
    let entry = Entry(session: session)
    // Long queries are waited for. By default the library listens everywhere.
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: 0), timeout: 3600,
      pool: PromptSockets(HTTPServer.defaultPool()), logger: .disabled, handler: entry)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      group.addTask {
        while true {
          try await Task.sleep(for: .seconds(5))
          await session.letGoOfIdle()
        }
      }
      try await server.waitUntilListening()
      guard case .ip4(_, let port)? = await server.listeningAddress else {
        throw BrowseError("The server has no address.")
      }
      let host = "127.0.0.1:\(port)"
      entry.open(Gate(host: host, token: token))
      ready("http://\(host)/#token=\(token)")
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

/// What the library hands requests to.
private final class Entry: HTTPHandler {
  private let session: BrowseSession
  private let gate = Mutex<Gate?>(nil)

  init(session: BrowseSession) { self.session = session }

  /// Lets requests in, now that the port is known.
  func open(_ gate: Gate) { self.gate.withLock { $0 = gate } }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let gate = gate.withLock({ $0 }) else {
      return response(BrowseResponse(refusing: 503, "Try again."))
    }
    var headers: [String: String] = [:]
    for (header, value) in request.headers { headers[header.rawValue.lowercased()] = value }
    let plain = BrowseRequest(
      request.method.rawValue, request.target.rawValue, headers: headers)
    switch gate.way(plain, bodyBytes: request.bodySequence.count) {
    case .page:
      return response(
        BrowseResponse(200, type: "text/html; charset=utf-8", body: PageText.body))
    case .refused(let refusal): return response(refusal)
    case .operation(let name):
      let body = try await request.bodyData
      return response(await session.answer(name, Array(body)))
    }
  }

  private func response(_ plain: BrowseResponse) -> HTTPResponse {
    var headers = HTTPHeaders()
    headers[.contentType] = plain.type
    for (name, value) in PageText.headers { headers[HTTPHeader(name)] = value }
    return HTTPResponse(
      statusCode: HTTPStatusCode(plain.status, phrase: plain.status < 300 ? "OK" : "Refused"),
      headers: headers,
      // In one piece: each of the library's is a system call.
      body: HTTPBodySequence(
        data: Data(plain.body), suggestedBufferSize: max(1, plain.body.count)))
  }
}
#endif
