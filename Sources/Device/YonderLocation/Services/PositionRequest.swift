/// The requirements for a single position, and its timeout.
///
/// An app passes one to `position(_:)`, and `LocationDesk` follows it. Nothing is checked. Defaults and the meaning of the
/// age are promised in `Documentation/location-apps.md` (`PositionRequestTests`).
public struct PositionRequest: Hashable, Sendable {
    /// Whether the position must have the device's best accuracy; otherwise three kilometers suffice.
    public var isHighAccuracy: Bool

    /// The longest time to wait.
    ///
    /// With a timeout of zero or less, the request doesn't wait: only a known position that is young enough
    /// is returned.
    public var timeout: Duration

    /// The greatest age of a position that is already known; zero requests a new one.
    ///
    /// The age is the greater of two: by the position's own timestamp against the time of day, and the time
    /// since its arrival. While the source runs, a position counts as current for a second
    /// (``LocationProvider/presentAge``) even if this value is less. Its accuracy isn't considered.
    public var maximumAge: Duration

    /// Creates a request, by default: best accuracy, within five seconds, and new.
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
