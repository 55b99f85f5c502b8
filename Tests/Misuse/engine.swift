// refused: cannot find 'Engine' in scope
// The engine, whose pages, leaves, columns and versions are for those who keep its rules.
import RoostEngine

func open(_ path: String) throws -> Engine { try Engine.open(path) }
