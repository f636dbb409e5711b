import Testing
import TestSupport
import YonderModel
import YonderWire

@testable import YonderHub

/// The seam between what is read from the store and what comes live.
@Suite(.timeLimit(.minutes(20))) struct SeamTests {
    @Test
    func
        `invariants 1 and 2 of CatchUp: subscribing at random numbers under load leaves no gap and no duplicate`()
        async throws
    {
        try await ExchangeHarness.run(people: 4, loops: 2) { harness in
            let total = 2_000
            async let sending: Void = send(total, harness)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for reader in 1...3 {
                    group.addTask {
                        try await read(Int64(total), by: reader, seed: UInt64(reader), harness)
                    }
                }
                try await group.waitForAll()
            }
            try await sending
        }
    }

    private func send(_ total: Int, _ harness: ExchangeHarness) async throws {
        let sender = try await harness.connect(0)
        for start in stride(from: 1, through: total, by: 50) {
            try await sender.send((start..<start + 50).map { harness.message("k\($0)") })
            for _ in 0..<50 { _ = try await sender.next(\.sent) }
        }
    }

    private func read(_ total: Int64, by reader: Int, seed: UInt64, _ harness: ExchangeHarness) async throws {
        var random = SeededGenerator(seed: seed)
        var last: Int64 = 0
        while last < total {
            let client = try await harness.connect(reader)
            try await client.send(
                #"{"type":"subscribe","id":1,"query":"messages","chat":"\#(harness.chat)","since":\#(last)}"#
            )
            let stay = Int64.random(in: 1...400, using: &random)
            let start = last
            while last < min(total, start + stay), let frame = try await client.next() {
                for message in frame.allMessages {
                    #expect(message.number == last + 1, "seed \(seed)")
                    last = message.logNumber
                }
            }
            try await client.disconnect()
        }
    }
}
