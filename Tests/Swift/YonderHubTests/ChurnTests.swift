import TestSupport
import NIOCore
import Testing
import YonderModel
import YonderWire
import YonderWorld

@testable import YonderHub

/// Subscriptions that are begun and ended faster than the store answers.
@Suite(.timeLimit(.minutes(20))) struct ChurnTests {
    /// What a subscription to each query that asks the store says.
    private static let queries = [
        #""messages","chat":"CHAT""#, #""chats""#, #""presence","chat":"CHAT""#,
        #""people","region":{"south":-90,"west":-180,"north":90,"east":180}"#,
    ]

    private func subscribe(_ id: Int, _ query: String, _ harness: ExchangeHarness) -> String {
        let query = query.replacing("CHAT", with: "\(harness.chat)")
        return #"{"type":"subscribe","id":\#(id),"query":\#(query)}"#
    }

    private func pairs(_ numbers: ClosedRange<Int>, _ query: String, _ harness: ExchangeHarness) -> [String] {
        numbers.flatMap { [subscribe($0, query, harness), #"{"type":"unsubscribe","id":\#($0)}"#] }
    }

    @Test(arguments: queries)
    func `invariant 5 of CatchUp: reads queued for a subscription are removed with it`(query: String)
        async throws
    {
        try await ExchangeHarness.run(loops: 1) { harness in
            let client = try await harness.connect(0)
            harness.gate.shut()
            try await client.send(pairs(1...20_000, query, harness))
            for id in Int64(1)...20_000 { #expect(try await client.next(\.unsubscribed) == id) }
            let known = try await client.session { ($0.reads.count, $0.lane.queued.count, $0.lane.running) }
            #expect(known.0 <= 8 && known.1 <= 1 && known.2 <= 8)
            #expect(harness.gate.asked <= 8)
            harness.gate.open()
            try await client.send(subscribe(20_001, query, harness))
            try await client.until(\.isCurrent)
            #expect(harness.gate.asked <= 40)
        }
    }

    @Test(arguments: queries)
    func `reads queued for a session are removed with it`(query: String) async throws {
        try await ExchangeHarness.run(loops: 1) { harness in
            harness.gate.shut()
            for _ in 0..<500 {
                let client = try await harness.connect(0)
                try await client.send(subscribe(1, query, harness))
                try await client.disconnect()
            }
            #expect(harness.gate.asked <= 8)
            let other = try await harness.connect(1)
            try await other.send(subscribe(1, query, harness))
            harness.gate.open()
            try await other.until(\.isCurrent)
        }
    }

    @Test func `a session whose reads are at the bound is not received from until some have ended`()
        async throws
    {
        let settings = HubSettings(pendingReadLimit: 4)
        try await ExchangeHarness.run(loops: 1, settings: settings) { harness in
            let client = try await harness.connect(0)
            harness.gate.shut()
            let tags = (1...100).map { #""messages","chat":"CHAT","tag":"T\#($0)""# }
            try await client.send(zip(1..., tags).map { subscribe($0, $1, harness) })
            #expect(try await client.inspect(\.isPaused))
            #expect(try await client.session { $0.subscriptions.count } == 4)
            harness.gate.open()
            var answered: Set<Int64> = []
            while answered.count < 100 {
                #expect(answered.insert(try await client.next(\.messages).id).inserted)
            }
            #expect(try await client.inspect(\.isPaused) == false)
        }
    }

    @Test func `nobody waits behind another person's reads`() async throws {
        try await ExchangeHarness.run(loops: 1, settings: HubSettings(readLimit: 16)) { harness in
            harness.gate.shut()
            let greedy = try await harness.connect(0)
            let tags = (1...200).map { #""messages","chat":"CHAT","tag":"T\#($0)""# }
            try await greedy.send(zip(1..., tags).map { subscribe($0, $1, harness) })
            let other = try await harness.connect(1)
            try await other.send(subscribe(1, Self.queries[0], harness))
            // The other person's read is with the store beside the eight of the greedy one's.
            #expect(try await other.session { $0.lane.running } == 1)
            harness.gate.open()
            try await other.until(\.isCurrent)
        }
    }

    @Test func `the world is not told of a visit that ends in the turn in which it began`() async throws {
        let settings = HubSettings(world: WorldSettings(packetsPerSecond: 20_000))
        try await ExchangeHarness.run(loops: 1, settings: settings) { harness in
            let watcher = try await harness.connect(1)
            try await watcher.send(#"{"type":"subscribe","id":1,"query":"world"}"#)
            _ = try await watcher.next(\.world)
            let client = try await harness.connect(0)
            try await client.send(pairs(1...5_000, #""world""#, harness))
            for _ in 1...5_000 { _ = try await client.next(\.unsubscribed) }
            try await client.send(#"{"type":"subscribe","id":9000,"query":"world"}"#)
            _ = try await client.next(\.world)
            try await client.send(#"{"type":"pin","at":"1,2"}"#)
            let (first, second) = (try await watcher.next(\.pin), try await watcher.next())
            #expect(first.at == nil && second?.pin?.at?.text == "1,2")
        }
    }
}
