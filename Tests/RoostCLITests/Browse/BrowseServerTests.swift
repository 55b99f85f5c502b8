#if Tool
import Foundation
import Roost
import RoostTestSupport
import Testing

/// `roost browse` as a program: what it answers over the network, and when it ends.
/// One after another: a program that runs longer than its test would keep the ends of the others from being noticed.
@Suite(.serialized) struct BrowseServerTests {
  private struct Note: Model {
    let id: Int
    var text: String
    static let schema = Schema(Note.init, Key("id", \.id), Field("text", \.text))
  }

  /// Runs the program on a store while `body` runs.
  private func browse(
    _ arguments: [String] = [], _ body: (Browser, String) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/notes.roost"
      let store = try Store(.file(path), models: Note.self)
      try store.write { try $0.insert(Note(id: 1, text: "one")) }
      store.close()
      let browser = try Browser([path] + arguments)
      defer { browser.process.terminate() }
      try body(browser, path)
    }
  }

  @Test func thePageComesWithAPolicyThatAllowsNothingElse() throws {
    try browse { browser, _ in
      let answer = try browser.send("GET / HTTP/1.1\r\nHost: \(browser.host)\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      for field in [
        "Content-Security-Policy: default-src 'none'; script-src 'sha256-", "connect-src 'self'",
        "img-src blob:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
        "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
      ] {
        #expect(answer.contains(field), "\(field)")
      }
      #expect(!answer.contains(browser.token))
    }
  }

  @Test func anOperationNeedsTheTokenAndTheRightHostAndOrigin() throws {
    try browse { browser, _ in
      let right = [
        "Host: \(browser.host)", "X-Roost-Token: \(browser.token)",
        "Origin: http://\(browser.host)",
        "Content-Type: application/json", "Content-Length: 2",
      ]
      func answer(_ fields: [String], _ method: String = "POST", _ body: String = "{}") throws
        -> String
      {
        try browser.send(
          "\(method) /api/overview HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n", body)
      }
      #expect(try answer(right).contains(#""name":"notes.roost""#))
      func without(_ name: String, _ other: String? = nil) -> [String] {
        right.filter { !$0.hasPrefix(name) } + (other.map { ["\(name): \($0)"] } ?? [])
      }
      for (fields, status) in [
        (without("Host"), 421), (without("Host", "evil.example"), 421),
        (without("Host", "localhost:\(browser.port)"), 421),
        (without("Origin", "http://evil.example"), 403), (without("X-Roost-Token"), 401),
        (without("X-Roost-Token", String(repeating: "0", count: 64)), 401),
        (without("Content-Type", "text/plain"), 415),
      ] {
        let refusal = try answer(fields)
        #expect(refusal.hasPrefix("HTTP/1.1 \(status) "), "\(fields) \(refusal.prefix(20))")
        #expect(!refusal.contains("notes.roost"))
      }
      // The library reads a body to its end before it answers.
      let large = try answer(
        without("Content-Length", "2000000"), "POST", String(repeating: " ", count: 2_000_000))
      #expect(large.hasPrefix("HTTP/1.1 413 "))
      let chunked = try answer(
        without("Content-Length") + ["Transfer-Encoding: chunked"], "POST", "2\r\n{}\r\n0\r\n\r\n")
      #expect(chunked.hasPrefix("HTTP/1.1 411 "))
      let preflight = try answer(without("Origin", "http://evil.example"), "OPTIONS")
      #expect(preflight.hasPrefix("HTTP/1.1 403 "))
      #expect(!preflight.lowercased().contains("access-control"))
    }
  }

  @Test func otherAddressesOfTheMachineAreNotListenedTo() throws {
    #if os(Linux)
    try browse { browser, _ in
      #expect(browser.host.hasPrefix("127.0.0.1:"))
      #expect(throws: Browser.Unreachable.self) {
        _ = try Browser.send("GET / HTTP/1.1\r\n\r\n", to: "127.0.0.2", browser.port)
      }
    }
    #endif
  }

  @Test func itEndsWithItsInput() throws {
    try browse { browser, _ in
      try browser.input.fileHandleForWriting.close()
      #expect(browser.end() == Browser.End(signal: 0, code: 0))
    }
  }

  @Test(arguments: [SIGINT, SIGHUP, SIGTERM])
  func itEndsWithItsTerminal(_ signal: Int32) throws {
    try browse { browser, _ in
      kill(browser.process.processIdentifier, signal)
      #expect(browser.end() == Browser.End(signal: signal, code: 0))
    }
  }

  @Test func aFileThatAnotherProcessHasIsSaidToBeInUse() throws {
    try browse(["--write"]) { _, path in
      let run = try ToolTests().run(["browse", path])
      let line = "roost: \(path) is in use by another process; close it there and try again.\n"
      #expect(run == ToolTests.Run(output: "", complaint: line, code: 1))
    }
  }
}

/// The program `roost browse`, running.
private final class Browser {
  let process = Process()
  let input = Pipe()
  let host: String
  let token: String

  struct Unreachable: Error {}

  var port: UInt16 { UInt16(host.split(separator: ":").last ?? "") ?? 0 }

  init(_ arguments: [String]) throws {
    let output = Pipe()
    process.executableURL = ToolTests().program
    process.arguments = ["browse"] + arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") {
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else { break }
      line += String(decoding: part, as: UTF8.self)
    }
    let parts = line.dropLast().split(separator: "/", omittingEmptySubsequences: true)
    host = parts.count == 3 ? String(parts[1]) : ""
    token = String(parts.last?.split(separator: "=").last ?? "")
    try #require(!host.isEmpty && token.count == 64, "\(line)")
  }

  /// How a process ended.
  struct End: Equatable {
    let signal: Int32
    let code: Int32
  }

  /// Waits until the process has ended.
  ///
  /// Foundation hears of that only when no other child of the tests has what it listens by, so the system is asked first.
  func end() -> End {
    var status: Int32 = 0
    var ended = unsafe waitpid(process.processIdentifier, &status, 0)
    while ended < 0, errno == EINTR {
      ended = unsafe waitpid(process.processIdentifier, &status, 0)
    }
    if ended >= 0 { return End(signal: status & 0x7F, code: status >> 8 & 0xFF) }
    // Foundation was first.
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return End(
      signal: isSignal ? process.terminationStatus : 0,
      code: isSignal ? 0 : process.terminationStatus)
  }

  /// Sends a request, and returns the whole answer.
  ///
  /// - Parameter head: The lines up to the empty one, but for the field that closes the connection.
  func send(_ head: String, _ body: String = "") throws -> String {
    try Self.send("\(head)Connection: close\r\n\r\n\(body)", to: "127.0.0.1", port)
  }

  static func send(_ text: String, to address: String, _ port: UInt16) throws -> String {
    #if canImport(Darwin)
    let connection = socket(AF_INET, SOCK_STREAM, 0)
    #else
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    guard connection >= 0 else { throw Unreachable() }
    defer { close(connection) }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = unsafe inet_addr(address)
    let status = unsafe withUnsafePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Unreachable() }
    let handle = FileHandle(fileDescriptor: connection, closeOnDealloc: false)
    try handle.write(contentsOf: Data(text.utf8))
    return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
  }
}
#endif
