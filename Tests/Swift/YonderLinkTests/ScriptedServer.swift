import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A server on loopback that answers each request with the bytes that a test gives, or with nothing.
final class ScriptedServer: Sendable {
    /// What becomes of one request.
    enum Step: Sendable {
        /// Writes these bytes, and leaves the connection open.
        case write(String)
        /// Writes these bytes, and closes the connection.
        case writeAndClose(String)
        /// Reads the request, and says nothing.
        case silence
    }

    private struct State {
        var steps: [Step]
        var requests: [String] = []
        var connections = 0
    }

    private let state: Mutex<State>
    private let channel: Mutex<(any Channel)?> = Mutex(nil)

    private init(_ steps: [Step]) {
        state = Mutex(State(steps: steps))
    }

    /// Runs a server beside `body`.
    static func running<Value: Sendable>(
        _ steps: [Step],
        _ body: (ScriptedServer, _ url: String) async throws -> Value
    ) async throws -> Value {
        let server = ScriptedServer(steps)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Script(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let value = try await body(server, "http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
            try await channel.close()
            return value
        } catch {
            try await channel.close()
            throw error
        }
    }

    /// The heads and bodies that were received, in order.
    var requests: [String] { state.withLock(\.requests) }

    /// How many connections were made.
    var connections: Int { state.withLock(\.connections) }

    fileprivate func connected() {
        state.withLock { $0.connections += 1 }
    }

    fileprivate func received(_ request: String) -> Step {
        state.withLock { state in
            state.requests.append(request)
            return state.steps.isEmpty ? .silence : state.steps.removeFirst()
        }
    }
}

/// One connection.
private final class Script: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: ScriptedServer
    private var received = ""

    init(_ server: ScriptedServer) {
        self.server = server
    }

    func channelActive(context: ChannelHandlerContext) {
        server.connected()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += String(buffer: unwrapInboundIn(data))
        while let request = takeRequest() { perform(server.received(request), context) }
    }

    private func takeRequest() -> String? {
        guard let end = received.range(of: "\r\n\r\n") else { return nil }
        let head = received[..<end.lowerBound]
        let lengths = head.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("content-length:") }
        let length = lengths.first.flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
        let body = received[end.upperBound...].prefix(length)
        guard body.count == length else { return nil }
        received = String(received[end.upperBound...].dropFirst(length))
        return "\(head)\n\n\(body)"
    }

    private func perform(_ step: ScriptedServer.Step, _ context: ChannelHandlerContext) {
        switch step {
        case .write(let text):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        case .writeAndClose(let text):
            context.write(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            context.flush()
            context.close(promise: nil)
        case .silence: break
        }
    }
}
