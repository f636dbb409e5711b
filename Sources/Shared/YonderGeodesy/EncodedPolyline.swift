/// A line as a short ASCII text, as map and routing services write it.
///
/// The format is described in Google's *Encoded Polyline Algorithm Format*: each number is the rounded
/// difference from the previous one, shifted left by one bit and inverted if negative, in groups of five bits
/// from the lowest, plus 32 if another group follows, plus 63.
///
/// The server's `RegionNames` reads the streets of its files with it, and apps the lines of routing services. Only decoding
/// fails, with the offset; no text traps. The format is Google's and must stay, to the byte (`EncodedPolylineTests`); further
/// precisions may be added as cases.
public struct EncodedPolyline: Hashable, Sendable {
    /// The number of decimals of a degree.
    public enum Precision: Int, Hashable, Sendable, CaseIterable {
        /// About a meter: what map services write.
        case five = 5

        /// About ten centimeters: what routing engines such as Valhalla write.
        case six = 6

        fileprivate var unitsPerDegree: Double { self == .five ? 1e5 : 1e6 }
    }

    /// The reason why a text isn't an encoded polyline; `offset` is the number of bytes before the faulty
    /// number.
    public enum Failure: Error, Hashable, Sendable {
        /// A byte outside 63...126.
        case unexpectedByte(offset: Int)

        /// The text ends within a number, or between a latitude and its longitude.
        case endsEarly(offset: Int)

        /// A number of more than seven groups of five bits.
        case numberTooLong(offset: Int)

        /// A latitude outside −90...90, or a longitude more than a thousand turns away.
        case notOnEarth(offset: Int)
    }

    /// The encoded line.
    public let text: String

    /// The number of decimals of a degree in `text`.
    public let precision: Precision

    /// Stores an encoded line without checking it; ``coordinates()`` does.
    public init(text: String, precision: Precision = .five) {
        self.text = text
        self.precision = precision
    }

    /// Encodes a line.
    ///
    /// Longitudes are written as they are, in −180...180, also across the antimeridian.
    public init(_ coordinates: some Sequence<Coordinate>, precision: Precision = .five) {
        var bytes: [UInt8] = []
        var (latitude, longitude) = (Int64(0), Int64(0))
        for coordinate in coordinates {
            let next = (
                Int64((coordinate.latitude * precision.unitsPerDegree).rounded()),
                Int64((coordinate.longitude * precision.unitsPerDegree).rounded())
            )
            Self.append(next.0 - latitude, to: &bytes)
            Self.append(next.1 - longitude, to: &bytes)
            (latitude, longitude) = next
        }
        self.init(text: String(decoding: bytes, as: UTF8.self), precision: precision)
    }

    /// Decodes the line, folding longitudes that another encoder left beyond the antimeridian.
    ///
    /// - Throws: ``Failure`` at the first number that is wrong.
    public func coordinates() throws(Failure) -> [Coordinate] {
        let bytes = Array(text.utf8)
        var coordinates: [Coordinate] = []
        coordinates.reserveCapacity(bytes.count / 4)
        var (latitude, longitude) = (Int64(0), Int64(0))
        var offset = 0
        while offset < bytes.count {
            let start = offset
            // The sums can't overflow: decoding stops at the first coordinate that isn't on Earth, and each
            // term has a few bytes.
            latitude += try Self.number(in: bytes, at: &offset)
            longitude += try Self.number(in: bytes, at: &offset)
            guard
                longitude.magnitude < UInt64(360_000 * precision.unitsPerDegree),
                let coordinate = Coordinate(
                    latitude: Double(latitude) / precision.unitsPerDegree,
                    longitude: Double(longitude) / precision.unitsPerDegree
                )
            else { throw .notOnEarth(offset: start) }
            coordinates.append(coordinate)
        }
        return coordinates
    }

    private static func append(_ difference: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
        while rest >= 0x20 {
            bytes.append(UInt8(rest & 0x1F | 0x20) + 63)
            rest >>= 5
        }
        bytes.append(UInt8(rest) + 63)
    }

    private static func number(in bytes: [UInt8], at offset: inout Int) throws(Failure) -> Int64 {
        let start = offset
        var bits = UInt64(0)
        for shift in stride(from: UInt64(0), through: 30, by: 5) {
            guard offset < bytes.count else { throw .endsEarly(offset: start) }
            guard (63...126).contains(bytes[offset]) else { throw .unexpectedByte(offset: offset) }
            let group = UInt64(bytes[offset] - 63)
            offset += 1
            bits |= (group & 0x1F) << shift
            if group < 0x20 { return Int64(bits >> 1) ^ -Int64(bits & 1) }
        }
        throw .numberTooLong(offset: start)
    }
}
