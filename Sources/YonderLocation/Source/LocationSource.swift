public import YonderGeodesy

/// Where positions come from: Core Location, gpsd, a receiver, a recorded track.
///
/// A source is told when somebody listens and when nobody does; it keeps no list of listeners, no cache and no
/// timeouts: ``LocationProvider`` does that for all of them. Every method returns at once; what follows is told to
/// the receiver, from any thread, one event after another.
///
/// The order of calls is: ``setReceiver(_:)`` once, then any of the others. ``start()`` while started and
/// ``stop()`` while stopped do nothing, and it may be started again after it was stopped. Any of them may be called
/// from within the receiver. A source that has ended says so again when it is started again.
public protocol LocationSource: AnyObject, Sendable {
    /// What the program may do now.
    var authorization: LocationAuthorization { get }

    /// Whether a start may first bring a position that was kept from before, as Core Location's does: then a single
    /// request passes over what is older than it allows. `false` if the source doesn't say.
    var mayBeginWithOldPosition: Bool { get }

    /// Whether the device gives positions to any program at all; may take some time.
    func areServicesEnabled() async -> Bool

    /// Says who is told what happens from now on. Called once, before anything else.
    ///
    /// The source keeps it until it is gone itself.
    func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void)

    /// Asks for permission; if that changes it, ``LocationSourceEvent/authorization(_:)`` follows.
    ///
    /// Where there is nobody to ask, the source answers with what it is permitted anyway.
    func requestAuthorization(_ request: AuthorizationRequest)

    /// How accurate positions have to be from now on, whether started or not.
    func configure(_ configuration: SourceConfiguration)

    /// Powers up: somebody listens.
    func start()

    /// Powers down: nobody listens. Positions that are on their way may still arrive.
    func stop()
}

extension LocationSource {
    /// What comes is new.
    public var mayBeginWithOldPosition: Bool { false }
}

/// What a source has to know of those who listen.
public struct SourceConfiguration: Hashable, Sendable {
    /// Whether positions have to be as good as the device can make them, at the cost of its battery; otherwise
    /// three kilometers will do.
    public var isHighAccuracy: Bool

    /// How far the device has to move before a new position is worth having, or `nil` if any is.
    ///
    /// A source may use it to save power, and may also ignore it: it is kept again where positions are delivered.
    public var minimumDistance: Distance?

    /// Creates a configuration: as good as possible, any move.
    public init(isHighAccuracy: Bool = true, minimumDistance: Distance? = nil) {
        self.isHighAccuracy = isHighAccuracy
        self.minimumDistance = minimumDistance
    }
}
