import Synchronization
import YonderLink
import YonderModel

@testable import YonderSocketIOClient

/// A Socket.IO server of generation 4 within the process, over WebSockets, which does with each event what a test says.
final class FakeSocketServer: Sendable {
    /// What the server does with an event.
    enum Reaction: Sendable {
        /// Sends texts; `ID` stands for the event's identifier.
        case send([String])
        /// Sends texts, and closes the connection.
        case cut([String])
    }

    private struct State {
        var texts: [String] = []
        var connections = 0
    }

    private let state = Mutex(State())
    private let react: @Sendable (_ event: String) -> Reaction
    private let opened = AsyncStream.makeStream(of: MemoryLink.self)

    init(_ react: @escaping @Sendable (_ event: String) -> Reaction) {
        self.react = react
    }

    /// The messages that clients have sent.
    var texts: [String] { state.withLock(\.texts) }

    /// How many connections were made.
    var connections: Int { state.withLock(\.connections) }

    func client(_ change: (inout SocketIOSettings) -> Void = { _ in }) throws -> SocketIOClient {
        var settings = SocketIOSettings()
        settings.transports = .webSocket
        (settings.minimumWait, settings.maximumWait) = (.zero, .zero)
        change(&settings)
        return try SocketIOClient(links: try links(), settings: settings)
    }

    private func links() throws -> Links {
        Links(address: try ServerAddress("http://fake.example"), requests: NoRequests()) {
            (_, _) async throws(OpenFailure) in
            let (client, server) = MemoryLink.pair()
            self.state.withLock { $0.connections += 1 }
            self.opened.continuation.yield(server)
            return client
        }
    }

    /// Runs the server and a client beside `body`, and ends both.
    func running<Value: Sendable>(
        _ client: SocketIOClient,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                await self.serve()
                return nil
            }
            group.addTask {
                try? await client.run()
                return nil
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }

    private func serve() async {
        await withDiscardingTaskGroup { group in
            for await link in opened.stream { group.addTask { await self.serve(link) } }
        }
    }

    private func serve(_ link: MemoryLink) async {
        link.write(Array(#"0{"sid":"s","upgrades":[],"pingInterval":60000,"pingTimeout":60000}"#.utf8))
        while let frames = try? await link.next() {
            for frame in frames { handle(String(decoding: frame, as: UTF8.self), link) }
        }
    }

    private func handle(_ text: String, _ link: MemoryLink) {
        guard text != "40" else { return link.write(Array(#"40{"sid":"x"}"#.utf8)) }
        state.withLock { $0.texts.append(text) }
        guard text.hasPrefix("42") else { return }
        let id = text.dropFirst(2).prefix { $0.isNumber }
        switch react(text) {
        case .send(let texts): send(texts, id, link)
        case .cut(let texts):
            send(texts, id, link)
            link.close()
        }
    }

    private func send(_ texts: [String], _ id: Substring, _ link: MemoryLink) {
        for text in texts { link.write(Array(text.replacing("ID", with: id).utf8)) }
    }
}

/// Answers no request.
struct NoRequests: RequestLink {
    func answer(to request: LinkRequest) async throws(LinkClosure) -> LinkAnswer {
        throw .lost("No requests here.")
    }
}

extension SocketIOClient {
    /// Waits until the client has a state.
    nonisolated func wait(for isEnough: @Sendable (State) -> Bool) async {
        for await state in states where isEnough(state) { return }
    }

    nonisolated func waitUntilConnected() async {
        await wait { $0 == .connected }
    }
}
