/// What a single position has to be like, and how long it may take.
public struct PositionRequest: Hashable, Sendable {
    /// Whether the position has to be as good as the device can make it; otherwise three kilometers will do.
    public var isHighAccuracy: Bool

    /// How long to wait for it at most.
    ///
    /// Nothing is waited for if it isn't positive: then only a position that is known and young enough will do.
    public var timeout: Duration

    /// How old a position may be that is known already; zero asks for a new one.
    ///
    /// The age is the greater of two: by the position's own timestamp against the time of day, and the time since it
    /// arrived. While the source is running, a position counts as present for a second
    /// (``LocationProvider/presentAge``) whatever is asked here. How accurate it is makes no difference.
    public var maximumAge: Duration

    /// Creates a request: as good as possible, within five seconds, and new.
    public init(
        isHighAccuracy: Bool = true,
        timeout: Duration = .seconds(5),
        maximumAge: Duration = .zero
    ) {
        self.isHighAccuracy = isHighAccuracy
        self.timeout = timeout
        self.maximumAge = maximumAge
    }
}
