import YonderModel

/// The read lanes of the users on one event loop: one each, for all sessions of the user.
///
/// When a user's last session ends, the user's lane is kept until the store has answered the reads in it. A new session
/// of the user gets that lane, so that reconnecting doesn't allow more reads at once.
///
/// `StoreReads` has one on its loop; sessions enter and leave. A leave without an enter is a mistake of the program.
/// That a lane outlives its last session while reads run must stay, as said above (`ReadLanesTests`).
final class ReadLanes {
    private struct Entry {
        let lane: ReadLane
        var sessions = 0
    }

    private var entries: [UserID: Entry] = [:]

    /// Creates lanes of nobody.
    init() {}

    /// How many users have a lane.
    var count: Int { entries.count }

    /// The lane of a user, created if there is none.
    func lane(of user: UserID) -> ReadLane {
        if let entry = entries[user] { return entry.lane }
        let lane = ReadLane(of: user)
        entries[user] = Entry(lane: lane)
        return lane
    }

    /// Counts a new session in, and returns the lane that its reads take; ``leave(_:)`` must follow when it ends.
    ///
    /// All sessions of a user share one lane. A session without an account, whose user is `nil`, has its own.
    func enter(_ user: UserID?) -> ReadLane {
        guard let user else { return ReadLane() }
        let lane = lane(of: user)
        entries[user]?.sessions += 1
        return lane
    }

    /// Called when a session of a user has ended.
    func leave(_ user: UserID) {
        guard let lane = entries[user]?.lane else { return }
        entries[user]?.sessions -= 1
        removeIfIdle(lane)
    }

    /// Removes the lane of a user without sessions and reads.
    func removeIfIdle(_ lane: ReadLane) {
        guard let user = lane.person, let entry = entries[user], entry.lane === lane else { return }
        if entry.sessions == 0, lane.isIdle { entries[user] = nil }
    }
}
