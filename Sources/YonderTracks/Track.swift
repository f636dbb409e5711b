public import YonderGeodesy

/// Where a device was, as it recorded it.
public struct Track: Hashable, Sendable {
    /// What the track is called.
    public var name: String?

    /// The points in order; a new segment begins where the device had lost its way or was switched off.
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

    /// The points whose time is known, in the order in which they were recorded.
    public var positions: [Position] {
        segments.flatMap { $0.compactMap(\.position) }
    }
}

/// Where someone means to go.
public struct Route: Hashable, Sendable {
    /// What the route is called.
    public var name: String?

    /// The points in order.
    public var points: [TrackPoint]

    /// Creates a route through points.
    public init(name: String? = nil, points: [TrackPoint]) {
        self.name = name
        self.points = points
    }
}

/// Something in a file that can't be true and was left out or should be doubted; the rest of it was read.
public struct TrackIssue: Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// A time that isn't one. The point has none.
        case unreadableTime

        /// A time before there was GPS, 1980-01-06: the receiver didn't know it. The point has none.
        case impossibleTime

        /// A time before the previous one of its track. The point has it nonetheless.
        case timeGoesBack

        /// An altitude, course or speed that isn't a number or is out of range. The point has none.
        case unreadableNumber
    }

    /// What is wrong.
    public let kind: Kind

    /// Where its element ends, in bytes from the beginning.
    public let offset: Int

    /// Creates an issue at an offset in bytes.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}
