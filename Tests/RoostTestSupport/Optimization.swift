/// Whether the tests are built in release, as `Scripts/test` does: what is allocated says nothing elsewhere.
public let isOptimized: Bool = {
  #if DEBUG
  false
  #else
  true
  #endif
}()
