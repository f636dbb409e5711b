/// The separator between the values of a row.
public enum CSVSeparator: UInt8, Hashable, Sendable, CaseIterable {
    /// `,`, as RFC 4180 has it.
    case comma = 0x2C

    /// `;`, written by spreadsheets in countries with a decimal comma.
    case semicolon = 0x3B

    /// A tab.
    case tab = 0x09

    /// `|`.
    case bar = 0x7C
}

/// Guesses the separator from a file's first row: the one that occurs most often outside of quotes.
///
/// `CSVReader` has one, unless a caller or a line `sep=` names the separator: it scans the file's first row until the guess
/// is there. It can't fail: without any separator in the row, and of equal counts, it is the first of the list, a comma. So
/// the order of the cases matters; a further separator is a case with room in `counts` (`CSVTests`,
/// `Tests/Fixtures/formats`).
struct CSVSeparatorGuess: Sendable {
    private var counts: InlineArray<4, Int> = .init(repeating: 0)
    private var isQuoted = false
    private var isAtValue = true

    /// The number of bytes of the row that were scanned.
    private(set) var position = 0

    /// Scans more of the row that begins at a position; `nil` if the row is incomplete.
    mutating func guess(at start: Int, in bytes: Span<UInt8>, limit: Int, isLast: Bool) -> CSVSeparator? {
        while start + position < min(bytes.count, start + limit) {
            let byte = bytes[start + position]
            if !isQuoted, byte == 0x0A || byte == 0x0D { return mostFrequent }
            take(byte)
            position += 1
        }
        return isLast || position >= limit ? mostFrequent : nil
    }

    private mutating func take(_ byte: UInt8) {
        if byte == UInt8(ascii: "\"") {
            // In a quoted value, a doubled quote stands for one: the second quote opens the value again.
            isQuoted = isQuoted ? false : isAtValue || wasQuoted
            wasQuoted = !isQuoted
            isAtValue = false
            return
        }
        wasQuoted = false
        isAtValue = false
        guard !isQuoted else { return }
        for (index, separator) in CSVSeparator.allCases.enumerated() where separator.rawValue == byte {
            counts[index] += 1
            isAtValue = true
        }
    }

    /// Whether the previous byte was a quote that ended a value.
    private var wasQuoted = false

    private var mostFrequent: CSVSeparator {
        var best = 0
        for index in 1..<4 where counts[index] > counts[best] { best = index }
        return CSVSeparator.allCases[best]
    }
}
