import Foundation
import Testing
import TestSupport
import YonderGeodesy

@Suite struct SixDecimalsTests {
    @Test(arguments: [
        (59.9139, "59.913900"), (-0.1278, "-0.127800"), (0, "0.000000"), (-0.0, "0.000000"),
        (-1e-9, "0.000000"),
        (180, "180.000000"), (-180, "-180.000000"), (0.0078125, "0.007813"), (-0.0078125, "-0.007813"),
        (0.9999996, "1.000000"), (0.9999994, "0.999999"), (1e-300, "0.000000"), (0.0000005, "0.000000"),
        (0.00000051, "0.000001"), (360, "360.000000"),
    ])
    func `degrees are written with six decimals`(degrees: Double, text: String) {
        #expect(SixDecimals(degrees).description == text)
    }

    @Test func `digits are those of the C library and are read back`() {
        var random = SeededGenerator(seed: 50)
        for _ in 0..<20_000 {
            let degrees = Double.random(in: -360...360, using: &random)
            let written = SixDecimals(degrees)
            #expect(written.description == String(format: "%.6f", degrees))
            #expect(SixDecimals(written.description) == written)
            #expect(SixDecimals(written.degrees) == written)
            #expect(written.degrees == Double(written.description))
        }
    }

    @Test(arguments: [
        "", "-", "1", "1.5", "1.00000", "1.0000000", ".000000", "-.000000", "+1.000000", "1,000000",
        "1.00000a",
        "360.000001", "1000.000000", "--1.000000", "1.-00000", "1.000.00", "١.000000", " 1.000000",
        "1e5.000000",
    ])
    func `another form is refused`(text: String) {
        #expect(SixDecimals(text) == nil)
    }

    @Test(arguments: [
        "0", "-0", "1.5", "+2", ".5", "5.", "1e3", "1E-3", "-1.25e+2", "45.772163216", "12345678901234567890",
        "0.1234567890123456789", "1e-400", "9007199254740993", "179769313486231570e291",
        "0.000000000000000000000001",
        "46.434981000",
    ])
    func `a decimal number is the nearest double`(text: String) {
        let bytes = Array(text.utf8)
        #expect(DecimalNumber(bytes.span)?.value == Double(text == "5." ? "5" : text == ".5" ? "0.5" : text))
    }

    @Test(arguments: [
        "", "+", "-", ".", "e5", "1e", "1e+", "1.2.3", "1 ", " 1", "0x10", "nan", "inf", "1e999", "1_0",
        "--1", "1e5.0",
    ])
    func `text other than a decimal number is no number`(text: String) {
        let bytes = Array(text.utf8)
        #expect(DecimalNumber(bytes.span) == nil)
    }

    @Test func `random numbers are read as Swift reads them`() {
        var random = SeededGenerator(seed: 51)
        for _ in 0..<20_000 {
            let digits = (0..<Int.random(in: 1...22, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }
            let point = Int.random(in: 0..<digits.count, using: &random)
            var text = digits[..<point].joined() + "." + digits[point...].joined()
            if Bool.random(using: &random) { text += "e\(Int.random(in: -30...30, using: &random))" }
            let bytes = Array(text.utf8)
            #expect(DecimalNumber(bytes.span)?.value == Double("0" + text), "\(text)")
        }
    }
}
