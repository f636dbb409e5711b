public import NIOCore
public import NIOPosix
public import YonderLocation

/// A source that listens to gpsd, the daemon that shares a Linux machine's receivers.
///
/// While started it keeps one TCP connection to the daemon, and while the connection can't be made or breaks it
/// tries again by itself, at first after half a second, then more and more rarely. Stopped it ends its watch and
/// hangs up, and gpsd lets go of a receiver that nobody else uses.
///
/// | told | when |
/// |---|---|
/// | a position | at every report with a fix; accuracy is gpsd's estimate, at 95 % |
/// | no position | when the receiver has lost its fix, or has none at first |
/// | `sourceLost` | the daemon isn't there or doesn't answer, or it has no receiver; ended by a position |
/// | `sourceUnreadable` | somebody else answers at that address; it is tried again nonetheless |
/// | `positionUnavailable` | the receiver is silent, or gpsd complains; ``LocationError/underlying`` is a ``GpsdComplaint`` |
///
/// On Linux nobody is asked for permission. What stands for it is whether the receiver can be had:
/// `notDetermined` before it was tried and while the daemon or its receiver is lost, `always` once the daemon has
/// greeted and has the receiver, `denied` while the operating system forbids the connection.
///
/// A timestamp is what the receiver says, and old receivers are wrong by years; if it doesn't say one, the time of
/// day counts. A heading comes without its north, as gpsd 3.22 doesn't tell it.
public final class GpsdSource: LocationSource {
    /// Where the daemon is.
    public let address: GpsdAddress

    private let loop: ReceiverLoop<GpsdConversation>

    /// Creates a source that isn't started.
    ///
    /// - Parameters:
    ///   - address: Where the daemon is, by default on this machine.
    ///   - timing: How patient it is.
    ///   - eventLoopGroup: Where it runs, on one loop of these.
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

    /// Whether the daemon and its receiver can be had, as far as it was tried; see ``GpsdSource``.
    public var authorization: LocationAuthorization { loop.authorization }

    /// Whether the daemon takes connections; tries it if there is none.
    public func areServicesEnabled() async -> Bool { await loop.isReachable() }

    /// Says who is told; always from one event loop.
    public func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        loop.setReceiver(receiver)
    }

    /// Looks for the daemon and its receiver, if that wasn't done yet or was forbidden, until they are found or
    /// forbidden.
    public func requestAuthorization(_ request: AuthorizationRequest) { loop.requestAuthorization() }

    /// Does nothing: a receiver always does its best.
    public func configure(_ configuration: SourceConfiguration) {}

    /// Connects.
    public func start() { loop.start() }

    /// Ends the watch and hangs up.
    public func stop() { loop.stop() }
}
