import NIOCore
import TestSupport
import Testing
import YonderModel

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct ExchangeReadsTests {
    @Test
    func `a user's requests wait in one lane, another user's is read beside them, and too many are refused`()
        async throws
    {
        try await ExchangeHarness.run(loops: 2) { harness in
            let (exchange, gate) = (harness.exchange, harness.gate)
            let (ada, ben) = (harness.people[0].id, harness.people[1].id)
            @Sendable func read(_ user: UserID) async throws(SharingError) -> Chat {
                try await exchange.read(for: user) { () async throws(SharingError) in
                    try await gate.chat(harness.chat)
                }
            }
            func queued() async throws -> Int {
                var count = 0
                for loop in exchange.loops {
                    count += try await loop.eventLoop.submit {
                        loop.value.reads.lanes.lane(of: ada).queued.count
                    }.get()
                }
                return count
            }
            gate.shut()
            try await withThrowingTaskGroup(of: Chat.self) { group in
                for _ in 0..<264 { group.addTask { try await read(ada) } }
                while try await queued() < 256 { await Task.yield() }
                while gate.waiting < 8 { await Task.yield() }
                #expect(gate.waiting == 8)
                await #expect { try await read(ada) } throws: {
                    ($0 as? SharingError)?.code == .tooManyRequests
                }
                group.addTask { try await read(ben) }
                while gate.waiting < 9 { await Task.yield() }
                gate.open()
                for try await chat in group { #expect(chat.id == harness.chat) }
            }
            #expect(try await queued() == 0)
        }
    }
}
