package import YonderGeodesy
import YonderModel
import YonderJSON

/// A pin's position in the world: two JSON numbers joined by one comma, kept as the client wrote them.
///
/// `Session` of the hub and `WorldNamespace` of Socket.IO read one from each client that moves its pin; `WorldRoom` sends the
/// same bytes to all others, and the client reads them. Text that isn't two numbers is `nil`, and the frame is refused. That
/// the bytes stay as the client wrote them must stay (`WorldPositionTests`, `test_socket_io.py`). ``byteLimit`` may be
/// raised.
package struct WorldPosition: Hashable, Sendable {
    /// The most bytes of a position.
    package static let byteLimit = 256

    /// The text as written: digits, signs, points, exponents and one comma.
    package let bytes: [UInt8]

    /// Degrees north of the equator, in `-90...90`.
    package let latitude: Double

    /// Degrees east of Greenwich, in `-180...180`.
    package let longitude: Double

    /// Reads a position; `nil` if the text isn't two such numbers, is longer than 256 bytes, or lies out of
    /// range.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= Self.byteLimit, let comma = JSONNumber.end(in: bytes, from: 0),
            comma < bytes.count,
            bytes[comma] == UInt8(ascii: ","), JSONNumber.end(in: bytes, from: comma + 1) == bytes.count,
            let latitude = Double(String(decoding: bytes[..<comma], as: UTF8.self)),
            let longitude = Double(String(decoding: bytes[(comma + 1)...], as: UTF8.self)),
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        self.bytes = [UInt8](bytes)
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Reads a position; `nil` if the text isn't two such numbers, is longer than 256 bytes, or lies out of
    /// range.
    package init?(_ bytes: [UInt8]) {
        let read: Self? = bytes.withUnsafeBytes { Self($0) }
        guard let read else { return nil }
        self = read
    }

    /// Reads a position; `nil` if the text isn't two such numbers, is longer than 256 bytes, or lies out of
    /// range.
    package init?(_ text: String) {
        self.init([UInt8](text.utf8))
    }

    /// Creates a position with six decimals for each coordinate.
    package init(_ coordinate: Coordinate) {
        let (latitude, longitude) = (SixDecimals(coordinate.latitude), SixDecimals(coordinate.longitude))
        bytes = Array("\(latitude),\(longitude)".utf8)
        self.latitude = latitude.degrees
        self.longitude = longitude.degrees
    }

    /// The text as written.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether both were written with the same bytes.
    package static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    /// Hashes the bytes as written.
    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
