// Reads damaged copies of a `.realm` file whole, in a process of its own: one that ends, or that needs too much memory, is a
// failure of the reader.
//
// usage: RealmChild FILE SEED COUNT [FIRST]   COUNT copies, each damaged as the seed and its number say
//
// It prints the number of each copy before it reads it, and at the end "done", how many gave an error, and how many values
// were read.
import Foundation
import RoostImport

#if canImport(Glibc)
import Glibc
#endif

/// What the reader may use at most beside what the process has when it starts.
let memoryMax = 320 << 20
let valueBytesMax = 64 << 20

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Limits the address space, so that an allocation beyond ends the process.
func limitMemory() {
  #if canImport(Glibc)
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
    let pages = text.split(separator: " ").first.flatMap({ UInt($0) })
  else { return }
  var limit = rlimit()
  limit.rlim_cur = pages * UInt(sysconf(Int32(_SC_PAGESIZE))) + UInt(memoryMax)
  limit.rlim_max = limit.rlim_cur
  _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  #endif
}

/// Reads everything that a source has, and goes on behind each error.
struct Reading {
  var errors = 0
  var values = 0

  mutating func readAll(_ source: RealmSource) {
    for definition in source.classes {
      attempt { _ throws(RealmError) in _ = try source.count(of: definition.name) }
      attempt { reading throws(RealmError) in
        var objects = try source.objects(definition.name)
        while let object = try objects.next() { reading.readAll(object, of: source) }
      }
    }
  }

  private mutating func readAll(_ object: RealmSource.Object, of source: RealmSource) {
    for property in object.class.properties {
      attempt { reading throws(RealmError) in
        reading.values += 1
        switch try object.value(property.name) {
        case .link(let link), .embedded(let link): _ = try source.object(link)
        default: break
        }
      }
    }
    for inverse in object.class.inverses {
      attempt { reading throws(RealmError) in
        let sources = try object.sources(in: inverse.className, by: inverse.property)
        reading.values += sources.count
      }
    }
  }

  /// Any other error than the reader's does not compile.
  mutating func attempt(_ body: (inout Reading) throws(RealmError) -> Void) {
    do { try body(&self) } catch { errors += 1 }
  }
}

let arguments = CommandLine.arguments
guard arguments.count >= 4, let seed = UInt64(arguments[2]), let count = Int(arguments[3]),
  let original = FileManager.default.contents(atPath: arguments[1])
else {
  say("usage: RealmChild FILE SEED COUNT [FIRST]")
  exit(2)
}
let first = arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0
let damage = RealmDamage(Array(original))
let copy = FileManager.default.temporaryDirectory.appendingPathComponent(
  "realm-child-\(ProcessInfo.processInfo.processIdentifier).realm")
defer { try? FileManager.default.removeItem(at: copy) }
limitMemory()
var reading = Reading()
for number in first..<first + count {
  say("\(number)")
  do {
    try Data(damage.copy(seed: seed, number: number)).write(to: copy)
  } catch {
    say("The copy could not be written: \(error)")
    exit(3)
  }
  reading.attempt { reading throws(RealmError) in
    reading.readAll(try RealmSource(copy, valueBytesMax: valueBytesMax))
  }
}
say("done \(reading.errors) \(reading.values)")
