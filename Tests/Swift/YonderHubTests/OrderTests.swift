import Foundation
import Synchronization
import TestSupport
import Testing
import YonderBus
import YonderModel
import YonderStorage

@testable import YonderHub

/// Promise 2, with everything at once: `ORDER_SEEDS` says how many runs, 20 by default; a tenth of them over three nodes.
@Suite(.timeLimit(.minutes(20))) struct OrderTests {
    private static let seeds = ProcessInfo.processInfo.environment["ORDER_SEEDS"].flatMap(UInt64.init) ?? 20

    @Test func `over SQLite, each subscriber is given every number that they may read, once, in order`()
        async throws
    {
        let folder = TemporaryFolder()
        let store = try SQLiteStore.open(folder: folder.path)
        try await OrderModel.run(over: [store]) { model in
            for seed in 0..<Self.seeds { try await model.run(seed: seed) }
        }
        try store.close()
    }

    @Test func `over three nodes that lose and repeat frames, too`() async throws {
        let random = Mutex(SeededGenerator(seed: 1))
        let medium = InProcessBus.Medium { _, _, _ in
            random.withLock { Int.random(in: 0..<10, using: &$0) < 8 ? 1 : Int.random(in: 0...2, using: &$0) }
        }
        let store = MemoryStore()
        let stores = (0..<3).map { _ in MemoryStore(beside: store) }
        try await OrderModel.run(over: stores, log: store, medium: medium) { model in
            for seed in 0..<max(2, Self.seeds / 10) { try await model.run(seed: seed) }
        }
    }
}
