import Foundation
import RoostTestSupport
import Testing

/// The samples of the README and of the articles: those of each page make a program together.
@Suite struct ArticleTests {
  private static let folder = "Sources/Roost/Roost.docc/"
  static let pages =
    ["README.md"]
    + [
      "GettingStarted", "Models", "ChangingModels", "KindsOfStores", "Relations", "Writing",
      "Queries", "QueriesAsText", "Observing", "Recipes", "StoresAndFiles", "Concurrency",
      "Performance", "Testing",
      "Damage", "CommandLine", "ComingFromRealm", "ComingFromCoreData", "ComingFromGRDB",
    ].map { folder + $0 + ".md" }

  @Test(arguments: pages)
  func theSamplesOfAPageCompile(_ page: String) throws {
    let text = try String(
      contentsOf: TypeCheck.repository.appendingPathComponent(page), encoding: .utf8)
    // Who copies from the README has not seen its first lines' imports.
    let imports = page == "README.md" ? "" : "import Foundation; import Roost"
    let programs = Self.programs(of: text, imports: imports)
    #expect(!programs.isEmpty)
    for program in programs {
      let check = try TypeCheck(program)
      #expect(check.errors == [:], "\(page), whose lines these are:\n\(check.output)")
    }
  }

  /// The programs of a page, each with everything blank that is not its own, so that lines keep their numbers.
  ///
  /// A sample behind a line with a comment is no part of the page's program: it is one by itself where the comment
  /// says so, and else one for another library.
  ///
  /// - Parameter imports: What a program by itself begins with.
  private static func programs(of text: String, imports: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var page = [Substring](repeating: "", count: lines.count)
    var programs: [[Substring]] = []
    var sample: (isPart: Bool, isProgram: Bool)?
    var before = ""
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        if sample != nil {
          sample = nil
        } else {
          let isSwift = line == "```swift"
          let isProgram = isSwift && before == "<!-- A program by itself -->"
          sample = (isSwift && !before.hasPrefix("<!--"), isProgram)
          if isProgram {
            programs.append([Substring](repeating: "", count: lines.count))
            programs[programs.count - 1][0] = Substring(imports)
          }
        }
      } else if sample?.isPart == true {
        page[number] = line
      } else if sample?.isProgram == true {
        programs[programs.count - 1][number] = line
      }
      if !line.isEmpty { before = String(line) }
    }
    return ([page] + programs).map { $0.joined(separator: "\n") }.filter { program in
      program.contains { !$0.isWhitespace }
    }
  }

  /// The names of SwiftData that Roost has too, as far as a type checker on any system needs them.
  private static let swiftData = """
    public final class Schema { public final class Index<Model> {} }
    public struct Query<Element, Result> {}
    public protocol PersistentModel: AnyObject {}
    public final class ModelContext {}
    """

  @Test func theSampleBesideSwiftDataCompilesAndNeedsItsNamesQualified() throws {
    let page = TypeCheck.repository
      .appendingPathComponent("Sources/Roost/Roost.docc/GettingStarted.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let parts = text.components(separatedBy: "<!-- Beside SwiftData -->\n```swift\n")
    let sample = try #require(parts.last?.components(separatedBy: "\n```").first)
    let other = (name: "SwiftData", source: Self.swiftData)
    let check = try TypeCheck(sample, beside: other)
    #expect(check.errors == [:], "\(check.output)")
    let bare = sample.replacingOccurrences(of: "Roost.Query", with: "Query")
    #expect(try !TypeCheck(bare, beside: other).errors.isEmpty)
    let imported = bare.replacingOccurrences(
      of: "import SwiftData", with: "import SwiftData; import struct Roost.Query")
    #expect(try TypeCheck(imported, beside: other).errors == [:])
    let named = bare + "\ntypealias Query = Roost.Query"
    #expect(try TypeCheck(named, beside: other).errors == [:])
  }

  @Test func everyArticleIsCompiled() throws {
    let folder = TypeCheck.repository.appendingPathComponent(Self.folder).path
    let articles = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".md") }.map { Self.folder + $0 }
    #expect(Set(articles) == Set(Self.pages.dropFirst() + [Self.folder + "Roost.md"]))
  }
}
