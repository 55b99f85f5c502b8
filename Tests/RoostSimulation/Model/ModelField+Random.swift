import RoostEngine
import RoostTestSupport

extension ModelField {
  /// A random value that the field may have.
  ///
  /// - Parameter keys: The keys of objects that links may lead to.
  func value(_ random: inout SeededGenerator, linkingTo keys: [Int64]) -> Value {
    if definition.isOptional, random.chance(1, in: 4) { return .null }
    switch definition.type {
    case .bool: return .integer(Int64.random(in: 0...1, using: &random))
    case .int, .uint: return .integer(integer(&random))
    case .double, .date: return .double(double(&random))
    case .float: return .float(Float(double(&random)))
    case .uuid, .duration: return .uuid(random.next(), random.next())
    case .link: return keys.randomElement(using: &random).map { .integer($0) } ?? .null
    case .links:
      let count = random.chance(1, in: 10) ? 300 : 5
      return .bytes(
        LinkList.bytes(
          (0..<Int.random(in: 0...count, using: &random)).compactMap { _ in
            keys.randomElement(using: &random)
          }))
    case .string, .data, .decimal, .json, .list, .set, .dictionary, .compound, .blob:
      return .bytes(bytes(&random))
    }
  }

  private func integer(_ random: inout SeededGenerator) -> Int64 {
    if variety > 0 { return Int64.random(in: 0..<variety, using: &random) }
    // Of all lengths, so that columns of every width occur.
    let bits = Int64(bitPattern: random.next())
    return bits >> Int64.random(in: 0..<64, using: &random)
  }

  private func double(_ random: inout SeededGenerator) -> Double {
    if variety > 0 { return Double(Int64.random(in: 0..<variety, using: &random)) / 8 }
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return .nan
    case 1: return -0.0
    case 2: return -.infinity
    case 3: return .greatestFiniteMagnitude
    default: return Double(Int64(bitPattern: random.next()) >> 20) / 1024
    }
  }

  private func bytes(_ random: inout SeededGenerator) -> [UInt8] {
    if variety > 0 {
      let number = Int64.random(in: 0..<variety, using: &random)
      var text = Array("word \(number)".utf8)
      // Words of several lengths, none of which is another's.
      text += [UInt8](repeating: 46, count: Int(number % 7) + sizes.lowerBound)
      return text
    }
    let count = Int.random(in: sizes, using: &random)
    // Texts are letters, and half of the long values are such that compressing saves something.
    guard definition.type == .data || definition.type == .blob, random.chance(1, in: 2) else {
      if count > 1000, random.chance(1, in: 2) {
        let period = random.bytes(97).map { 97 + $0 % 26 }
        return (0..<count).map { period[$0 % 97] }
      }
      return letters(count, &random)
    }
    return random.bytes(count)
  }

  private func letters(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    var letters: [UInt8] = []
    letters.reserveCapacity(count + 8)
    while letters.count < count {
      var bits = random.next()
      for _ in 0..<8 {
        letters.append(97 + UInt8(truncatingIfNeeded: bits & 0xFF) % 26)
        bits >>= 8
      }
    }
    letters.removeLast(letters.count - count)
    return letters
  }
}
