// Opens, reads and verifies changed files in a process of its own, which may trap, hang or grow.
import Foundation
import RoostTestSupport

/// A number of bytes that the system says of this process's memory; 0 where it does not say.
func memoryBytes(_ name: String) -> Int {
  // Not getrusage: there a child begins with what its parent had.
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  for line in status.split(separator: "\n") where line.hasPrefix(name) {
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }
  return 0
}

/// Lets the system forget the most memory that this process ever had at once; returns what it has now.
func forgetPeak() -> Int {
  // Linux, proc(5): 5 resets the mark. Where that is not allowed, it stays that of all files before.
  try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  return memoryBytes("VmRSS:")
}

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "golden",
  let place = Int(CommandLine.arguments[2]), SampleStore.goldenKinds.indices.contains(place)
{
  // A file to be kept in Tests/FormatTests/golden, and the number that GoldenFileTests has of it.
  do {
    let sample = try SampleStore(kind: SampleStore.goldenKinds[place], seed: 1)
    try Data(sample.image.bytes).write(to: URL(fileURLWithPath: CommandLine.arguments[3]))
    say(String(sample.versions[sample.image.transaction]?.hash ?? 0, radix: 16))
    exit(0)
  } catch {
    say("\(error)")
    exit(1)
  }
}

let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard numbers.count == 3, let seed = UInt64(exactly: numbers[0]), numbers[1] <= numbers[2] else {
  FileHandle.standardError.write(
    Data("usage: MutationChild SEED FIRST END | golden 0|1 FILE\n".utf8))
  exit(2)
}
#if os(Linux)
// What asks for more than this is refused, before the machine is out of memory. The sanitizer itself takes more addresses.
if !isAddressSanitized {
  var limit = rlimit(rlim_cur: 8 << 30, rlim_max: 8 << 30)
  unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
}
#endif
do {
  let samples = try (0..<SampleStore.kinds).map { try SampleStore(kind: $0, seed: seed) }
  for number in numbers[1]..<numbers[2] {
    say("begin \(number)")
    let before = forgetPeak()
    let trial = MutationTrial(seed: seed, number: number, samples: samples)
    let taken = memoryBytes("VmHWM:") - before
    if taken > MutationRun.memoryBytesMax + MutationRun.memoryMultipleMax * trial.byteCount {
      say("failed \(number) memory \(taken) bytes after \(trial.change)")
      exit(3)
    }
    let marks = "\(trial.isSealed ? "sealed" : "raw") \(trial.hitsLiveUnit ? "live" : "other")"
    switch trial.verdict {
    case .refused: say("refused \(number) \(marks)")
    case .reported: say("reported \(number) \(marks)")
    case .sound: say("sound \(number) \(marks)")
    case .failed(let reason): say("failed \(number) \(marks) \(reason) after \(trial.change)")
    }
  }
  say("end")
} catch {
  say("failed -1 \(error)")
  exit(1)
}
