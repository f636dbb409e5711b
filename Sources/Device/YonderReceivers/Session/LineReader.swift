/// Splits bytes into lines that end in LF or CR LF, and skips lines that are too long.
///
/// `GpsdConversation` has one for its connection and passes it each piece of data. It can't fail; a line that is too long is
/// reported once, and memory is bounded by ``longest``. That the result doesn't depend on cuts must stay (`LineReaderTests`).
/// NMEA has its own framing, in `NMEAFrame`.
struct LineReader: Sendable {
    /// The result of reading a line.
    enum Line: Hashable, Sendable {
        /// A line, without its end.
        case text([UInt8])

        /// A line longer than allowed, which was dropped.
        case overlong
    }

    /// The most bytes of a line.
    let longest: Int

    private var beginning: [UInt8] = []
    private var isSkipping = false

    init(longest: Int) {
        self.longest = longest
    }

    /// Whether the reader is inside a line that is too long.
    var isInOverlongLine: Bool { isSkipping }

    /// Reads the next bytes, and returns the lines that they complete.
    mutating func read(_ bytes: Span<UInt8>) -> [Line] {
        var lines: [Line] = []
        for index in 0..<bytes.count {
            if bytes[index] == 0x0A {
                lines.append(isSkipping ? .overlong : .text(withoutReturn()))
                beginning.removeAll(keepingCapacity: true)
                isSkipping = false
            } else if beginning.count < longest {
                beginning.append(bytes[index])
            } else {
                isSkipping = true
            }
        }
        return lines
    }

    private func withoutReturn() -> [UInt8] {
        beginning.last == 0x0D ? Array(beginning.dropLast()) : beginning
    }
}
