public import YonderGeodesy
import YonderJSON

/// A report of a sharing phone that it is alive, which the server neither stores nor passes on to viewers as such.
///
/// A phone sends one every 15 seconds for each share, by `SharingClient.sendHeartbeat(_:in:share:)` or REST. The server
/// reads it from the frame (`ClientFrame+Shares.swift`) or the body (`ShareEndpoints`), counts it against the share's
/// heartbeats an hour, and `ShareReports` decides what it says of the share's freshness: a later one takes the place of an
/// earlier one, so a lost one is made up for by the next. Nodes pass heartbeats to each other
/// (`ShareHeartbeat+Coding.swift`).
///
/// A further property needs both readers, the writer, and the coding between nodes, whose version (`BusFrame.version`) then
/// rises. The names of members must stay: `Documentation/stream.md` promises them. The thresholds are in `ShareReports`.
///
/// `FreshnessTests`, `ShareCallTests` and `BusFrameTests` hold it.
public struct ShareHeartbeat: Hashable, Sendable {
    /// The newest fix that the phone has.
    public struct Fix: Hashable, Sendable {
        /// When the device was there.
        public let time: Timestamp

        /// The radius of the circle in which the device likely is, or `nil` if unknown.
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

    /// The battery's charge in `0...1`, or `nil` if unknown.
    public let battery: Double?

    /// Whether the battery charges, or `nil` if unknown.
    public let isCharging: Bool?

    /// Whether the person paused the share: it then counts as paused, not as silent.
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
    /// The accuracy is in meters, from 0; the coordinates are degrees, both or neither.
    ///
    /// - Throws: `invalidField` for a missing time, another member, or a value out of range.
    package init(_ data: MessageData) throws(SharingError) {
        let fields = ReportFields(data)
        guard fields.isKnown, fields.isInRange, let time = fields.time,
            Timestamp.ofPeers.contains(time.milliseconds)
        else {
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

/// The numbers of a small JSON object: a heartbeat's fix, or the place of a share's arrival.
///
/// Reading never fails or traps: ``isKnown`` says whether the object had only known members and only numbers.
/// `Share+JSON.swift` reads arrivals with it.
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

    /// The coordinate, or `nil` if a degree is missing or out of range.
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
