import TestSupport
import Testing

@testable import YonderSQLite

struct CheckpointLedgerTests {
    /// The log as all programs see it.
    private struct Log {
        var frames: UInt32 = 0
        var carried: UInt32 = 0

        var progress: CheckpointProgress { .init(carried: carried, isComplete: carried == frames) }

        mutating func commit(_ count: UInt32) {
            if carried == frames { (frames, carried) = (0, 0) }
            frames += count
        }

        mutating func checkpoint(upTo reader: UInt32?) {
            carried = max(carried, min(frames, reader ?? frames))
        }
    }

    @Test
    func
        `invariant 2 of CheckpointLedger: commits and readers beside this program's checkpoints change nothing`()
    {
        for seed in UInt64(0)..<500 {
            var random = SeededGenerator(seed: seed)
            var (log, ledger) = (Log(), CheckpointLedger())
            ledger.begin(carried: 0)
            func commitSometimes() {
                if Bool.random(using: &random) { log.commit(.random(in: 1..<9, using: &random)) }
            }
            for _ in 0..<20 {
                commitSometimes()
                let before = log.progress
                commitSometimes()
                let wasAlone = before.allows(log.carried)
                log.checkpoint(upTo: Bool.random(using: &random) ? nil : log.frames / 2)
                let after = log.progress
                commitSometimes()
                ledger.end(from: before, to: after, wasAlone: wasAlone, isLocked: true, now: log.carried)
            }
            #expect(ledger.isOurs, "seed \(seed)")
        }
    }

    @Test
    func `invariant 1 of CheckpointLedger: a checkpoint by another program is noticed wherever it comes`() {
        let part = CheckpointProgress(carried: 3, isComplete: false)
        let all = CheckpointProgress(carried: 9, isComplete: true)
        func isOurs(_ change: (inout CheckpointLedger) -> Void) -> Bool {
            var ledger = CheckpointLedger()
            ledger.begin(carried: 0)
            change(&ledger)
            return ledger.isOurs
        }
        // given a checkpoint of this program alone, also where a commit restarts the log behind it
        #expect(isOurs { $0.end(from: part, to: all, wasAlone: true, isLocked: true, now: 9) })
        #expect(isOurs { $0.end(from: part, to: all, wasAlone: true, isLocked: true, now: 0) })
        #expect(isOurs { $0.end(from: all, to: nil, wasAlone: true, isLocked: true, now: 0) })
        // when another's came before the start, between, while the lock was free, or holds it
        #expect(!isOurs { $0.begin(carried: 2) })
        #expect(!isOurs { $0.end(from: part, to: all, wasAlone: false, isLocked: true, now: 9) })
        #expect(!isOurs { $0.end(from: part, to: part, wasAlone: true, isLocked: true, now: 9) })
        #expect(!isOurs { $0.end(from: part, to: part, wasAlone: true, isLocked: true, now: 0) })
        #expect(!isOurs { $0.end(from: part, to: nil, wasAlone: true, isLocked: true, now: 4) })
        #expect(!isOurs { $0.end(from: part, to: all, wasAlone: true, isLocked: false, now: 9) })
        #expect(!isOurs { $0.resume() })
        // then it remains so until it is forgiven
        var ledger = CheckpointLedger()
        ledger.resume()
        ledger.end(from: part, to: all, wasAlone: true, isLocked: true, now: 9)
        #expect(!ledger.isOurs)
        ledger.forgive()
        #expect(ledger.isOurs)
    }
}
