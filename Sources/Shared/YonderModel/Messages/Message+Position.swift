public import YonderGeodesy
import YonderJSON

// What a location message says, and which of two is newer. Both sides read positions here: the stores and the hub for
// *newest*, the client for maps. Reading never fails or traps: what isn't a position is `nil`. Which members there are and
// what is tolerated must stay, because messages of years ago are read again (`Documentation/stream.md`); so must the order of
// ``Recency``, in which stores of all versions agree. A value that a newer client sends must be a further optional member;
// the server keeps the bytes as they came. `MessagePositionTests` and `StoreRule+Reading` hold both.
extension Message {
    /// The sender's position, if this is a location message that can be read; else `nil`.
    ///
    /// `latitude` and `longitude` may be numbers or strings that hold one, everything else is a number. What is
    /// missing, or lies outside its range, is `nil`. The position's time is its `timestamp`, or the message's ``time``
    /// without one and if it is more than ``clockTolerance`` ahead of that.
    public var position: Position? {
        guard tag == .location, let data, var position = data.position(at: time) else { return nil }
        if position.timestamp > time + Self.clockTolerance { position.timestamp = time }
        return position
    }

    /// How far ahead of the server a device's clock may be.
    public static let clockTolerance = Duration.seconds(120)

    /// The time that *newest* is decided by: that of its position, or ``time`` without one.
    public var moment: Timestamp { position?.timestamp ?? time }

    /// Whether its position is newer than another message's: by the position's time, then by the number.
    public func isNewer(than other: Message) -> Bool {
        Recency(self) > Recency(other)
    }
}

/// The order of a sender's positions, by which one is the newest.
public struct Recency: Hashable, Sendable, Comparable {
    /// The position's time, or when the message came.
    public let moment: Timestamp

    /// The message's number; `nil` for an unkept one.
    public let number: Int64?

    /// Creates it from a position's time and its message's number.
    public init(moment: Timestamp, number: Int64?) {
        self.moment = moment
        self.number = number
    }

    /// The place of a message in the order.
    public init(_ message: Message) {
        self.init(moment: message.moment, number: message.number)
    }

    /// Orders by time, then by number; an unkept message comes last among those of its time.
    public static func < (left: Self, right: Self) -> Bool {
        (left.moment, left.place) < (right.moment, right.place)
    }

    private var place: Int64 { number ?? .max }
}

extension MessageData {
    /// Writes a position as today's clients do.
    ///
    /// Latitude and longitude are strings of six decimals, the rest are numbers in meters, degrees and meters per
    /// second, the timestamp in milliseconds. What is `nil` is left out.
    public init(position: Position) {
        var writer = JSONWriter(capacity: 192)
        writer.raw("{\"latitude\":\"")
        writer.sixDecimals(position.coordinate.latitude)
        writer.raw("\",\"longitude\":\"")
        writer.sixDecimals(position.coordinate.longitude)
        writer.raw("\"")
        writer.rest(of: position)
        writer.raw(",\"timestamp\":")
        writer.integer(position.timestamp.milliseconds)
        writer.raw("}")
        self.init(checked: writer.bytes)
    }

    /// The position that this object describes, or `nil` if it has no valid coordinate.
    ///
    /// - Parameter time: The time to give it if the object has none.
    /// - Returns: The position, or `nil`.
    package func position(at time: Timestamp) -> Position? {
        bytes.withUnsafeBytes { text in
            var fields = PositionFields(timestamp: time)
            var scanner = JSONScanner(text)
            try? scanner.object { scanner, key throws(JSONFault) in try fields.take(key, from: &scanner) }
            return fields.position
        }
    }
}

/// The members of a position that have been read so far.
private struct PositionFields {
    var timestamp: Timestamp
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var horizontalAccuracy: Double?
    var verticalAccuracy: Double?
    var course: Double?
    var speed: Double?
    var heading: Double?
    var magneticHeading: Double?
    var trueHeading: Double?
    var headingAccuracy: Double?

    mutating func take(_ key: JSONString, from scanner: inout JSONScanner) throws(JSONFault) {
        switch key.name(in: scanner.bytes) {
        case "latitude": latitude = try number(&scanner, orString: true)
        case "longitude": longitude = try number(&scanner, orString: true)
        case "altitude": altitude = try number(&scanner)
        case "horizontalAccuracy": horizontalAccuracy = try number(&scanner)
        case "verticalAccuracy": verticalAccuracy = try number(&scanner)
        case "course": course = try number(&scanner)
        case "speed": speed = try number(&scanner)
        case "heading": heading = try number(&scanner)
        case "magneticHeading": magneticHeading = try number(&scanner)
        case "trueHeading": trueHeading = try number(&scanner)
        case "headingAccuracy": headingAccuracy = try number(&scanner)
        case "timestamp": try takeTimestamp(&scanner)
        default: _ = try scanner.skipValue()
        }
    }

    private mutating func takeTimestamp(_ scanner: inout JSONScanner) throws(JSONFault) {
        let value = try number(&scanner)
        guard let value, let milliseconds = Int64(exactly: value.rounded()) else { return }
        timestamp = Timestamp(milliseconds: milliseconds)
    }

    /// The number that comes next, or `nil` for anything else, which is skipped.
    private func number(_ scanner: inout JSONScanner, orString: Bool = false) throws(JSONFault) -> Double? {
        let range = try scanner.skipValue()
        let isString = scanner.bytes[range.lowerBound] == UInt8(ascii: "\"")
        let digits = isString && orString ? range.lowerBound + 1..<range.upperBound - 1 : range
        guard !digits.isEmpty, JSONNumber.end(in: scanner.bytes, from: digits.lowerBound) == digits.upperBound
        else { return nil }
        return Double(String(decoding: scanner.bytes[digits], as: UTF8.self)).flatMap {
            $0.isFinite ? $0 : nil
        }
    }

    var position: Position? {
        guard let latitude, let longitude,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return Position(
            coordinate: coordinate,
            timestamp: timestamp,
            altitude: altitude.flatMap(Distance.init(meters:)),
            horizontalAccuracy: horizontalAccuracy.flatMap(Distance.init(meters:)),
            verticalAccuracy: verticalAccuracy.flatMap(Distance.init(meters:)),
            course: bearing(course),
            speed: speed.flatMap(Speed.init(metersPerSecond:)),
            heading: bearing(heading),
            magneticHeading: bearing(magneticHeading),
            trueHeading: bearing(trueHeading),
            headingAccuracy: bearing(headingAccuracy)?.degrees
        )
    }

    /// A direction; a negative one is how some devices say that they don't know.
    private func bearing(_ degrees: Double?) -> Bearing? {
        degrees.flatMap { $0 < 0 ? nil : Bearing(degrees: $0) }
    }
}

extension JSONWriter {
    /// Appends what a position has beside its coordinate and its time, each with a comma before it.
    ///
    /// Numbers in meters, degrees and meters per second. What is `nil` is left out.
    package mutating func rest(of position: Position) {
        member(",\"altitude\":", position.altitude?.meters)
        member(",\"horizontalAccuracy\":", position.horizontalAccuracy?.meters)
        member(",\"verticalAccuracy\":", position.verticalAccuracy?.meters)
        member(",\"course\":", position.course?.degrees)
        member(",\"speed\":", position.speed?.metersPerSecond)
        member(",\"heading\":", position.heading?.degrees)
        member(",\"magneticHeading\":", position.magneticHeading?.degrees)
        member(",\"trueHeading\":", position.trueHeading?.degrees)
        member(",\"headingAccuracy\":", position.headingAccuracy)
    }

    /// Appends degrees with exactly six decimals.
    fileprivate mutating func sixDecimals(_ degrees: Double) {
        let millionths = Int64((degrees * 1_000_000).rounded())
        let (whole, fraction) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        if millionths < 0 { raw("-") }
        integer(Int64(whole))
        raw(".")
        let digits = String(fraction)
        for _ in digits.utf8.count..<6 { raw("0") }
        raw(digits.utf8)
    }

    /// Appends a member with its comma and name, unless there is none.
    fileprivate mutating func member(_ name: StaticString, _ value: Double?) {
        guard let value else { return }
        raw(name)
        double(value)
    }
}
