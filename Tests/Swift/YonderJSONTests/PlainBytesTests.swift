import TestSupport
import Testing

@testable import YonderJSON

struct PlainBytesTests {
    @Test func `a run of plain bytes ends where reading byte by byte ends it`() {
        var random = SeededGenerator(seed: 1)
        // Bytes at and beside every limit, among them those that a borrow could mistake for one another.
        let edges: [UInt8] = [
            0, 1, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7F, 0x80, 0xA2, 0xDC, 0xFF,
        ]
        for length in 0..<40 {
            for _ in 0..<200 {
                let bytes = (0..<length).map { _ in
                    Int.random(in: 0..<4, using: &random) == 0 ? edges.randomElement(using: &random)! : 0x61
                }
                let start = Int.random(in: 0...length, using: &random)
                bytes.withUnsafeBytes { bytes in
                    #expect(PlainBytes.end(in: bytes, from: start) == end(of: bytes, start, isASCII: true))
                    #expect(
                        PlainBytes.unescapedEnd(in: bytes, from: start)
                            == end(of: bytes, start, isASCII: false)
                    )
                }
            }
        }
    }

    private func end(of bytes: UnsafeRawBufferPointer, _ start: Int, isASCII: Bool) -> Int {
        bytes[start...].firstIndex { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || (isASCII && $0 >= 0x80) }
            ?? bytes.count
    }
}
