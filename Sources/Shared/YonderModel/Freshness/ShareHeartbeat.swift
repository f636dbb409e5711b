public import YonderGeodesy
import YonderJSON

/// A sign of life of a sharing phone: kept nowhere, and no message.
public struct ShareHeartbeat: Hashable, Sendable {
    /// The newest fix that the phone has.
    public struct Fix: Hashable, Sendable {
        /// When.
        public let time: Timestamp

        /// The circle around it, or `nil` if unknown.
        public let accuracy: Distance?

        /// The position, or `nil` if the phone only reports that it hasn't moved.
        public let coordinate: Coordinate?

        /// Creates a fix.
        public init(time: Timestamp, accuracy: Distance? = nil, coordinate: Coordinate? = nil) {
            self.time = time
            self.accuracy = accuracy
            self.coordinate = coordinate
        }
    }

    /// The newest fix, or `nil` if there is none.
    public let fix: Fix?

    /// The battery's charge in `0...1`, or `nil`.
    public let battery: Double?

    /// Whether it charges, or `nil`.
    public let isCharging: Bool?

    /// Whether the person paused.
    public let isPaused: Bool

    /// Creates a heartbeat; `nil` if the charge is out of range.
    public init?(
        fix: Fix? = nil,
        battery: Double? = nil,
        isCharging: Bool? = nil,
        isPaused: Bool = false
    ) {
        guard battery.map((0...1).contains) ?? true else { return nil }
        self.fix = fix
        self.battery = battery
        self.isCharging = isCharging
        self.isPaused = isPaused
    }
}

extension ShareHeartbeat.Fix {
    /// Reads `{"time":ms,"accuracy":…,"latitude":…,"longitude":…}`; only the time must be there.
    ///
    /// - Throws: `invalidField`.
    package init(_ data: MessageData) throws(SharingError) {
        let fields = ReportFields(data)
        guard fields.isKnown, fields.isInRange, let time = fields.time else {
            throw SharingError(
                .invalidField,
                "fix must have a time in milliseconds, and at most an accuracy from 0, a latitude in -90…90 and a longitude in -180…180."
            )
        }
        self.init(
            time: time,
            accuracy: fields.accuracy.flatMap(Distance.init(meters:)),
            coordinate: fields.coordinate
        )
    }
}

/// The numbers of a small object.
struct ReportFields {
    private(set) var time: Timestamp?
    private(set) var accuracy: Double?
    private(set) var radius: Double?
    private var latitude: Double?
    private var longitude: Double?

    /// Whether every member is known and a number.
    private(set) var isKnown = true

    init(_ data: MessageData) {
        data.bytes.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            let isRead: Void? = try? scanner.object { scanner, key throws(JSONFault) in
                let range = try scanner.skipValue()
                take(key.name(in: bytes), UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
            isKnown = isKnown && isRead != nil
        }
    }

    /// Whether the accuracy isn't negative, and the latitude and the longitude are both missing or both valid.
    var isInRange: Bool {
        accuracy ?? 0 >= 0 && ((latitude == nil && longitude == nil) || coordinate != nil)
    }

    var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(unfoldedLatitude: latitude, longitude: longitude)
    }

    private mutating func take(_ name: String?, _ text: UnsafeRawBufferPointer) {
        guard JSONNumber.end(in: text, from: 0) == text.count,
            case let digits = String(decoding: text, as: UTF8.self), let number = Double(digits),
            number.isFinite
        else {
            isKnown = false
            return
        }
        switch name {
        // Not through a floating-point number, which rounds what is over 2⁵³.
        case "time":
            time = (Int64(digits) ?? Int64(exactly: number.rounded())).map(Timestamp.init(milliseconds:))
        case "accuracy": accuracy = number
        case "radius": radius = number
        case "latitude": latitude = number
        case "longitude": longitude = number
        default: isKnown = false
        }
    }
}
