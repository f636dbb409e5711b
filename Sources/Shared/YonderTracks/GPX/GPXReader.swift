import YonderGeodesy

// GPX files in, documents out: `TrackSource(readingGPX:)`, the demo's routes and apps call the initializers, once for a file.
// `GPXElement` knows the elements, `XMLScanner` the grammar. Times before GPS began, and numbers out of range, may be listed
// more finely (`TrackIssue`); a point without a valid place must refuse the file, because a track with a gap would look like
// a straight way.
extension GPXDocument {
    /// Reads a GPX file, version 1.0 or 1.1.
    ///
    /// Impossible times and numbers are left out and listed in ``issues``. Any other deviation from GPX in
    /// well-formed XML without a document type is refused. The file is read in one pass, and only names are
    /// copied.
    ///
    /// - Throws: ``TrackFileFailure``, with the offset in bytes.
    public init(reading bytes: [UInt8]) throws(TrackFileFailure) {
        try self.init(reading: bytes.span)
    }

    /// Reads a GPX file; see `init(reading:)`.
    ///
    /// - Throws: ``TrackFileFailure``, with the offset in bytes.
    public init(reading bytes: Span<UInt8>) throws(TrackFileFailure) {
        var reader = GPXReader()
        try reader.read(bytes)
        self = reader.document
    }
}

/// Assembles a document from the tags and texts of an XML file.
///
/// `GPXDocument.init(reading:)` makes one for each file, and has it read the whole once. The first deviation from XML or GPX
/// throws, with its offset; a time or number that can't be is listed and left out. What is accepted is tried with real files
/// and damaged ones (`GPXReaderTests`).
private struct GPXReader {
    var document = GPXDocument()

    private var openElements: [GPXElement] = []
    private var content = XMLContent()
    private var point: TrackPoint?

    /// The points of the open segment.
    private var segment: [TrackPoint] = []
    private var previousTime: Timestamp?

    mutating func read(_ bytes: Span<UInt8>) throws(TrackFileFailure) {
        var scanner = try XMLScanner(bytes)
        while true {
            switch try scanner.next(in: bytes) {
            case .start(let name): try open(name, scanner.attributes, in: bytes)
            case .end: close(at: scanner.position, in: bytes)
            case .text(let range): try take(range, isLiteral: false, in: bytes)
            case .literal(let range): try take(range, isLiteral: true, in: bytes)
            case .finished: return
            }
        }
    }

    private mutating func open(
        _ name: Range<Int>,
        _ attributes: [XMLScanner.Attribute],
        in bytes: Span<UInt8>
    ) throws(TrackFileFailure) {
        let name = Self.withoutPrefix(name, in: bytes)
        guard let parent = openElements.last else {
            guard XMLCharacters.equal("gpx", name, in: bytes) else {
                throw TrackFileFailure(.notGPX, at: name.lowerBound)
            }
            openElements.append(.gpx)
            return
        }
        let element = parent.child(name, in: bytes)
        switch element {
        case .track:
            document.tracks.append(Track(segments: []))
            previousTime = nil
        case .segment: segment = []
        case .route: document.routes.append(Route(points: []))
        case .trackPoint, .routePoint, .waypoint:
            guard let coordinate = Self.coordinate(attributes, in: bytes) else {
                throw TrackFileFailure(.invalidCoordinate, at: name.lowerBound)
            }
            point = TrackPoint(coordinate: coordinate)
        default:
            if element.isLeaf { content.clear() }
        }
        openElements.append(element)
    }

    private mutating func take(_ text: Range<Int>, isLiteral: Bool, in bytes: Span<UInt8>)
        throws(TrackFileFailure)
    {
        guard openElements.last?.isLeaf == true else { return }
        try content.append(text, isLiteral: isLiteral, in: bytes)
    }

    private mutating func close(at offset: Int, in bytes: Span<UInt8>) {
        switch openElements.removeLast() {
        case .trackPoint: finishTrackPoint(at: offset)
        case .segment: document.tracks[document.tracks.count - 1].segments.append(segment)
        case .routePoint:
            if let point { document.routes[document.routes.count - 1].points.append(point) }
        case .waypoint:
            if let point { document.waypoints.append(point) }
        case .documentName: document.name = text(in: bytes)
        case .trackName: document.tracks[document.tracks.count - 1].name = text(in: bytes)
        case .routeName: document.routes[document.routes.count - 1].name = text(in: bytes)
        case let element where element.isLeaf: setPoint(element, at: offset, in: bytes)
        default: break
        }
    }

    /// Stores the content of an element in the open point.
    private mutating func setPoint(_ element: GPXElement, at offset: Int, in bytes: Span<UInt8>) {
        guard point != nil else { return }
        switch element {
        case .altitude:
            let altitude = value(at: offset, in: bytes, Distance.init(meters:))
            point?.altitude = altitude
        case .course:
            let course = value(at: offset, in: bytes, Self.course)
            point?.course = course
        case .speed:
            let speed = value(at: offset, in: bytes, Speed.init(metersPerSecond:))
            point?.speed = speed
        case .time:
            let time = time(at: offset, in: bytes)
            point?.timestamp = time
        default:
            let name = text(in: bytes)
            point?.name = name
        }
    }
}

// Points.
extension GPXReader {
    private mutating func finishTrackPoint(at offset: Int) {
        guard let point else { return }
        if let time = point.timestamp {
            if let previousTime, time < previousTime {
                document.issues.append(TrackIssue(.timeGoesBack, at: offset))
            }
            previousTime = time
        }
        segment.append(point)
    }

    private static func coordinate(_ attributes: [XMLScanner.Attribute], in bytes: Span<UInt8>) -> Coordinate?
    {
        var latitude: Double?
        var longitude: Double?
        for attribute in attributes {
            if XMLCharacters.equal("lat", attribute.name, in: bytes) {
                latitude = DecimalNumber(bytes.extracting(attribute.value))?.value
            } else if XMLCharacters.equal("lon", attribute.name, in: bytes) {
                longitude = DecimalNumber(bytes.extracting(attribute.value))?.value
            }
        }
        guard let latitude, let longitude, (-180...180).contains(longitude) else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// The name without its prefix.
    private static func withoutPrefix(_ name: Range<Int>, in bytes: Span<UInt8>) -> Range<Int> {
        for index in name where bytes[index] == UInt8(ascii: ":") {
            return index + 1..<name.upperBound
        }
        return name
    }
}

// Texts.
extension GPXReader {
    /// GPS time began on 1980-01-06.
    private static let firstPossibleTime = Timestamp(milliseconds: 315_964_800_000)

    private mutating func time(at offset: Int, in bytes: Span<UInt8>) -> Timestamp? {
        guard let time = content.withTrimmed(in: bytes, { Timestamp(iso8601: $0) }) else {
            document.issues.append(TrackIssue(.unreadableTime, at: offset))
            return nil
        }
        guard time >= Self.firstPossibleTime else {
            document.issues.append(TrackIssue(.impossibleTime, at: offset))
            return nil
        }
        return time
    }

    /// The content as a number in its unit.
    private mutating func value<Value>(
        at offset: Int,
        in bytes: Span<UInt8>,
        _ make: (Double) -> Value?
    ) -> Value? {
        if let value = content.withTrimmed(in: bytes, { DecimalNumber($0).flatMap { make($0.value) } }) {
            return value
        }
        document.issues.append(TrackIssue(.unreadableNumber, at: offset))
        return nil
    }

    private static func course(_ degrees: Double) -> Bearing? {
        (0...360).contains(degrees) ? Bearing(degrees: degrees) : nil
    }

    private func text(in bytes: Span<UInt8>) -> String? {
        let text = content.withTrimmed(in: bytes) { text in
            String(unsafeUninitializedCapacity: text.count) { buffer in
                for index in 0..<text.count { buffer[index] = text[index] }
                return text.count
            }
        }
        return text.isEmpty ? nil : text
    }
}
