import Foundation

/// Whether the tests are built in release, as `Scripts/test` does: what is allocated says nothing elsewhere.
package let isOptimized: Bool = {
  #if DEBUG
  false
  #else
  true
  #endif
}()

/// Whether the program is built for the address sanitizer, as `Scripts/asan` does: there it needs more time and memory,
/// and many more addresses.
package let isAddressSanitized = unsafe dlsym(nil, "__asan_init") != nil
