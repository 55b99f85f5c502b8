// refused: 'newest' is inaccessible due to 'package' protection level
// An object beside a version, where a store looks for its own.
import RoostEngine

func keep(_ engine: Engine, _ object: any AnyObject & Sendable) {
  engine.newest.keep(object, of: object, beside: engine.snapshot())
}
