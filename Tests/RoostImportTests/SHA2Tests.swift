import RealmFile
import Testing

/// The hashes of encrypted Realm files and of the tool's page, beside those that Python's `hashlib` gives.
@Suite struct SHA2Tests {
  @Test(arguments: [
    (
      SHA2.Form.sha224, "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f",
      "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
      "4032dce5553eb2dcb208ee14c8c8a0a45719133f0aac0444635a5609"
    ),
    (
      SHA2.Form.sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "bf659d1197f63ec758747b57acff63809325601b9aae39f4f20856426a43e814"
    ),
  ])
  func digestsAreThoseOfTheStandard(
    _ form: SHA2.Form, _ ofNothing: String, _ ofText: String, _ ofAllLengths: String
  ) {
    #expect(hexadecimal(SHA2.digest([], form)) == ofNothing)
    #expect(hexadecimal(SHA2.digest(Array("abc".utf8), form)) == ofText)
    // Of every length of a block's rest, each with the digest before it.
    var digest: [UInt8] = []
    for count in 0..<200 {
      digest = SHA2.digest(digest + [UInt8](repeating: UInt8(count), count: count), form)
    }
    #expect(hexadecimal(digest) == ofAllLengths)
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
