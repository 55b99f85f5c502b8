#if Tool
internal import FlyingFox
internal import FlyingSocks

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Sockets that send what is written at once.
///
/// The library writes the head and the body of an answer apart. The system holds the second write back until the first is
/// acknowledged, which the other end does after 40 ms (Nagle's algorithm with delayed acknowledgements). `TCP_NODELAY` ends that;
/// connections have it from the socket that listens.
struct PromptSockets<Pool: AsyncSocketPool>: AsyncSocketPool {
  private let pool: Pool

  init(_ pool: Pool) { self.pool = pool }

  func prepare() async throws { try await pool.prepare() }
  func run() async throws { try await pool.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    // The one that listens waits for something to read, too.
    if events.contains(.read) {
      // Answers are right without it, and late.
      try? socket.setValue(
        true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    }
    try await pool.suspendSocket(socket, untilReadyFor: events)
  }
}
#endif
