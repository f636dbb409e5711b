import NIOCore
import TestSupport
import YonderModel
import YonderWire
import YonderWorld

@testable import YonderHub

/// A Socket.IO client in the world of a node.
final class WorldVisitor: WorldListener {
    let worldForm = WorldForm.socketIO
    let isWritable = true
    let worldAllowance = WorldAllowance()
    private let sent: AsyncStream<String>.Continuation

    init(_ sent: AsyncStream<String>.Continuation) {
        self.sent = sent
    }

    func deliver(_ delivery: WorldDelivery) {
        guard case .frames(let buffer) = delivery else { return }
        for payload in TextFrames.payloads(of: buffer.readableBytesView) { sent.yield(payload) }
    }

    func flush() {}
}

/// A member of the world over the stream, with the pins that the answer to it had.
struct WorldGuest {
    let client: FakeClient
    let name: String
    let others: [String: String]

    /// Moves the member's pin.
    func move(to position: String, _ more: String = "") async throws {
        try await client.send(#"{"type":"pin","at":"\#(position)"\#(more)}"#)
    }

    /// The next pin of another member that was sent: a name, and a position unless it has none.
    func next() async throws -> [String?] {
        let pin = try await client.next(\.pin)
        return [pin.pin, pin.at?.text]
    }
}

extension NodesHarness {
    /// Connects a user to the world of a node over the stream.
    func enter(_ person: Int, on node: Int) async throws -> WorldGuest {
        let client = try await connect(person, to: node)
        try await client.send(#"{"type":"subscribe","id":9,"query":"world"}"#)
        let answer = try await client.next { frame in
            frame.you.flatMap { you in frame.world.map { (you, $0) } }
        }
        let others = answer.1.reduce(into: [:]) { $0[$1.pin] = $1.at?.text ?? "" }
        return WorldGuest(client: client, name: answer.0, others: others)
    }

    /// Connects a client to the world of a node over Socket.IO; returns the packets that the client receives.
    func visit(_ node: Int) async throws -> AsyncStream<String> {
        let (packets, sent) = AsyncStream.makeStream(of: String.self)
        let loop = nodes[node].loops[0]
        try await loop.eventLoop.submit {
            _ = try loop.value.world.enter(WorldVisitor(sent), isMember: false)
        }.get()
        return packets
    }

    /// Waits until every loop of a node knows a number of members.
    func waitFor(_ population: Int, on node: Int) async throws {
        for loop in nodes[node].loops {
            while try await loop.eventLoop.submit({ loop.value.world.population }).get() != population {
                await Task.yield()
            }
        }
    }
}
