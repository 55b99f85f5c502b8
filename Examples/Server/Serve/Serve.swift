import Bank
import Hummingbird

/// usage: serve [FILE [PORT]]    without a file the bank lies in memory; the port is 8080 unless told
@main
struct Serve {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let port = arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
    let bank = try Bank(path: arguments.first)
    let server = Application(
      router: bank.router(), configuration: .init(address: .hostname("127.0.0.1", port: port)))
    try await server.runService()
  }
}
