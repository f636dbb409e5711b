/// The content of a GPX file: tracks, routes and waypoints.
///
/// `GPXReader` makes it of a file's bytes, `TrackSource` plays it, and `bytes(creator:)` writes it (`GPXWriterTests`).
/// Nothing here fails.
public struct GPXDocument: Hashable, Sendable {
    /// The name in the file's metadata.
    public var name: String?

    /// The single points.
    public var waypoints: [TrackPoint]

    /// The planned ways.
    public var routes: [Route]

    /// The recorded ways.
    public var tracks: [Track]

    /// Problems found while reading; never written.
    public var issues: [TrackIssue] = []

    /// Creates a document.
    public init(
        name: String? = nil,
        waypoints: [TrackPoint] = [],
        routes: [Route] = [],
        tracks: [Track] = []
    ) {
        self.name = name
        self.waypoints = waypoints
        self.routes = routes
        self.tracks = tracks
    }
}
