// refused: does not conform to the 'Sendable' protocol
// A write transaction that leaves an async closure.
import Roost

func leak(_ store: Store) async throws -> WriteTransaction { try await store.write { $0 } }
