/// The rules for keeping connections when there are more than the server can hold.
///
/// A connection counts for its holder: for the client's address until the client signs in, for the person
/// afterward. At every limit, the longest silent connection under that limit is closed. So a new connection is
/// never refused, and a client that floods the server from one address displaces only its own connections.
///
/// - Complexity: Constant time for each call.
///
/// `ConnectionGate` holds it behind its mutex, and closes what it displaces. It is a plain value, and nothing fails.
/// That a flood from one address or person closes its own connections alone, and that strangers leave a share for people
/// who are signed in, must stay (`AdmissionTests`, `Documentation/operations.md`). The limits are settings.
package struct Admission: Sendable {
    /// The identifier of a connection; never reused.
    package typealias ID = UInt64

    /// The holder for which a connection counts.
    package enum Holder: Hashable, Sendable {
        /// A client without an account, by its network in the form of ``IPAddress/network``.
        case address(String)

        /// A trusted proxy, between two requests.
        case proxy

        /// A signed-in user, by the user's id.
        case person(Int64)

        var isPerson: Bool { if case .person = self { true } else { false } }
    }

    /// The most connections of each kind, each limit at least 1.
    package struct Limits: Hashable, Sendable {
        /// All connections.
        package var connections: Int

        /// Connections without an account: fewer than all, so that a share is left for users who are signed
        /// in.
        var anonymous: Int

        /// Connections without an account from one address.
        package var perAddress: Int

        /// Connections of users who are signed in: fewer than all, so that a health check always gets in.
        var people: Int

        /// Connections of one user.
        var perPerson: Int
    }

    /// The limit because of which a connection is closed.
    package enum Bound: String, CaseIterable, Sendable {
        case connections, anonymous, address, people, person
    }

    /// A connection that has to be closed.
    package struct Displacement: Hashable, Sendable {
        let id: ID

        /// The limit that was reached.
        package let bound: Bound

        /// The holder for which the connection counted.
        package let holder: Holder
    }

    let limits: Limits
    private var nextID: ID = 0
    private var holders: [ID: Holder] = [:]
    private var anonymous = RecencyList<ID>()
    private var people = RecencyList<ID>()
    private var held: [Holder: RecencyList<ID>] = [:]

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// The number of connections that count for addresses and proxies.
    var anonymousCount: Int { anonymous.count }

    /// The number of connections that count for users.
    var peopleCount: Int { people.count }

    /// Adds a new connection.
    ///
    /// - Returns: Its identifier, and the connection to close for it, which has already been removed.
    mutating func open(_ holder: Holder) -> (id: ID, displaced: Displacement?) {
        defer { nextID += 1 }
        let displaced = makeRoom(for: holder) ?? makeRoomAmongAll()
        add(nextID, holder)
        return (nextID, displaced)
    }

    /// Call this when data arrived on a connection: it becomes the last one to be closed at a limit.
    mutating func heard(_ id: ID) {
        guard let holder = holders[id] else { return }
        touch(id, holder)
    }

    /// Counts a connection for another holder, and marks it as just heard.
    ///
    /// - Returns: The connection to close for it, never the moved one.
    mutating func move(_ id: ID, to holder: Holder) -> Displacement? {
        guard let former = holders[id] else { return nil }
        guard former != holder else {
            touch(id, holder)
            return nil
        }
        forget(id)
        let displaced = makeRoom(for: holder)
        add(id, holder)
        return displaced
    }

    /// Removes a closed connection.
    mutating func closed(_ id: ID) {
        forget(id)
    }

    // MARK: Making room

    private mutating func makeRoom(for holder: Holder) -> Displacement? {
        let (own, bound): (Int, Bound) =
            switch holder {
            case .address: (limits.perAddress, .address)
            case .person: (limits.perPerson, .person)
            case .proxy: (.max, .address)
            }
        if let list = held[holder], list.count >= own { return displace(list.oldest, bound) }
        if holder.isPerson {
            return people.count >= limits.people ? displace(people.oldest, .people) : nil
        }
        return anonymous.count >= limits.anonymous ? displace(anonymous.oldest, .anonymous) : nil
    }

    private mutating func makeRoomAmongAll() -> Displacement? {
        guard holders.count >= limits.connections else { return nil }
        return displace(anonymous.oldest ?? people.oldest, .connections)
    }

    private mutating func displace(_ id: ID?, _ bound: Bound) -> Displacement? {
        guard let id, let holder = holders[id] else { return nil }
        forget(id)
        return Displacement(id: id, bound: bound, holder: holder)
    }

    // MARK: Bookkeeping

    private mutating func add(_ id: ID, _ holder: Holder) {
        holders[id] = holder
        touch(id, holder)
    }

    private mutating func touch(_ id: ID, _ holder: Holder) {
        if holder.isPerson { people.touch(id) } else { anonymous.touch(id) }
        held[holder, default: RecencyList()].touch(id)
    }

    private mutating func forget(_ id: ID) {
        guard let holder = holders.removeValue(forKey: id) else { return }
        if holder.isPerson { people.remove(id) } else { anonymous.remove(id) }
        held[holder]?.remove(id)
        if held[holder]?.count == 0 { held[holder] = nil }
    }
}

extension Admission.Limits {
    /// Creates limits for `connections` connections, at least 16 of them.
    ///
    /// Three quarters of them may be without an account; of these, one address may have half, but at most
    /// 1 500, or `perAddress` if given: so 200 people behind one address have seven each, as browsers open.
    /// Signed-in users may have all but a sixteenth, and one user half of that.
    package init(connections: Int, perAddress: Int? = nil) {
        let anonymous = max(1, connections * 3 / 4)
        let people = max(1, connections - max(1, connections / 16))
        self.init(
            connections: connections,
            anonymous: anonymous,
            perAddress: perAddress.map { min($0, anonymous) } ?? max(1, min(1_500, anonymous / 2)),
            people: people,
            perPerson: max(1, people / 2)
        )
    }
}
