import Testing

@testable import Roost
