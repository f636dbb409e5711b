public import NIOCore
public import NIOPosix
public import YonderLocation

/// A source that receives NMEA sentences from a serial line, a FIFO or a network.
///
/// While started, the source keeps the device or the connection open; if that fails, as when a receiver is
/// unplugged, it tries again, first after half a second and then with exponential backoff. When stopped, it
/// closes the device.
///
/// | event | sent |
/// |---|---|
/// | a position | at every moment for which the receiver has a fix |
/// | no position | when the receiver has lost its fix, or has none at first |
/// | `notAuthorized` | the operating system denies access; the permission is then `denied` |
/// | `sourceLost` | the device is missing, or the connection failed; ended by a position |
/// | `sourceUnreadable` | the input isn't NMEA, as when the line's speed is wrong |
/// | `positionUnavailable` | the receiver is silent |
/// | `sourceEnded` | standard input has ended |
///
/// Linux has no prompt for permission. Instead, the permission is that to open the device: `notDetermined`
/// before the first attempt and while the device is lost, `always` while it can be opened, `denied` if the
/// operating system forbids it. Serial devices usually belong to the group `dialout`.
///
/// For a recorded file, use ``TrackSource/init(readingNMEA:speed:isLooping:)``.
///
/// `ReceiverAddress` makes one for commands, an app its own; `LocationProvider` calls it, on any thread. All work is on one
/// event loop, in `ReceiverLoop`; `ReceiverSession` decides about connections, `NMEAConversation` about bytes. The table of
/// events and the meaning of the permission are promised (`Documentation/receivers.md`, `NMEASourceTests`,
/// `SourceConformanceTests`); waits are in `ReceiverTiming` and may change.
public final class NMEASource: LocationSource {
    /// The input of the sentences.
    public enum Input: Hashable, Sendable {
        /// A serial line, or a FIFO, which ignores the speed.
        case device(path: String, BaudRate)

        /// Standard input; the source ends when the input ends.
        case standardInput

        /// A TCP server, such as a boat's multiplexer at port 10110.
        case tcp(host: String, port: Int)

        /// UDP datagrams to this machine, at one of its addresses or `0.0.0.0` for any.
        case udp(host: String, port: Int)
    }

    /// The input of the sentences.
    public let input: Input

    private let loop: ReceiverLoop<NMEAConversation>

    /// Creates a source that isn't started.
    ///
    /// - Parameters:
    ///   - input: The input of the sentences.
    ///   - timing: The source's timeouts and retries.
    ///   - eventLoopGroup: The event loops, on one of which the source runs.
    public init(
        _ input: Input,
        timing: ReceiverTiming = ReceiverTiming(),
        eventLoopGroup: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup
    ) {
        self.input = input
        loop = ReceiverLoop(
            NMEAConversation(hangsUpWhenSilent: input.isConnection),
            connector: input.connector(timeout: timing.connecting),
            timing: timing,
            eventLoopGroup: eventLoopGroup
        )
    }

    deinit {
        loop.abandon()
    }

    /// Whether the receiver can be opened, as far as known; see ``NMEASource``.
    public var authorization: LocationAuthorization { loop.authorization }

    /// Whether the device exists, or the server accepts connections.
    public func areServicesEnabled() async -> Bool { await loop.isReachable() }

    /// Sets the receiver of events, which is always called on one event loop.
    public func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        loop.setReceiver(receiver)
    }

    /// Tries to open the receiver, unless access is known to be permitted, until it is opened or forbidden.
    public func requestAuthorization(_ request: AuthorizationRequest) { loop.requestAuthorization() }

    /// Does nothing: a receiver always sends its best.
    public func configure(_ configuration: SourceConfiguration) {}

    /// Opens the receiver.
    public func start() { loop.start() }

    /// Closes the receiver.
    public func stop() { loop.stop() }
}

extension NMEASource.Input {
    fileprivate var isConnection: Bool {
        if case .tcp = self { true } else { false }
    }

    fileprivate func connector(timeout: Duration) -> ReceiverConnector {
        switch self {
        case .device(let path, let baudRate): .device(path, baudRate: baudRate)
        case .standardInput: .device(nil, baudRate: .nmea)
        case .tcp(let host, let port): .tcp(host: host, port: port, timeout: timeout)
        case .udp(let host, let port): .udp(host: host, port: port)
        }
    }
}
