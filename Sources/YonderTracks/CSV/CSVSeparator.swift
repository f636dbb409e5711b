/// What stands between the values of a row.
public enum CSVSeparator: UInt8, Hashable, Sendable, CaseIterable {
    /// `,`, as RFC 4180 has it.
    case comma = 0x2C

    /// `;`, as spreadsheets write where the comma is the decimal mark.
    case semicolon = 0x3B

    /// A tab.
    case tab = 0x09

    /// `|`.
    case bar = 0x7C
}

/// Finds out from a file's first row which separator it has: the one that occurs most often outside of quotes.
struct CSVSeparatorGuess: Sendable {
    private var counts: InlineArray<4, Int> = .init(repeating: 0)
    private var isQuoted = false
    private var isAtValue = true

    /// How many bytes of the row were looked at.
    private(set) var position = 0

    /// Takes more of the row that begins at a position; `nil` if it doesn't end yet.
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
            // In a quoted value two of them stand for one: the second opens it again.
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

    /// Whether the byte before was a quote that ended a value.
    private var wasQuoted = false

    private var mostFrequent: CSVSeparator {
        var best = 0
        for index in 1..<4 where counts[index] > counts[best] { best = index }
        return CSVSeparator.allCases[best]
    }
}
