import Testing
import TestSupport
import YonderJSON

@Suite struct JSONWriterTests {
    @Test func `an integer is written with all of its digits and no more`() {
        func written(_ value: Int64) -> String {
            var writer = JSONWriter()
            writer.integer(value)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        var power: Int64 = 1
        while true {
            for value in [power - 1, power, power + 1, -power, 1 - power] {
                #expect(written(value) == String(value))
            }
            let (next, isTooLarge) = power.multipliedReportingOverflow(by: 10)
            guard !isTooLarge else { break }
            power = next
        }
        #expect(written(.min) == "-9223372036854775808" && written(.max) == "9223372036854775807")
        var random = SeededGenerator(seed: 9)
        for _ in 0..<2000 {
            let value =
                Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<64, using: &random)
            #expect(written(value) == String(value))
        }
    }
}
