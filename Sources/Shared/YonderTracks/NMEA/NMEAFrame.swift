/// The text at a `$` or `!`: a sentence, a piece of one, or the beginning of an incomplete one.
///
///     $GPGLL,5251.0093,N,00518.8170,E,094736,A,A*4A␍␊
///     ╰ start                                ╰ checksum: all between `$` and `*`, combined by exclusive or
///
/// `NMEAReader` makes one at each `$` or `!`, and continues at `next`; after `incomplete` it keeps the bytes and tries again
/// with more. Every result but `sentence` is counted as the reader's ``NMEAReader/Counts`` say. ``longest`` may be raised, as
/// it bounds what is kept; the rules of ends and checksums must stay (`NMEAStreamTests`, `NMEAMutationTests`).
enum NMEAFrame {
    /// A sentence up to its `*` or line end, whose checksum is right or absent.
    case sentence(Range<Int>, hasChecksum: Bool, next: Int)

    /// A sentence whose checksum is wrong.
    case wrongChecksum(next: Int)

    /// A sentence that breaks off at a byte that can't be part of it.
    case broken(next: Int)

    /// There is no end within ``longest`` bytes.
    case overlong(next: Int)

    /// The bytes end before the sentence does.
    case incomplete

    /// The most bytes from `$` to the line's end.
    ///
    /// The standard allows 82, and gpsd some hundred more, as many receivers exceed it.
    static let longest = 256

    /// Reads the frame that begins at an offset.
    ///
    /// The result depends only on the bytes that the frame needs, not on how many follow.
    init(at start: Int, in bytes: Span<UInt8>) {
        let limit = min(bytes.count, start + Self.longest)
        var position = start + 1
        var sum = UInt64(0)
        while position < limit {
            if position + 8 <= limit {
                let word = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
                    .littleEndian
                let marks = Self.marks(in: word)
                if marks == 0 {
                    sum ^= word
                    position += 8
                    continue
                }
                let clean = marks.trailingZeroBitCount & ~7
                sum ^= word & (1 << UInt64(clean) &- 1)
                position += clean / 8
            }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "*"):
                self = Self.checked(start..<position, sum: Self.folded(sum), limit: limit, in: bytes)
                return
            case 0x0A, 0x0D:
                self = .sentence(start..<position, hasChecksum: false, next: position)
                return
            case UInt8(ascii: "$"), UInt8(ascii: "!"), 0..<0x20, 0x7F...:
                self = .broken(next: position)
                return
            default:
                sum ^= UInt64(byte)
                position += 1
            }
        }
        self = limit == bytes.count && limit - start < Self.longest ? .incomplete : .overlong(next: limit)
    }

    /// The highest bit of every byte that may end a sentence or can't occur in one.
    ///
    /// These bytes lie below `+` or from 0x80; some others do, too, such as spaces, which only costs time.
    /// After *Bit Twiddling Hacks*, "determine if a word has a byte less than n": exact up to the lowest such
    /// byte, which is the only one used.
    @inline(__always)
    private static func marks(in word: UInt64) -> UInt64 {
        let ones = UInt64.max / 255
        let highBits = ones &* 0x80
        return ((word &- ones &* 0x2B) & ~word | word | (word &+ ones)) & highBits
    }

    /// All eight bytes combined by exclusive or.
    @inline(__always)
    private static func folded(_ sum: UInt64) -> UInt8 {
        var sum = sum ^ sum >> 32
        sum ^= sum >> 16
        return UInt8(truncatingIfNeeded: sum ^ sum >> 8)
    }

    /// The frame whose `*` is at the range's end.
    private static func checked(_ range: Range<Int>, sum: UInt8, limit: Int, in bytes: Span<UInt8>)
        -> NMEAFrame
    {
        let digits = range.upperBound + 1
        for position in digits..<digits + 2 {
            guard position < limit else {
                return limit - range.lowerBound < longest ? .incomplete : .overlong(next: limit)
            }
            guard hexadecimal(bytes[position]) != nil else { return .broken(next: position) }
        }
        let written = (hexadecimal(bytes[digits]) ?? 0) << 4 | (hexadecimal(bytes[digits + 1]) ?? 0)
        guard written == sum else { return .wrongChecksum(next: digits + 2) }
        return .sentence(range, hasChecksum: true, next: digits + 2)
    }

    @inline(__always)
    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
