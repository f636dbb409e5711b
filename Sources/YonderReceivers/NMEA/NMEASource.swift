public import NIOCore
public import NIOPosix
public import YonderLocation

/// A source that listens to a receiver's own sentences: from a serial line, a FIFO or a network.
///
/// While started it keeps the device or the connection open, and while that can't be done or breaks, as when a
/// receiver is unplugged, it tries again by itself, at first after half a second, then more and more rarely. Stopped
/// it closes the device.
///
/// | told | when |
/// |---|---|
/// | a position | at every moment for which the receiver has a fix |
/// | no position | when the receiver has lost its fix, or has none at first |
/// | `notAuthorized` | the operating system doesn't let this program; then it is `denied` |
/// | `sourceLost` | the device isn't there, or the connection can't be made or broke; ended by a position |
/// | `sourceUnreadable` | what comes isn't NMEA, as when the line's speed is wrong |
/// | `positionUnavailable` | the receiver is silent |
/// | `sourceEnded` | standard input has ended |
///
/// On Linux nobody is asked for permission. What stands for it is whether the device can be opened: `notDetermined`
/// before it was tried and while it is lost, `always` while it can, `denied` if the operating system forbids it.
/// Serial devices usually belong to the group `dialout`.
///
/// A recorded file is no receiver: ``TrackSource/init(readingNMEA:speed:isLooping:)`` replays it.
public final class NMEASource: LocationSource {
    /// Where the sentences come from.
    public enum Input: Hashable, Sendable {
        /// A serial line, or a FIFO, for which the speed doesn't matter.
        case device(path: String, BaudRate)

        /// Standard input; the source ends with it.
        case standardInput

        /// A TCP server, such as a boat's multiplexer at port 10110.
        case tcp(host: String, port: Int)

        /// Datagrams to this machine, at one of its addresses or `0.0.0.0` for any.
        case udp(host: String, port: Int)
    }

    /// Where the sentences come from.
    public let input: Input

    private let loop: ReceiverLoop<NMEAConversation>

    /// Creates a source that isn't started.
    ///
    /// - Parameters:
    ///   - input: Where the sentences come from.
    ///   - timing: How patient it is.
    ///   - eventLoopGroup: Where it runs, on one loop of these.
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

    /// Whether the receiver can be opened, as far as it was tried; see ``NMEASource``.
    public var authorization: LocationAuthorization { loop.authorization }

    /// Whether the device is there, or the server takes connections.
    public func areServicesEnabled() async -> Bool { await loop.isReachable() }

    /// Says who is told; always from one event loop.
    public func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        loop.setReceiver(receiver)
    }

    /// Tries to open the receiver, if that wasn't done yet or was forbidden, until it can be opened or is forbidden.
    public func requestAuthorization(_ request: AuthorizationRequest) { loop.requestAuthorization() }

    /// Does nothing: a receiver always does its best.
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
