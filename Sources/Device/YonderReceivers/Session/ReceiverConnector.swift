import NIOCore
import NIOPosix
import YonderClientTrait
import YonderLocation
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Opens connections to one receiver, and describes failures to do so.
///
/// `GpsdSource` and `NMEASource` make one for their address or device, and `ReceiverLoop` calls it: `connect` for each
/// attempt, one at a time, ``failure(_:)`` for each that fails or ends. What kind of failure an error is, and so whether the
/// permission counts as denied, is decided here; when to try again in `ReceiverSession`. A further way to a receiver is a
/// function here (`NMEASourceTests`).
///
/// That an address which the system forbids is *denied*, and any other failure a loss, must stay: apps show the former as a
/// missing permission.
struct ReceiverConnector: Sendable {
    typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

    /// Opens a channel of bytes that reads nothing until its `autoRead` is turned on.
    let connect: @Sendable (any EventLoop, @escaping Initializer) -> EventLoopFuture<any Channel>

    /// Whether the receiver can be connected to.
    let isReachable: @Sendable (any EventLoop) async -> Bool

    /// The receiver's name in messages.
    let name: String

    /// Whether the source ends when the other end closes, as for standard input.
    var endsWithInput = false

    /// The failure for an error; without an error, the other end has closed the connection.
    func failure(_ error: (any Error)?) -> ConnectionFailure {
        guard let error else {
            return endsWithInput
                ? ConnectionFailure(kind: .ended, error: LocationError(.sourceEnded, "\(name) has ended."))
                : ConnectionFailure(error: LocationError(.sourceLost, "\(name) closed the connection."))
        }
        let cause = Self.cause(of: error)
        let message = "\(name): \(Self.words(for: cause))."
        if let cause = cause as? IOError, [EACCES, EPERM].contains(cause.errnoCode) {
            return ConnectionFailure(
                kind: .refused,
                error: LocationError(.notAuthorized, message, underlying: error)
            )
        }
        return ConnectionFailure(error: LocationError(.sourceLost, message, underlying: error))
    }

    /// The system's last error, which NIO wraps once for each address that was tried.
    private static func cause(of error: any Error) -> any Error {
        guard let error = error as? NIOConnectionError else { return error }
        return error.connectionErrors.last?.error ?? error.dnsAError ?? error.dnsAAAAError ?? error
    }

    private static func words(for error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case ChannelError.connectTimeout: "no answer in time"
        case is SocketAddressError.UnknownHost: "no such host"
        default: "\(error)"
        }
    }
}

extension ReceiverConnector {
    /// Connects to a TCP server.
    static func tcp(host: String, port: Int, timeout: Duration) -> ReceiverConnector {
        let connect: @Sendable (any EventLoop, @escaping Initializer) -> EventLoopFuture<any Channel> = {
            ClientBootstrap(group: $0)
                .channelOption(.autoRead, value: false)
                .channelOption(.socketOption(.so_keepalive), value: 1)
                .connectTimeout(TimeAmount(timeout))
                .channelInitializer($1)
                .connect(host: host, port: port)
        }
        return ReceiverConnector(
            connect: connect,
            isReachable: { eventLoop in
                let connection = connect(eventLoop) { $0.eventLoop.makeSucceededVoidFuture() }
                guard let channel = try? await connection.get() else { return false }
                channel.close(promise: nil)
                return true
            },
            name: "\(host):\(port)"
        )
    }

    /// Listens for datagrams.
    static func udp(host: String, port: Int) -> ReceiverConnector {
        ReceiverConnector(
            connect: { eventLoop, initializer in
                DatagramBootstrap(group: eventLoop)
                    .channelOption(.autoRead, value: false)
                    .channelOption(.socketOption(.so_reuseaddr), value: 1)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(DatagramContents())
                        }.flatMap { initializer(channel) }
                    }
                    .bind(host: host, port: port)
            },
            isReachable: { _ in true },
            name: "UDP \(host):\(port)"
        )
    }

    /// Opens a device, a FIFO or, with `nil`, standard input.
    static func device(_ path: String?, baudRate: BaudRate) -> ReceiverConnector {
        ReceiverConnector(
            connect: { eventLoop, initializer in
                let descriptor: CInt
                do {
                    descriptor = try DeviceDescriptor.open(path, baudRate: baudRate)
                } catch {
                    return eventLoop.makeFailedFuture(error)
                }
                return NIOPipeBootstrap(group: eventLoop)
                    .channelOption(.autoRead, value: false)
                    .channelInitializer(initializer)
                    .takingOwnershipOfDescriptor(input: descriptor)
                    .flatMapErrorThrowing { error in
                        DeviceDescriptor.close(descriptor)
                        throw error
                    }
            },
            isReachable: { _ in path.map { FileManager.default.fileExists(atPath: $0) } ?? true },
            name: path ?? "Standard input",
            endsWithInput: path == nil
        )
    }
}

/// Passes on the content of datagrams without their addresses.
///
/// Belongs to its channel's event loop.
private final class DatagramContents: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias InboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(wrapInboundOut(unwrapInboundIn(data).data))
    }
}
