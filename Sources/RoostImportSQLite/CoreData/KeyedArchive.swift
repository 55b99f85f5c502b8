/// An archive of `NSKeyedArchiver`, whose objects are read as plain data: no class is instantiated.
struct KeyedArchive {
  private var list: BinaryPropertyList
  private var objects: [Int] = []
  /// The number of the archive's root object.
  private(set) var root = 0

  /// An object's keys, each with the number of its value in the property list.
  typealias Fields = [String: Int]

  /// nil if the bytes are no archive; see ``BinaryPropertyList/init(_:bytesReadMax:)``.
  init?(_ bytes: [UInt8], bytesReadMax: Int) {
    guard let list = BinaryPropertyList(bytes, bytesReadMax: bytesReadMax) else { return nil }
    self.list = list
    guard let fields = fields(inList: list.top), let place = fields["$objects"],
      case .array(let objects)? = self.list.object(place), let top = fields["$top"],
      let roots = self.fields(inList: top), let root = roots["root"],
      case .archived(let number)? = self.list.object(root)
    else { return nil }
    self.objects = objects
    self.root = number
  }

  private mutating func fields(inList place: Int) -> Fields? {
    guard case .dictionary(let keys, let values)? = list.object(place) else { return nil }
    var fields: Fields = [:]
    for (key, value) in zip(keys, values) {
      guard case .text(let name)? = list.object(key) else { return nil }
      fields[name] = value
    }
    return fields
  }

  /// The fields of an archived object; nil for one that has none, and for damage.
  mutating func fields(of number: Int) -> Fields? {
    guard objects.indices.contains(number) else { return nil }
    return fields(inList: objects[number])
  }

  /// The number of the archived object that a field has; nil for another value.
  mutating func reference(_ place: Int?) -> Int? {
    guard let place, case .archived(let number)? = list.object(place) else { return nil }
    return number
  }

  /// A text, which archives have as an object of its own; nil for another value.
  mutating func text(_ place: Int?) -> String? {
    guard let number = reference(place), objects.indices.contains(number), number != 0,
      case .text(let text)? = list.object(objects[number])
    else { return nil }
    return text
  }

  /// An integer; nil for another value.
  mutating func integer(_ place: Int?) -> Int? {
    guard let place, case .integer(let integer)? = list.object(place) else { return nil }
    return integer
  }

  /// Whether a field is there, and true.
  mutating func isTrue(_ place: Int?) -> Bool {
    guard let place, case .boolean(true)? = list.object(place) else { return false }
    return true
  }

  /// The numbers of the elements of an archived array, or of the values of an archived dictionary.
  mutating func elements(_ place: Int?) -> [Int]? {
    guard let number = reference(place), let array = fields(of: number)?["NS.objects"],
      case .array(let places)? = list.object(array)
    else { return nil }
    var numbers: [Int] = []
    for place in places {
      guard let number = reference(place) else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
