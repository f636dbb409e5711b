import Crypto
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport

/// A server on loopback that treats every connection in one way, over TLS where it has a certificate.
final class HostileServer: Sendable {
    /// What it does with a request or an upgrade.
    enum Behavior: Hashable, Sendable {
        /// Answers: `ok` to a request, the text frame `ok` after an upgrade.
        case answers
        /// Refuses with 503.
        case refuses
        /// Upgrades without a subprotocol.
        case upgradesToNothing
        /// Begins an answer or a frame, and closes the connection in the middle of it.
        case breaksOff
        /// Never says a word.
        case isSilent
        /// Begins an answer, or upgrades and sends the text frame `ok`; then it says nothing, no pong either.
        case fallsSilent
        /// Sends many text frames, each with its number in front of 1 KiB.
        case sends(frames: Int)
    }

    private struct State {
        var connections = 0
        var heads: [String] = []
        var later: [UInt8] = []
        var sent = 0
    }

    let behavior: Behavior
    private let state = Mutex(State())

    private init(_ behavior: Behavior) {
        self.behavior = behavior
    }

    /// Runs a server beside `body`.
    static func running<Value: Sendable>(
        _ behavior: Behavior,
        _ certificate: TestCertificate? = nil,
        _ body: (HostileServer, _ port: Int) async throws -> Value
    ) async throws -> Value {
        let server = HostileServer(behavior)
        let tls = try certificate?.serverContext()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 1, high: 2))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.addHandler(HostileConnection(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(server, channel.localAddress?.port ?? 0))
        } catch {
            result = .failure(error)
        }
        try await channel.close()
        return try result.get()
    }

    /// How many connections were made.
    var connections: Int { state.withLock(\.connections) }

    /// The heads of the requests.
    var heads: [String] { state.withLock(\.heads) }

    /// What the clients sent after their first requests.
    var later: [UInt8] { state.withLock(\.later) }

    /// How many of the many frames the network has taken.
    var sent: Int { state.withLock(\.sent) }

    fileprivate func connected() { state.withLock { $0.connections += 1 } }
    fileprivate func asked(_ head: String) { state.withLock { $0.heads.append(head) } }
    fileprivate func heard(_ bytes: ByteBuffer) { state.withLock { $0.later += bytes.readableBytesView } }
    fileprivate func sentFrame() { state.withLock { $0.sent += 1 } }
}

/// One connection.
private final class HostileConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: HostileServer
    private var head: String? = ""
    private var frames = 0..<0

    init(_ server: HostileServer) {
        self.server = server
    }

    func channelActive(context: ChannelHandlerContext) { server.connected() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard let begun = head else { return server.heard(bytes) }
        head = begun + String(buffer: bytes)
        guard let whole = head, whole.hasSuffix("\r\n\r\n") else { return }
        head = nil
        server.asked(whole)
        answer(whole, context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { sendOn(context) }

    private func answer(_ head: String, _ context: ChannelHandlerContext) {
        let isStream = head.contains("GET /v1/stream ")
        let upgrade = isStream ? Self.upgrade(head) : ""
        let stream = "\(upgrade)Sec-WebSocket-Protocol: yonder.v1\r\n\r\n"
        let sized = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        switch server.behavior {
        case .answers:
            write(isStream ? Self.bytes(stream) + Self.frame("ok") : Self.bytes(sized + "ok"), context)
        case .refuses:
            write(Self.bytes("HTTP/1.1 503 No\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n"), context)
        case .upgradesToNothing: write(Self.bytes("\(upgrade)\r\n"), context)
        case .breaksOff:
            let half = isStream ? Self.bytes(stream) + Self.frame("ok").dropLast() : Self.bytes(sized + "o")
            write(half, context)
            context.close(promise: nil)
        case .isSilent: break
        case .fallsSilent:
            write(isStream ? Self.bytes(stream) + Self.frame("ok") : Self.bytes(sized + "o"), context)
        case .sends(let count):
            write(Self.bytes(stream), context)
            frames = 0..<count
            sendOn(context)
        }
    }

    /// Sends frames while the network takes them.
    private func sendOn(_ context: ChannelHandlerContext) {
        while context.channel.isWritable, let number = frames.first {
            frames.removeFirst()
            let text = "\(number) \(String(repeating: "x", count: 1_024))"
            let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: Self.frame(text))))
            written.whenSuccess { [server] in server.sentFrame() }
        }
    }

    private func write(_ bytes: some Collection<UInt8>, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// A text frame of a server, with a length of up to 65 535 (RFC 6455, 5.2).
    private static func frame(_ text: String) -> [UInt8] {
        let count = text.utf8.count
        let length = count < 126 ? [UInt8(count)] : [126, UInt8(count >> 8), UInt8(count & 255)]
        return [0x81] + length + Array(text.utf8)
    }

    /// The head that accepts an upgrade (RFC 6455, 4.2.2), without its end.
    private static func upgrade(_ head: String) -> String {
        let name = "sec-websocket-key:"
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name) } ?? ""
        let key = line.dropFirst(name.count).trimmingCharacters(in: .whitespaces)
        let digest = Insecure.SHA1.hash(data: Data("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
        let accept = Data(digest).base64EncodedString()
        return
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n"
    }
}
