#if Tool && os(Linux)
import Foundation
import RoostTestSupport
import Testing

/// The help, the manual page and what a shell completes, on a terminal.
@Suite struct HelpTests {
  private let tool = ToolTests()
  private let terminal = TerminalTests()

  static let commands = [
    "info", "schema", "query", "models", "export", "import", "set", "delete", "diff", "stats",
    "verify", "dump", "salvage", "compact", "drop-field", "history", "versions", "keep", "restore",
    "watch", "manual", "browse",
  ]

  @Test(arguments: [UInt16(60), 100])
  func theHelpOfEachCommandFitsTheTerminal(columns: UInt16) throws {
    for command in Self.commands {
      let help = try terminal.roostOnTerminal([command, "--help"], columns: columns)
      #expect(help.contains("USAGE: roost \(command)"))
      let lines = help.split(separator: "\n")
      // The first line stays whole.
      let long = lines.filter { $0.count > Int(columns) && !$0.hasPrefix("USAGE: ") }
      #expect(long.isEmpty, "\(command): \(long)")
    }
  }

  @Test func theManualPageNamesEveryCommandAndOption() throws {
    let page = try tool.roost("manual")
    #expect(page.complaint == "" && page.code == 0)
    #expect(page.output.hasPrefix(".TH ROOST 1 \"\" \"roost "))
    for command in Self.commands {
      #expect(page.output.contains("\n.SS \(command.replacing("-", with: "\\-"))\n"), "\(command)")
    }
    #expect(page.output.contains("\n.TP\n\\fB\\-\\-quote\\-formulas\\fR\nIn CSV"))
    #expect(!page.output.contains("\\-\\-help"))
    // No line of text is taken for a macro.
    let macros = Set(
      page.output.split(separator: "\n").filter { $0.hasPrefix(".") }.map { $0.prefix(3) })
    #expect(
      macros.isSubset(of: [".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi", ".br", ".B ", ".I "]))
  }

  @Test func bashCompletesCommandsAndOptions() throws {
    try withTemporaryDirectory { directory in
      let script = try tool.roost("--generate-completion-script", "bash")
      #expect(script.complaint == "" && script.code == 0)
      let file = directory + "/roost.bash"
      try Data(script.output.utf8).write(to: URL(fileURLWithPath: file))
      let folder = tool.program.deletingLastPathComponent().path
      // What the keys are: the beginning, Tab twice, and a line that ends the shell.
      let shown = try terminal.onTerminal(
        "/bin/bash", ["--norc", "--noprofile", "-i"], columns: 100,
        environment: ["PATH": folder + ":/usr/bin:/bin", "PS1": "$ "],
        typing: "source \(file)\nroost sal\tx; exit\n")
      #expect(shown.contains("roost salvage x"), "\(shown)")
      // The other shells where they are installed.
      for (shell, check) in [
        ("zsh", "zsh -n FILE && echo salvage"),
        ("fish", "fish --no-config -c 'source FILE; complete -C \"roost salv\"'"),
      ] {
        let script = try tool.roost("--generate-completion-script", shell)
        #expect(script.code == 0 && script.output.contains("salvage"))
        try Data(script.output.utf8).write(to: URL(fileURLWithPath: file))
        guard FileManager.default.fileExists(atPath: "/usr/bin/" + shell) else {
          print("\(shell) is not installed: its completion is not tried.")
          continue
        }
        let shown = try terminal.onTerminal(
          "/bin/sh", ["-c", check.replacing("FILE", with: file)], columns: 100,
          environment: ["PATH": folder + ":/usr/bin:/bin", "HOME": directory], typing: "")
        #expect(shown.contains("salvage") && !shown.contains("rror"), "\(shell): \(shown)")
      }
    }
  }
}
#endif
