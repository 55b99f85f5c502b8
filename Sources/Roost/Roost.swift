// The typed face of the store is built on RoostEngine.
internal import RoostEngine
