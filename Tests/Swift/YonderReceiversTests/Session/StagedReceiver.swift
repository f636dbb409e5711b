import LocationTestSupport
import NIOCore
import NIOPosix
import Synchronization
import YonderGeodesy

/// A receiver on a TCP port that knows one position after another and tells whoever connects the latest, and then
/// what follows.
final class StagedReceiver: Sendable {
    /// What it says.
    struct Manner: Sendable {
        /// Said to whoever connects.
        var greeting = ""

        /// What has to be heard before positions are told, or `nil` if nothing has.
        var request: String?

        /// Said when that was heard.
        var answer = ""

        /// Says a position; the number counts them.
        var position: @Sendable (Coordinate, _ number: Int) -> String
    }

    private struct State {
        var count = 0
        var latest: String?
        var listeners: [ObjectIdentifier: any Channel] = [:]
    }

    let port: Int
    private let manner: Manner
    private let state: Mutex<State>
    private let channel: any Channel

    init(_ manner: Manner) async throws {
        self.manner = manner
        let state = Mutex(State())
        let holder = Holder()
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(StagedConversation(holder))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
        self.state = state
        holder.receiver.withLock { $0 = self }
    }

    deinit {
        channel.close(promise: nil)
    }

    /// Moves a thousandth of a degree and tells it.
    func move() -> Coordinate {
        state.withLock { state in
            state.count += 1
            let coordinate = Coordinate(latitude: 50 + Double(state.count) / 1000, longitude: 8)
            guard let coordinate else { preconditionFailure("On Earth.") }
            let text = manner.position(coordinate, state.count)
            state.latest = text
            for channel in state.listeners.values { Self.write(text, to: channel) }
            return coordinate
        }
    }

    fileprivate func greet(_ channel: any Channel) {
        Self.write(manner.greeting, to: channel)
        if manner.request == nil { listen(channel) }
    }

    fileprivate func hear(_ text: String, from channel: any Channel) {
        if let request = manner.request, text.contains(request) { listen(channel) }
    }

    fileprivate func forget(_ channel: any Channel) {
        state.withLock { _ = $0.listeners.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    private func listen(_ channel: any Channel) {
        state.withLock { state in
            Self.write(manner.answer + (state.latest ?? ""), to: channel)
            state.listeners[ObjectIdentifier(channel)] = channel
        }
    }

    private static func write(_ text: String, to channel: any Channel) {
        channel.writeAndFlush(channel.allocator.buffer(string: text), promise: nil)
    }

    fileprivate final class Holder: Sendable {
        let receiver = Mutex<StagedReceiver?>(nil)
    }
}

private final class StagedConversation: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let holder: StagedReceiver.Holder

    init(_ holder: StagedReceiver.Holder) {
        self.holder = holder
    }

    private var receiver: StagedReceiver? { holder.receiver.withLock { $0 } }

    func channelActive(context: ChannelHandlerContext) {
        receiver?.greet(context.channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        receiver?.hear(String(buffer: unwrapInboundIn(data)), from: context.channel)
    }

    func channelInactive(context: ChannelHandlerContext) {
        receiver?.forget(context.channel)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
