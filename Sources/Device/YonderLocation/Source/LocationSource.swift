public import YonderGeodesy

/// A source of positions: Core Location, gpsd, a receiver, a recorded track.
///
/// A source is started for the first listener and stopped after the last. It keeps no list of listeners, no
/// cache and no timeouts: ``LocationProvider`` does that for all sources. Every method returns at once;
/// events are sent to the receiver, from any thread, one after another.
///
/// Call ``setReceiver(_:)`` once, before any other method. ``start()`` while started and ``stop()`` while
/// stopped do nothing, and a stopped source may be started again. All methods may be called from within the
/// receiver. A source that has ended reports it again when it is started again.
///
/// Implemented by `CoreLocationSource`, `GpsdSource`, `NMEASource`, `TrackSource` and `MemorySource`; an app may have its
/// own. No method throws: a failure is an event, after which the source goes on unless its code is `sourceEnded`. What this
/// comment says of calls and orders is tried by `SourceConformanceTests`; a source that breaks it loses positions or never
/// stops. A further requirement needs a default, because apps implement the protocol.
public protocol LocationSource: AnyObject, Sendable {
    /// The permission of this program.
    var authorization: LocationAuthorization { get }

    /// Whether a start may first send a position from before the start, as Core Location does; `false` by
    /// default.
    ///
    /// If `true`, a single request skips positions that are older than it permits.
    var mayBeginWithOldPosition: Bool { get }

    /// Whether the device gives positions to any program at all; may need some time.
    func areServicesEnabled() async -> Bool

    /// Sets the receiver of all events from now on. Called once, before any other method.
    ///
    /// The source keeps the receiver until it is released.
    func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void)

    /// Requests permission. If that changes the permission, ``LocationSourceEvent/authorization(_:)`` is
    /// sent.
    ///
    /// On a platform without a prompt, the source reports its present access.
    func requestAuthorization(_ request: AuthorizationRequest)

    /// Sets the accuracy of positions from now on, whether started or not.
    func configure(_ configuration: SourceConfiguration)

    /// Starts sending positions: there is a listener.
    func start()

    /// Stops sending positions: there is no listener. A position already under way may still arrive.
    func stop()
}

extension LocationSource {
    /// All positions are new.
    public var mayBeginWithOldPosition: Bool { false }
}

/// The listeners' requirements that a source must know.
public struct SourceConfiguration: Hashable, Sendable {
    /// Whether positions must have the device's best accuracy, at the cost of its battery; otherwise three
    /// kilometers suffice.
    public var isHighAccuracy: Bool

    /// The distance that the device must move before a new position is needed, or `nil` for any.
    ///
    /// A source may use it to save power, or ignore it: the distance is checked again before delivery.
    public var minimumDistance: Distance?

    /// Creates a configuration, by default: best accuracy, any distance.
    public init(isHighAccuracy: Bool = true, minimumDistance: Distance? = nil) {
        self.isHighAccuracy = isHighAccuracy
        self.minimumDistance = minimumDistance
    }
}
