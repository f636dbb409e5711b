import Foundation
import NIOCore
import NIOPosix
import YonderTransport

@testable import YonderServer

extension ClientConnections.Settings {
    /// Gives nobody up, however long a busy machine lets a client wait for its turn.
    static var patient: Self {
        var settings = Self()
        settings.headerTimeout = .hours(1)
        settings.idleTimeout = .seconds(3_600)
        settings.pingInterval = .hours(1)
        return settings
    }
}

/// A connection of bytes, to see exactly what the server sends.
enum RawClient {
    struct Ended: Error {}

    /// Runs `body` with a connection to `port` on the loopback address.
    static func connected<Result>(
        to port: Int,
        _ body: (inout Conversation) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var conversation = Conversation(inbound: inbound.makeAsyncIterator(), outbound: outbound)
            return try await body(&conversation)
        }
    }

    struct Conversation {
        var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        private var received = ByteBuffer()

        init(
            inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
            outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        ) {
            self.inbound = inbound
            self.outbound = outbound
        }

        func send(_ text: String) async throws {
            try await outbound.write(ByteBuffer(string: text))
        }

        func send(_ bytes: [UInt8]) async throws {
            try await outbound.write(ByteBuffer(bytes: bytes))
        }

        /// Takes everything up to and including `end`.
        mutating func receive(through end: String) async throws -> String {
            while true {
                let text = String(buffer: received)
                if let range = text.range(of: end) {
                    let taken = String(text[..<range.upperBound])
                    received.moveReaderIndex(forwardBy: taken.utf8.count)
                    return taken
                }
                try await more()
            }
        }

        mutating func receive(count: Int) async throws -> [UInt8] {
            while received.readableBytes < count { try await more() }
            return received.readBytes(length: count) ?? []
        }

        /// Everything until the server closes its end.
        mutating func receiveAll() async throws -> String {
            while let next = try await inbound.next(isolation: #isolation) {
                received.writeImmutableBuffer(next)
            }
            return received.readString(length: received.readableBytes) ?? ""
        }

        private mutating func more() async throws {
            guard let next = try await inbound.next(isolation: #isolation) else { throw Ended() }
            received.writeImmutableBuffer(next)
        }
    }
}

/// Bytes as a client's WebSocket sends them, masked with a key of zeros.
func clientFrame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
    precondition(payload.count <= 125)
    return [0x80 | opcode, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
}
