package import Roost

/// A release of the app: its models, the steps that it knows, and how it reads and writes the world.
package protocol Release: Sendable {
  /// Its place among the releases, from 1.
  static var number: Int { get }
  /// The steps of this release and of all before it.
  static var plan: MigrationPlan { get }
  /// Opens the app's file, and migrates it where an older release has written it.
  static func open(_ location: Location, _ configuration: Configuration) throws(StoreError) -> Store
  /// Adds the people of some ids.
  static func add(_ ids: some Sequence<Int>, to store: Store) throws
  /// All people that are in a store.
  static func people(in store: Store) throws -> [Int: World.Person]
  /// A person as this release's programs have one.
  static func person(_ id: Int, in store: Store) throws -> any Model
  /// Throws where a step of a plan could do nothing, given the models of this release.
  static func validate(_ plan: MigrationPlan) throws
}

/// All releases of the app, the oldest first.
package let releases: [any Release.Type] = [
  Release1.self, Release2.self, Release3.self, Release4.self, Release5.self,
]
