public import NIOCore
public import NIOPosix
public import YonderLocation

/// A source that receives positions from gpsd, the daemon that shares a Linux machine's receivers.
///
/// While started, the source keeps one TCP connection to the daemon; if the connection fails, it tries again,
/// first after half a second and then with exponential backoff. When stopped, it ends its watch and
/// disconnects, and gpsd releases a receiver without other clients.
///
/// | event | sent |
/// |---|---|
/// | a position | at every report with a fix; accuracy is gpsd's estimate, at 95 % |
/// | no position | when the receiver has lost its fix, or has none at first |
/// | `sourceLost` | the daemon doesn't run or doesn't answer, or it has no receiver; ended by a position |
/// | `sourceUnreadable` | the server at that address isn't gpsd; the source tries again nonetheless |
/// | `positionUnavailable` | the receiver is silent, or gpsd reports an error |
///
/// If gpsd reports an error, ``LocationError/underlying`` is a ``GpsdComplaint``.
///
/// Linux has no prompt for permission. Instead, the permission is that to use the receiver: `notDetermined`
/// before the first attempt and while the daemon or its receiver is lost, `always` once the daemon has
/// greeted and has the receiver, `denied` while the operating system forbids the connection.
///
/// A timestamp is the receiver's, and old receivers are wrong by years; without one, the time of day is used.
/// Whether a heading is from magnetic or true north is unknown, as gpsd 3.22 doesn't report it.
///
/// `ReceiverAddress` makes one for commands, an app its own; `LocationProvider` calls it, on any thread. All work is on one
/// event loop, in `ReceiverLoop`; `ReceiverSession` decides about connections, `GpsdConversation` about lines. The table of
/// events and the meaning of the permission are promised (`Documentation/receivers.md`, `GpsdSourceTests`, `RealGpsdTests`,
/// `SourceConformanceTests`); waits are in `ReceiverTiming` and may change.
public final class GpsdSource: LocationSource {
    /// The address of the daemon.
    public let address: GpsdAddress

    private let loop: ReceiverLoop<GpsdConversation>

    /// Creates a source that isn't started.
    ///
    /// - Parameters:
    ///   - address: The address of the daemon, by default on this machine.
    ///   - timing: The source's timeouts and retries.
    ///   - eventLoopGroup: The event loops, on one of which the source runs.
    public init(
        _ address: GpsdAddress = GpsdAddress(),
        timing: ReceiverTiming = ReceiverTiming(),
        eventLoopGroup: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup
    ) {
        self.address = address
        loop = ReceiverLoop(
            GpsdConversation(device: address.device),
            connector: .tcp(host: address.host, port: address.port, timeout: timing.connecting),
            timing: timing,
            eventLoopGroup: eventLoopGroup
        )
    }

    deinit {
        loop.abandon()
    }

    /// Whether the daemon and its receiver are accessible, as far as known; see ``GpsdSource``.
    public var authorization: LocationAuthorization { loop.authorization }

    /// Whether the daemon accepts connections; tries to connect if there is no connection.
    public func areServicesEnabled() async -> Bool { await loop.isReachable() }

    /// Sets the receiver of events, which is always called on one event loop.
    public func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        loop.setReceiver(receiver)
    }

    /// Connects to the daemon, unless access is known to be permitted, until the receiver is found or
    /// forbidden.
    public func requestAuthorization(_ request: AuthorizationRequest) { loop.requestAuthorization() }

    /// Does nothing: a receiver always sends its best.
    public func configure(_ configuration: SourceConfiguration) {}

    /// Connects to the daemon.
    public func start() { loop.start() }

    /// Ends the watch and disconnects.
    public func stop() { loop.stop() }
}
