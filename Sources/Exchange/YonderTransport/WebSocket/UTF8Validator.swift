/// Validates UTF-8 as it arrives, in pieces that may end within a character.
///
/// An invalid byte is refused when it arrives, not at the end of the text: the first byte decides which bytes
/// may follow (Unicode 15, table 3-7), so overlong forms, surrogates and code points above U+10FFFF fail at
/// their second byte.
///
/// `MessageAssembler` has one for each text message and closes the connection at the first `false`; after that the value
/// must not be used. What is accepted is Unicode's, and must stay (`MessageAssemblerTests`, which chop texts into single
/// bytes). The fast way through ASCII may be changed.
package struct UTF8Validator: Sendable {
    /// The number of continuation bytes that the current character still needs.
    private var missing: UInt8 = 0

    /// The range of the next continuation byte.
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    package init() {}

    /// Whether the text so far ends with a whole character.
    package var isAtBoundary: Bool { missing == 0 }

    /// Validates the next piece.
    ///
    /// - Returns: `false` if no continuation can make the text well-formed.
    package mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                index = Self.skipASCII(bytes, from: index)
                guard index < bytes.count else { break }
            }
            guard accepts(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func accepts(_ byte: UInt8) -> Bool {
        if missing == 0 { return begins(with: byte) }
        guard next.contains(byte) else { return false }
        missing -= 1
        next = 0x80...0xBF
        return true
    }

    private mutating func begins(with byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x7F: break
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, next) = (2, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE, 0xEF: missing = 2
        case 0xED: (missing, next) = (2, 0x80...0x9F)
        case 0xF0: (missing, next) = (3, 0x90...0xBF)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, next) = (3, 0x80...0x8F)
        default: return false
        }
        return true
    }

    private static func skipASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard word & 0x8080_8080_8080_8080 == 0 else { break }
            index += 8
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }
}
