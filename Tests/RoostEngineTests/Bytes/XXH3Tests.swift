import RoostEngine
import RoostTestSupport
import Testing

@Suite struct XXH3Tests {
  @Test(arguments: vectors)
  func agreesWithTheReferenceImplementation(count: Int, expected: UInt64) {
    let bytes = sanityBytes(count)
    unsafe bytes.withUnsafeBytes {
      #expect(unsafe XXH3.hash($0) == expected)
      #expect(unsafe XXH3.hash(ByteView($0)) == expected)
      #expect(unsafe XXH3.hash(ByteView($0), by: VectorSteps.self) == expected)
      #expect(unsafe XXH3.hash(ByteView($0), by: IntegerSteps.self) == expected)
    }
  }

  /// One checksum of the checksums of all lengths, so that none is left out between the vectors.
  @Test func agreesWithTheReferenceImplementationAtEveryLengthUpToTwoBlocks() {
    let bytes = sanityBytes(2200)
    var combined: UInt64 = 0
    unsafe bytes.withUnsafeBytes { buffer in
      for count in 0...buffer.count {
        combined =
          combined &* 31 &+ (unsafe XXH3.hash(UnsafeRawBufferPointer(rebasing: buffer[..<count])))
      }
    }
    #expect(combined == combinedExpectation)
  }

  @Test(arguments: [3, 8, 16, 100, 200, 500, 4096])
  func doesNotDependOnAlignment(count: Int) {
    let bytes = sanityBytes(count)
    let expected = unsafe bytes.withUnsafeBytes { unsafe XXH3.hash($0) }
    for shift in 0..<65 {
      let shifted = [UInt8](repeating: 0xA5, count: shift) + bytes
      unsafe shifted.withUnsafeBytes {
        #expect(unsafe XXH3.hash(UnsafeRawBufferPointer(rebasing: $0[shift...])) == expected)
      }
    }
  }

  @Test func changesWithEveryBitOfAUnit() {
    var generator = SeededGenerator(seed: 1)
    var bytes = generator.bytes(4096)
    let original = unsafe bytes.withUnsafeBytes { unsafe XXH3.hash($0) }
    for bit in 0..<4096 * 8 {
      bytes[bit / 8] ^= 1 << (bit % 8)
      let changed = unsafe bytes.withUnsafeBytes { unsafe XXH3.hash($0) }
      bytes[bit / 8] ^= 1 << (bit % 8)
      guard changed != original else {
        Issue.record("bit \(bit) does not count")
        return
      }
    }
  }
}

/// The buffer that xxHash's own sanity test hashes.
private func sanityBytes(_ count: Int) -> [UInt8] {
  var state: UInt64 = 2_654_435_761
  return (0..<count).map { _ in
    defer { state &*= 11_400_714_785_074_694_797 }
    return UInt8(truncatingIfNeeded: state >> 56)
  }
}

/// Made with xxHash 0.8.1: `XXH3_64bits` over the first bytes of the sanity buffer.
private let vectors: [(Int, UInt64)] = [
  (0, 0x2D06_8005_38D3_94C2),
  (1, 0xC44B_DFF4_074E_ECDB),
  (2, 0x7A99_7804_4CB8_A8BB),
  (3, 0x5424_7382_A8D6_B94D),
  (4, 0xE5DC_74BC_5184_8A51),
  (5, 0xE424_3F00_7203_06BB),
  (6, 0x27B5_6A84_CD2D_7325),
  (7, 0x9941_E000_7F55_5E50),
  (8, 0x24CC_C9AC_AA9F_65E4),
  (9, 0x14D5_001C_15DD_3F2B),
  (10, 0x1C11_7F23_3FBC_3C14),
  (11, 0x8898_39B4_C796_DDD6),
  (12, 0xA713_DAF0_DFBB_77E7),
  (13, 0x2EB0_3C6E_66BA_6524),
  (14, 0x1AC0_BBDA_2B9F_CF03),
  (15, 0x4555_6D4D_6E17_98BC),
  (16, 0x981B_17D3_6C74_98C9),
  (17, 0x796F_5ACD_3A60_F862),
  (24, 0xA3FE_70BF_9D35_10EB),
  (31, 0x5D51_6692_CA76_4C50),
  (32, 0x9FEA_DDBD_BF57_EED3),
  (33, 0xABFB_2D08_1B40_0A10),
  (48, 0x397D_A259_ECBA_1F11),
  (63, 0x83D7_4A75_F2C2_577A),
  (64, 0x9CB4_8487_720E_C49D),
  (65, 0xFD81_AAC4_BEBC_3883),
  (80, 0xBCDE_FBBB_2C47_C90A),
  (95, 0xC0DD_460B_4811_6CDA),
  (96, 0x935A_769A_7F94_776F),
  (97, 0xCA4C_A268_FD3C_3A6C),
  (111, 0x678D_BD7C_D8EF_8F5C),
  (112, 0xD13D_8F57_931E_EF19),
  (127, 0x2408_ED71_323D_6096),
  (128, 0xFCFF_2412_6754_D861),
  (129, 0x98F1_B0A6_79A2_CA29),
  (130, 0x7F6C_531C_F53E_EB30),
  (143, 0x7A78_1369_3F1F_4EDB),
  (144, 0xC440_D47E_5F03_FE58),
  (145, 0x6B0A_35A6_CB2D_A39D),
  (160, 0x9D03_A319_ED4C_BD2B),
  (161, 0x7F8A_89C6_BE63_F006),
  (176, 0x6A79_C998_0453_8253),
  (192, 0xAF9F_58E7_8B8D_3587),
  (195, 0xCD94_217E_E362_EC3A),
  (208, 0x2CF1_E5EB_7433_AA4D),
  (223, 0x6E49_5316_B983_036E),
  (224, 0x3F32_50C7_E92C_871A),
  (239, 0x16CE_2B9D_3B28_805D),
  (240, 0x81C3_C2B6_7F56_8CCF),
  (241, 0xC5A6_39EC_D203_0E5E),
  (242, 0x9673_44E7_8CB4_B723),
  (255, 0xE98F_979F_4ED8_A197),
  (256, 0x55DE_574A_D89D_0AC5),
  (257, 0xB17F_D5A8_AE75_BB0B),
  (320, 0x7562_0D35_0FF5_C694),
  (383, 0xEFF8_1E70_06EF_8ADD),
  (384, 0xBFA4_BA14_B881_9D81),
  (403, 0xCDEB_804D_65C6_DEA4),
  (448, 0xCBB1_4EA4_B925_B28E),
  (511, 0x8089_715B_163E_7FC0),
  (512, 0x617E_4959_9013_CB6B),
  (513, 0xF703_7D3B_6722_AEEC),
  (575, 0xB00B_EEA0_9D51_8435),
  (576, 0x9C87_5962_CB39_ACF8),
  (640, 0xAF41_93AB_DC59_94B3),
  (831, 0x61B8_D425_4F92_B112),
  (960, 0xFE24_A9D0_DDDF_9D8A),
  (1_023, 0x87A8_F7B2_F2E2_2496),
  (1_024, 0xDD85_C9B5_C110_9C5C),
  (1_025, 0xD870_C0FA_1321_1C6A),
  (1_088, 0xCC14_50EA_6B52_A8F4),
  (1_089, 0xEF72_7B2E_FFC4_CC8C),
  (1_151, 0x7153_F50F_ED4B_A56A),
  (1_152, 0x8D10_F861_683E_B1DD),
  (1_216, 0xFE0C_4B62_F311_1B46),
  (1_984, 0x67F7_0987_25D6_4EFB),
  (2_047, 0xB36E_CE19_FCA2_197F),
  (2_048, 0xDD59_E2C3_A5F0_38E0),
  (2_049, 0xD3AF_A432_9779_B921),
  (2_112, 0x7C33_C86D_9E6A_8C39),
  (2_113, 0x30A8_AA60_1425_D0BC),
  (2_240, 0x6E73_A905_39CF_2948),
  (2_367, 0xCB37_AEB9_E5D3_61ED),
  (3_000, 0x120A_15F4_CBD5_A736),
  (3_072, 0x696B_F231_F32A_B848),
  (3_073, 0xBB5C_D789_3718_D93D),
  (4_088, 0xA36A_687A_AB49_E554),
  (4_095, 0x3044_1872_22AB_0EFB),
  (4_096, 0xE912_0642_9D1F_48F9),
  (4_097, 0xDAC8_0D54_3E33_9451),
  (8_192, 0xD636_90A2_8889_A350),
  (16_383, 0xCDDC_092B_2CEC_B00C),
  (16_384, 0xEDD1_7B07_9A94_769E),
  (65_536, 0x918F_7F0F_912C_A480),
  (65_599, 0x7676_E884_3FD7_4EB0),
  (100_000, 0x34D6_5819_2A01_4311),
  (262_144, 0x70BC_E4D8_3027_0554),
  (1_048_575, 0xA385_619E_65F4_67FC),
  (1_048_576, 0x7ADE_52BB_FBD6_97BA),
]

/// The checksums of the lengths 0 to 2200 with the same, each added to 31 times the sum before.
private let combinedExpectation: UInt64 = 0xF392_403F_8D76_71B2
