import Testing

@testable import RoostEngine
