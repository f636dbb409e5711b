import YonderModel

/// The sessions of one event loop, and those of each user.
///
/// `HubLoop` has one. It is a plain value, and nothing fails. A session must be removed once when it closes, or its user
/// seems connected for good. The order of opening is that in which frames for a user are sent (`SessionDirectoryTests`).
struct SessionDirectory {
    private var sessions: [ObjectIdentifier: Session] = [:]
    private var byUser: [UserID: [Session]] = [:]

    /// All sessions, in no order.
    var all: some Collection<Session> { sessions.values }

    /// The sessions of a user, in the order in which they were opened.
    func sessions(of user: UserID) -> [Session] {
        byUser[user] ?? []
    }

    /// Adds a session.
    mutating func insert(_ session: Session) {
        sessions[ObjectIdentifier(session)] = session
        if let user = session.user { byUser[user.id, default: []].append(session) }
    }

    /// Removes a session; returns whether it was there.
    mutating func remove(_ session: Session) -> Bool {
        guard sessions.removeValue(forKey: ObjectIdentifier(session)) != nil else { return false }
        guard let user = session.user else { return true }
        byUser[user.id]?.removeAll { $0 === session }
        if byUser[user.id]?.isEmpty ?? false { byUser[user.id] = nil }
        return true
    }
}
