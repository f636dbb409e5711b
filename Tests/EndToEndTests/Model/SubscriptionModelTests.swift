import Foundation
import Testing

/// How many runs: `SDK_SEEDS`, or the single one of `SDK_SEED`.
private let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["SDK_SEED"].flatMap(UInt64.init) { return seed..<seed + 1 }
    return 0..<(environment["SDK_SEEDS"].flatMap(UInt64.init) ?? 0)
}()

/// What a client's lists hold after cuts, refusals, restarts and slow readers.
///
/// It runs by hand: about one run in a hundred doesn't come to the same lists within its time, and why isn't known yet.
@Suite(.timeLimit(.minutes(20)), .enabled(if: !seeds.isEmpty)) struct SubscriptionModelTests {
    @Test
    func `a client's lists are those of a new client after random operations, cuts, refusals and restarts`()
        async throws
    {
        for seed in seeds {
            let ground = ModelGround()
            let found = try await SubscriptionModel.run(seed, on: ground)
            #expect(found.isEmpty, "seed \(seed): \(found.prefix(10).joined(separator: "\n"))")
            try await ground.shutDown()
        }
    }
}
