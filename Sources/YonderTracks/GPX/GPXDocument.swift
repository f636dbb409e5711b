/// What a GPX file holds: tracks, routes and points.
public struct GPXDocument: Hashable, Sendable {
    /// What the file is called by itself.
    public var name: String?

    /// Points marked by themselves.
    public var waypoints: [TrackPoint]

    /// Ways that someone means to go.
    public var routes: [Route]

    /// Ways that someone went.
    public var tracks: [Track]

    /// What was left out or doubtful when the document was read; never written.
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
