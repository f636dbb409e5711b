public import YonderGeodesy

/// The recorded positions of a device.
///
/// `GPXReader` makes it of a file, `RESTClient+Tracks` of the server's answer, and an app of anything; `GPXWriter`,
/// `GeoJSONFeature` and `TrackReplay` use it. Nothing checks or fails here: times may be missing or go back, which a file's
/// ``TrackIssue`` says. The type isn't stored or sent as such, so values may be added.
///
/// The order of points and segments is the file's and must stay (`GPXReaderTests`).
public struct Track: Hashable, Sendable {
    /// The track's name.
    public var name: String?

    /// The points in order; a new segment begins where the recording was interrupted.
    public var segments: [[TrackPoint]]

    /// Creates a track from its segments.
    public init(name: String? = nil, segments: [[TrackPoint]]) {
        self.name = name
        self.segments = segments
    }

    /// The points of all segments.
    public var points: [TrackPoint] {
        segments.flatMap(\.self)
    }

    /// The points that have a time, in recorded order.
    public var positions: [Position] {
        segments.flatMap { $0.compactMap(\.position) }
    }
}

/// A planned way.
public struct Route: Hashable, Sendable {
    /// The route's name.
    public var name: String?

    /// The points in order.
    public var points: [TrackPoint]

    /// Creates a route through points.
    public init(name: String? = nil, points: [TrackPoint]) {
        self.name = name
        self.points = points
    }
}

/// A problem in a file that was otherwise read: a value that was left out or is doubtful.
public struct TrackIssue: Hashable, Sendable {
    /// The kinds of problem.
    public enum Kind: Hashable, Sendable {
        /// An unreadable time. The point has none.
        case unreadableTime

        /// A time before 1980-01-06, when GPS began: the receiver didn't know the time. The point has none.
        case impossibleTime

        /// A time before the previous one of its track. The point keeps it.
        case timeGoesBack

        /// An altitude, course or speed that isn't a number or is out of range. The point has none.
        case unreadableNumber
    }

    /// The kind of problem.
    public let kind: Kind

    /// The offset of the end of its element, in bytes from the beginning of the file.
    public let offset: Int

    /// Creates an issue at an offset in bytes.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}
