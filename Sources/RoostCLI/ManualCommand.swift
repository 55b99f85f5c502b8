#if Tool
import ArgumentParser
import RoostDynamic

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `roost manual`: the page for `man`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Prints the manual page, for `man`.",
    discussion: """
      roost manual > roost.1
      """)

  func run() throws {
    let described = try JSONDecoder().decode(
      Described.self, from: Data(RoostCommand._dumpHelp().utf8))
    let output = Output()
    output.buffer.append(contentsOf: ManualPage(described.command).text.utf8)
    try output.flush()
  }
}

/// What the parser says of the tool.
private struct Described: Decodable {
  let command: Command

  struct Command: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?
    let subcommands: [Command]?
    let arguments: [Argument]?
  }

  struct Argument: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable {
      let kind: String
      let name: String

      /// As it is written.
      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    let kind: Kind
    let shouldDisplay: Bool
    let isOptional: Bool
    let isRepeating: Bool
    let names: [Name]?
    let valueName: String?
    let abstract: String?
  }
}

/// A page in the form of `man` (its macros are in man(7)).
private struct ManualPage {
  private let command: Described.Command
  private var lines: [String] = []

  /// The page.
  var text: String { lines.joined(separator: "\n") + "\n" }

  init(_ command: Described.Command) {
    self.command = command
    lines.append(".TH ROOST 1 \"\" \"roost \(Self.escaped(roostVersion))\"")
    lines.append(".SH NAME")
    lines.append("roost \\- " + Self.escaped(command.abstract ?? ""))
    lines.append(".SH SYNOPSIS")
    lines += [".B roost", ".I file", ".br", ".B roost", ".I command", "[\\fIarguments\\fR]"]
    lines.append(".SH DESCRIPTION")
    addParagraphs(command.discussion)
    lines.append(".SH COMMANDS")
    for one in command.subcommands ?? []
    where one.shouldDisplay != false && one.commandName != "help" {
      add(one)
    }
    addEnd()
  }

  private mutating func add(_ one: Described.Command) {
    let arguments = (one.arguments ?? []).filter { argument in
      argument.shouldDisplay
        && !(argument.names ?? []).contains { ["help", "version"].contains($0.name) }
    }
    lines.append(".SS " + Self.escaped(one.commandName))
    let synopsis = arguments.map { argument in
      let text = Self.text(of: argument) + (argument.isRepeating ? " ..." : "")
      return argument.isOptional || argument.kind != .positional ? "[\(text)]" : text
    }
    lines.append(
      "\\fBroost " + Self.escaped(one.commandName) + "\\fR " + synopsis.joined(separator: " "))
    lines.append(".PP")
    lines.append(Self.line(one.abstract ?? ""))
    for argument in arguments {
      lines += [".TP", Self.text(of: argument), Self.line(argument.abstract ?? "")]
    }
    addParagraphs(one.discussion)
  }

  private mutating func addEnd() {
    lines += [
      ".SH EXIT STATUS",
      "0 where all was done, 1 for a failure, 2 for wrong usage, 3 for a damaged file.",
      ".SH ENVIRONMENT", ".TP", "\\fBNO_COLOR\\fR", "Shows no colours.", ".TP",
      "\\fBFORCE_COLOR\\fR", "Shows colours where the output is no terminal, too.", ".TP",
      "\\fBCOLUMNS\\fR", "How wide a terminal is that does not say it.",
    ]
  }

  /// Adds a text whose paragraphs have empty lines between them; a line that is an example stays as it is.
  private mutating func addParagraphs(_ text: String?) {
    for paragraph in (text ?? "").split(separator: "\n\n") {
      lines.append(".PP")
      let isExample = paragraph.hasPrefix("roost ")
      if isExample { lines.append(".nf") }
      for line in paragraph.split(separator: "\n") { lines.append(Self.line(String(line))) }
      if isExample { lines.append(".fi") }
    }
  }

  /// An argument, with its value.
  private static func text(of argument: Described.Argument) -> String {
    let value = "\\fI\(escaped(argument.valueName ?? ""))\\fR"
    let name = "\\fB\(escaped(argument.names?.last?.text ?? ""))\\fR"
    return switch argument.kind {
    case .positional: value
    case .option: "\(name) \(value)"
    case .flag: name
    }
  }

  /// A line of text, whose first character is no control character.
  private static func line(_ text: String) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  /// A text whose signs mean nothing.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
  }
}
#endif
