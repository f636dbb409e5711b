/// How much of the log checkpoints have carried into the database.
struct CheckpointProgress: Equatable {
    /// The frames since the log was restarted.
    var carried: UInt32
    /// Whether these are all frames of the log, so that a commit may restart it.
    var isComplete: Bool

    /// Whether the count may be `now` without another checkpoint: unchanged, or 0 in a log that a commit has restarted.
    func allows(_ now: UInt32) -> Bool {
        now == carried || now == 0 && isComplete
    }
}

/// Decides whether every page that came out of the log was written by this program, as a plain value.
///
/// Another program writes pages with their leftovers. This program holds the lock of checkpoints but for the moments in
/// which SQLite takes it for a checkpoint; the number of carried frames, which all programs share, shows what happened in
/// these moments.
///
/// Invariants:
///
/// 1. ``isOurs`` is `false` from the first checkpoint by another program on, until ``forgive()``.
/// 2. Checkpoints of this program alone leave it `true`, however commits restart the log between them.
///
/// `Checkpointer` has one behind its mutex, and calls it around each checkpoint; while ``isOurs`` is `false` the file is
/// suspected and read again. Nothing throws: in doubt it says *not ours*, which must stay, since an error costs a
/// reading only (decision 15, `CheckpointLedgerTests`, with random steps of two programs).
struct CheckpointLedger: Equatable {
    /// Whether only this program has carried frames since the ledger was begun, or forgiven.
    private(set) var isOurs = true

    /// Call this with the lock held, before the first checkpoint: of a new or recovered index nothing was carried.
    mutating func begin(carried: UInt32) {
        if carried != 0 { isOurs = false }
    }

    /// Call this after a checkpoint of this program.
    ///
    /// - Parameters:
    ///   - before: The progress when the lock was given up for it.
    ///   - after: The progress that SQLite reports; `nil` if it carried nothing.
    ///   - wasAlone: Whether `before` allowed the count at each page that it wrote.
    ///   - isLocked: Whether the lock is held again.
    ///   - now: The count after that.
    mutating func end(
        from before: CheckpointProgress,
        to after: CheckpointProgress?,
        wasAlone: Bool,
        isLocked: Bool,
        now: UInt32
    ) {
        guard wasAlone, isLocked, (after ?? before).allows(now) else { return isOurs = false }
    }

    /// Call this when the lock couldn't be held, and is held again.
    mutating func resume() {
        isOurs = false
    }

    /// Call this when it is recorded that all of the file must be read.
    mutating func forgive() {
        isOurs = true
    }
}
