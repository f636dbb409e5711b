/// The topics and sessions of an event loop that have frames to send at the end of the round, and whether the world has.
///
/// `HubLoop` has one: it marks during the round and takes all of it at the end, topics before sessions. It is a plain
/// value, and nothing fails. Each is taken once, in the order in which it was marked (`RoundTests`; decision 3).
///
/// Topics before sessions must stay: the session's flush takes what its topics have written.
struct Round {
    private var topics: [MessageTopic] = []
    private var sessions: [Session] = []
    private var isWorldMarked = false

    /// Whether a message topic has frames.
    @inline(__always)
    var hasTopics: Bool { !topics.isEmpty }

    /// Adds a topic that got its first message of the round.
    @inline(__always)
    mutating func mark(_ topic: MessageTopic) {
        topics.append(topic)
    }

    /// Adds a session that was written to for the first time in the round.
    @inline(__always)
    mutating func mark(_ session: Session) {
        sessions.append(session)
    }

    /// Adds the world.
    mutating func markWorld() {
        isWorldMarked = true
    }

    /// Removes and returns the topics.
    mutating func takeTopics() -> [MessageTopic] {
        defer { topics.removeAll(keepingCapacity: true) }
        return topics
    }

    /// Removes the world; returns whether it was marked.
    mutating func takeWorld() -> Bool {
        defer { isWorldMarked = false }
        return isWorldMarked
    }

    /// Removes and returns the sessions.
    mutating func takeSessions() -> [Session] {
        defer { sessions.removeAll(keepingCapacity: true) }
        return sessions
    }
}
