// For the hash alone.
internal import RealmFile

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The page: one text without anything from elsewhere, and the policy that a browser keeps with it.
package enum PageText {
  /// The page, its style and script in it.
  package static let body: [UInt8] = {
    var page: [UInt8] = []
    var rest = PackageResources.page_html[...]
    for (mark, text) in [("/*style*/", style), ("/*script*/", script)] {
      let found = rest.firstRange(of: Array(mark.utf8))
      guard let found else { continue }
      page += rest[..<found.lowerBound] + text
      rest = rest[found.upperBound...]
    }
    return page + rest
  }()

  package static let style = PackageResources.page_css
  /// The parts of the script in one function, so that the page has no global names.
  package static let script: [UInt8] = {
    let parts = [
      PackageResources.core_js, PackageResources.cells_js, PackageResources.table_js,
      PackageResources.query_js, PackageResources.rows_js, PackageResources.object_js,
      PackageResources.views_js, PackageResources.main_js,
    ]
    return Array("(() => {\n".utf8) + parts.joined() + Array("})();".utf8)
  }()

  /// The fields of every answer.
  package static let headers: [(name: String, value: String)] = [
    ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  /// What the page may do: run this script, show pictures that it has made, and ask this server.
  private static let policy = [
    "default-src 'none'", "script-src \(source(script))", "style-src \(source(style))",
    "connect-src 'self'", "img-src blob:", "base-uri 'none'", "form-action 'none'",
    "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
  ].joined(separator: "; ")

  /// The source of a text by its hash.
  private static func source(_ text: [UInt8]) -> String {
    "'sha256-\(Data(SHA2.digest(text, .sha256)).base64EncodedString())'"
  }
}
