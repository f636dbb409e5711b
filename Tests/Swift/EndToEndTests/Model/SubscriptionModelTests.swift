import Foundation
import Testing

/// What a client's lists hold after cuts, refusals, restarts and slow readers: `SDK_SEEDS` says how many runs, 20 by default.
@Suite(.timeLimit(.minutes(20))) struct SubscriptionModelTests {
    private static let seeds = ProcessInfo.processInfo.environment["SDK_SEEDS"].flatMap(UInt64.init) ?? 20

    /// The seed of a single run, to try one again.
    private static let seed = ProcessInfo.processInfo.environment["SDK_SEED"].flatMap(UInt64.init)

    @Test
    func `a client's lists are those of a new client after random operations, cuts, refusals and restarts`()
        async throws
    {
        for seed in Self.seed.map({ $0...$0 }) ?? 0...Self.seeds - 1 {
            let ground = ModelGround()
            let found = try await SubscriptionModel.run(seed, on: ground)
            #expect(found.isEmpty, "seed \(seed): \(found.prefix(10).joined(separator: "\n"))")
            try await ground.shutDown()
        }
    }
}
