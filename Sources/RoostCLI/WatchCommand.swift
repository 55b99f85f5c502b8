#if Tool
import ArgumentParser
import Dispatch
import RoostDynamic
import RoostTool
import Synchronization

/// `roost watch`: changes as they come.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Prints the changes of a store as they come.",
    discussion: """
      It shows nothing of other processes: while it runs, none of them can write the file, and a file that one has open for writing \
      cannot be watched, since it is in use. To see what a program changed, keep a version or copy the file, and use `roost diff`. \
      A line is as there: + is new, - is gone, ~ has other values. It ends by Control-C.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var file: String

  @Option(name: .customLong("model"), help: "A model; by default all.")
  var models: [String] = []

  @Option(help: "How changes are shown: table, a line for each, or json, an object on each line.")
  var format = OutputFormat.table

  func run() throws {
    let store = try openToRead(file)
    let snapshot = try working(on: file) { try store.snapshot() }
    for model in models where snapshot.table(model) == nil {
      throw ToolFailure(unknownModel: model, in: file, among: snapshot.tables)
    }
    complain(
      """
      Watching \(file.visible). No other process can write it meanwhile, so no change of one is shown. \
      Control-C ends it.
      """)
    let failure = Mutex<(any Error)?>(nil)
    let end = DispatchSemaphore(value: 0)
    Task { [models, format] in
      let output = Output()
      do {
        try await StoreWatch(store, models: models).run(since: snapshot) { change in
          try output.line(format == .table ? change.text : change.json.text)
          try output.flush()
        }
      } catch { failure.withLock { $0 = error } }
      end.signal()
    }
    end.wait()
    if let error = failure.withLock({ $0 }) { try working(on: file) { throw error } }
  }
}
#endif
