// Runs the simulator: see Scripts/simulate.
import Foundation
import RoostSimulation

@main
struct Simulate {
  static func main() {
    var request = Coordinator.Request()
    var isWorker = false
    var written: (path: String?, workload: Int) = (nil, 0)
    var shared: String?
    for argument in CommandLine.arguments.dropFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      switch (parts.first, parts.count > 1 ? parts[1] : "") {
      case ("SEED", let text):
        guard let seed = UInt64(text) else { refuse(argument) }
        request.seed = seed
      case ("CASE", let text):
        guard let number = Int(text) else { refuse(argument) }
        request.onlyCase = number
      case ("CASES", let text):
        guard let count = Int(text), count > 0 else { refuse(argument) }
        request.casesMax = count
      case ("CLASS", let text):
        let classes = text.split(separator: ",").map(String.init)
        guard classes.allSatisfy({ name in faultClasses.contains { $0.name == name } }) else {
          refuse(argument)
        }
        request.classes = classes
      case ("FULL", let text): request.isFull = text == "1"
      case ("FIRST", let text): request.endsWithFailure = text == "1"
      case ("WORKERS", let text):
        guard let count = Int(text), count > 0 else { refuse(argument) }
        request.workers = count
      case ("WORKER", _): isWorker = true
      case ("WRITE", let path): written.path = path
      case ("SHARE", let path): shared = path
      case ("WORKLOAD", let text): written.workload = Int(text) ?? 0
      default: refuse(argument)
      }
    }
    if request.onlyCase != nil, request.classes?.count != 1 { refuse("CASE without CLASS") }
    if isWorker { return Worker.run(seed: request.seed, isFull: request.isFull) }
    if let shared {
      return SharingProgram.run(shared, number: written.workload, seed: request.seed)
    }
    if let path = written.path {
      do { try KilledWriter.run(path, workload: written.workload, seed: request.seed) } catch {
        print(error)
        exit(1)
      }
    }
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    exit(Coordinator(request, program: program).run() ? 0 : 1)
  }

  private static func refuse(_ argument: String) -> Never {
    let names = faultClasses.map(\.name).joined(separator: ", ")
    let usage = """
      \(argument)?
      usage: Scripts/simulate [SEED=n] [CLASS=name,…] [CASE=n] [CASES=n] [FULL=1] [FIRST=1] [WORKERS=n]
      classes: \(names)

      """
    FileHandle.standardError.write(Data(usage.utf8))
    exit(2)
  }
}
