import TestSupport
import Testing

@testable import YonderReceivers

@Suite struct LineReaderTests {
    @Test func `lines are the same however they are cut`() {
        let text = Array("one\r\n\ntwo\nand a line that is too long\nthree\r\nrest".utf8)
        var whole = LineReader(longest: 8)
        let expected = whole.read(text.span)
        #expect(
            expected == [
                .text(Array("one".utf8)), .text([]), .text(Array("two".utf8)), .overlong,
                .text(Array("three".utf8)),
            ]
        )

        for seed in UInt64(0)..<100 {
            var random = SeededGenerator(seed: seed)
            var reader = LineReader(longest: 8)
            var (lines, position) = ([LineReader.Line](), 0)
            while position < text.count {
                let end = min(text.count, position + Int.random(in: 1...9, using: &random))
                lines += reader.read(Array(text[position..<end]).span)
                position = end
            }
            #expect(lines == expected, "seed \(seed)")
        }
    }
}
