import Roost

/// What an app's own code needs of the objects of one model, wherever they are kept.
///
/// Write it as short as your app needs it; it is your code, not the store's.
protocol Repository<Object>: Sendable {
  associatedtype Object: Model

  func fetch(_ query: Query<Object>) async throws -> [Object]
  func find(_ id: Object.ID) async throws -> Object?
  func save(_ objects: [Object]) async throws
  func delete(_ query: Query<Object>) async throws -> Int
}

/// The objects of any model in a store.
struct StoreRepository<Object: Model>: Repository {
  let store: Store

  func fetch(_ query: Query<Object>) async throws -> [Object] {
    try await store.read { try $0.fetch(query) }
  }

  func find(_ id: Object.ID) async throws -> Object? {
    try store.snapshot().fetch(Object.self, id: id)
  }

  func save(_ objects: [Object]) async throws {
    try await store.write { try $0.upsert(contentsOf: objects) }
  }

  func delete(_ query: Query<Object>) async throws -> Int {
    try await store.write { try $0.delete(query) }
  }
}
