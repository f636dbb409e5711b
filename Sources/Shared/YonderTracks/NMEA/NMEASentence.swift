/// A whole sentence in some bytes: its talker, its kind, and the range of its fields.
///
/// A view: it holds offsets into the bytes and copies nothing.
///
/// `NMEAReader` makes one of each frame with a right checksum; a kind of `nil` is counted as skipped. A further kind is a
/// case here, its letters below, a type in `NMEAReports.swift` and a branch of the reader; at most 16 kinds fit the sets of
/// bits of `NMEACycle`. Nothing fails (`NMEASentenceTests`).
package struct NMEASentence: Hashable, Sendable {
    /// The sentences that are read; every other one is skipped.
    package enum Kind: UInt8, Hashable, Sendable {
        /// Recommended minimum: time, date, status, position, speed, course, variation.
        case rmc

        /// Fix: time, position, quality, satellites, altitude.
        case gga

        /// Position, time and status.
        case gll

        /// Time and date.
        case zda

        /// The estimated error of the fix.
        case gst

        /// Course and speed over ground.
        case vtg

        /// Fix in two or three dimensions, satellites used, dilution of precision.
        case gsa

        /// Satellites in view.
        case gsv

        /// Heading from true north.
        case hdt

        /// Heading from magnetic north, deviation and variation.
        case hdg
    }

    /// The talker's two letters: `GP`, `GN`, `II` or any other.
    package let talker: UInt16

    /// The kind of sentence, or `nil` for one that isn't read: proprietary, AIS, or another type.
    package let kind: Kind?

    /// The range of the fields after the address, including commas.
    package let fields: Range<Int>

    /// Parses the text between two offsets: a `$` or `!`, an address such as `GPRMC`, and fields.
    init(_ range: Range<Int>, in bytes: Span<UInt8>) {
        let start = range.lowerBound
        guard
            range.count >= 7, bytes[start] == UInt8(ascii: "$"), bytes[start + 1] != UInt8(ascii: "P"),
            bytes[start + 6] == UInt8(ascii: ",")
        else {
            (talker, kind, fields) = (0, nil, range.upperBound..<range.upperBound)
            return
        }
        talker = UInt16(bytes[start + 1]) << 8 | UInt16(bytes[start + 2])
        kind = Kind(bytes[start + 3], bytes[start + 4], bytes[start + 5])
        fields = start + 7..<range.upperBound
    }
}

extension NMEASentence.Kind {
    @inline(__always)
    fileprivate init?(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
        switch (first, second, third) {
        case (0x52, 0x4D, 0x43): self = .rmc
        case (0x47, 0x47, 0x41): self = .gga
        case (0x47, 0x4C, 0x4C): self = .gll
        case (0x5A, 0x44, 0x41): self = .zda
        case (0x47, 0x53, 0x54): self = .gst
        case (0x56, 0x54, 0x47): self = .vtg
        case (0x47, 0x53, 0x41): self = .gsa
        case (0x47, 0x53, 0x56): self = .gsv
        case (0x48, 0x44, 0x54): self = .hdt
        case (0x48, 0x44, 0x47): self = .hdg
        default: return nil
        }
    }
}
