/// The positions that are under way, and the background task under which they are sent.
///
/// The task is open from the arrival of a fix until the server has the outbox, or until the system ends the task. What wasn't sent
/// stays in the outbox, and is sent with the next batch.
struct PocketBatch: Sendable {
    private var isOpen = false

    /// Whether the outbox is being sent.
    private var isSending = false

    /// Whether a fix isn't in the outbox yet.
    private var isRecording = false

    /// Whether something was recorded while the outbox was being sent.
    private var hasMore = false

    mutating func open() -> [PocketAction] {
        defer { isOpen = true }
        return isOpen ? [] : [.beginTask]
    }

    /// Sends what the outbox has.
    mutating func resume() -> [PocketAction] { open() + send() }

    mutating func arrived() -> [PocketAction] {
        isRecording = true
        return open()
    }

    mutating func recorded() -> [PocketAction] {
        isRecording = false
        return send()
    }

    mutating func sent() -> [PocketAction] {
        isSending = false
        if hasMore { return send() }
        return isRecording ? [] : close()
    }

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
