/// The positions that are under way, and the background task under which they are sent.
///
/// The task is open from the arrival of a fix until the server has the outbox, or until the system ends the task. What
/// wasn't sent stays in the outbox, and is sent with the next batch.
///
/// A part of ``PocketRules``, which calls it for the events of fixes and tasks. It is about the task alone: whether there is
/// a share to send for is decided there. Calls that come twice open and close the task once (invariant 5 of `PocketRules`).
///
/// `PocketRulesTests` and `PocketRulesInvariantTests` hold it.
struct PocketBatch: Sendable {
    private var isOpen = false

    /// Whether the outbox is being sent.
    private var isSending = false

    /// Whether a fix isn't in the outbox yet.
    private var isRecording = false

    /// Whether something was recorded while the outbox was being sent.
    private var hasMore = false

    /// Opens the task.
    mutating func open() -> [PocketAction] {
        defer { isOpen = true }
        return isOpen ? [] : [.beginTask]
    }

    /// Sends what the outbox has.
    mutating func resume() -> [PocketAction] { open() + send() }

    /// Call this when a fix has arrived; it isn't in the outbox yet.
    mutating func arrived() -> [PocketAction] {
        isRecording = true
        return open()
    }

    /// Call this when the fix is in the outbox: sends, or sends again after the sending that is under way.
    mutating func recorded() -> [PocketAction] {
        isRecording = false
        return send()
    }

    /// Call this when the server has what the outbox had: closes the task unless there is more.
    mutating func sent() -> [PocketAction] {
        isSending = false
        if hasMore { return send() }
        return isRecording ? [] : close()
    }

    /// Closes the task, also while the outbox is being sent.
    mutating func close() -> [PocketAction] {
        defer { isOpen = false }
        return isOpen ? [.endTask] : []
    }

    private mutating func send() -> [PocketAction] {
        hasMore = isSending
        defer { isSending = true }
        return isSending ? [] : [.flush]
    }
}
