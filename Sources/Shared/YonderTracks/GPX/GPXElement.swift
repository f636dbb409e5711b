/// An element that has a meaning at its place in a GPX file; `other` for any further element.
///
/// `GPXReader` asks ``child(_:in:)`` at each start tag, with the element that is open. It can't fail: an unknown element is
/// `other`, and all inside it is skipped. A further element is a case here and its text in the reader. Names and places are
/// those of the GPX schemas and of Garmin's extension and must stay (`GPXReaderTests`).
enum GPXElement {
    case gpx, metadata, documentName
    case track, trackName, segment, trackPoint
    case route, routeName, routePoint
    case waypoint
    case altitude, time, course, speed, pointName
    case extensions, trackPointExtension
    case other

    /// Whether the element's text is read.
    var isLeaf: Bool {
        switch self {
        case .documentName, .trackName, .routeName, .pointName, .altitude, .time, .course, .speed: true
        default: false
        }
    }

    /// The meaning of an element inside this one, by its name without a prefix.
    ///
    /// Names are those of GPX 1.0 and 1.1. Course and speed are elements of a point in 1.0; in 1.1 they are
    /// extensions: Garmin's `TrackPointExtension`, or directly in the extensions as OsmAnd writes them.
    func child(_ name: Range<Int>, in bytes: Span<UInt8>) -> GPXElement {
        func named(_ text: StaticString) -> Bool {
            XMLCharacters.equal(text, name, in: bytes)
        }
        switch self {
        case .segment where named("trkpt"): return .trackPoint
        case .trackPoint, .routePoint, .waypoint: return Self.ofPoint(name, in: bytes)
        case .extensions where named("TrackPointExtension"): return .trackPointExtension
        case .extensions, .trackPointExtension: return Self.motion(name, in: bytes)
        case .gpx: return Self.ofDocument(name, in: bytes)
        case .metadata where named("name"): return .documentName
        case .track where named("trkseg"): return .segment
        case .track where named("name"): return .trackName
        case .route where named("rtept"): return .routePoint
        case .route where named("name"): return .routeName
        default: return .other
        }
    }

    private static func ofDocument(_ name: Range<Int>, in bytes: Span<UInt8>) -> GPXElement {
        if XMLCharacters.equal("trk", name, in: bytes) { return .track }
        if XMLCharacters.equal("rte", name, in: bytes) { return .route }
        if XMLCharacters.equal("wpt", name, in: bytes) { return .waypoint }
        if XMLCharacters.equal("metadata", name, in: bytes) { return .metadata }
        return XMLCharacters.equal("name", name, in: bytes) ? .documentName : .other
    }

    private static func ofPoint(_ name: Range<Int>, in bytes: Span<UInt8>) -> GPXElement {
        if XMLCharacters.equal("ele", name, in: bytes) { return .altitude }
        if XMLCharacters.equal("time", name, in: bytes) { return .time }
        if XMLCharacters.equal("name", name, in: bytes) { return .pointName }
        if XMLCharacters.equal("extensions", name, in: bytes) { return .extensions }
        return motion(name, in: bytes)
    }

    private static func motion(_ name: Range<Int>, in bytes: Span<UInt8>) -> GPXElement {
        if XMLCharacters.equal("course", name, in: bytes) { return .course }
        return XMLCharacters.equal("speed", name, in: bytes) ? .speed : .other
    }
}
