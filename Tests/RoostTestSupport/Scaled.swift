import Foundation

/// So many random cases in `Scripts/test`, and `ROOST_TEST_SCALE` times as many in `Scripts/test-long`.
package func scaled(_ count: Int) -> Int { count * scale }

private let scale =
  ProcessInfo.processInfo.environment["ROOST_TEST_SCALE"].flatMap { Int($0) } ?? 1
