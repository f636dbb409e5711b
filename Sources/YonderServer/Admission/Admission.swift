import YonderModel

/// Which connections the server keeps when there are more than it can hold.
///
/// A connection counts for its holder: for a client's address until the client signs in, for the person afterwards. At
/// every bound the connection that was silent for longest gives way, of those that the bound is about. A new connection
/// is therefore never refused, and a client that floods the server from one address only displaces itself.
///
/// What it costs: constant time for each call.
struct Admission: Sendable {
    /// Names a connection; never used twice.
    typealias ID = UInt64

    /// Whom a connection counts for.
    enum Holder: Hashable, Sendable {
        /// A client without an account, by its network as ``IPAddress/network`` has it.
        case address(String)

        /// A trusted proxy, between two requests.
        case proxy

        /// Somebody who is signed in.
        case person(UserID)

        var isPerson: Bool { if case .person = self { true } else { false } }
    }

    /// How many connections there may be, each at least 1.
    struct Limits: Hashable, Sendable {
        /// All together.
        var connections: Int

        /// Without an account: less than all, so that a share is left for people who are signed in.
        var anonymous: Int

        /// Without an account, from one address.
        var perAddress: Int

        /// Of people who are signed in: less than all, so that a health check always gets in.
        var people: Int

        /// Of one person.
        var perPerson: Int
    }

    /// Which limit made a connection give way.
    enum Bound: String, CaseIterable, Sendable {
        case connections, anonymous, address, people, person
    }

    /// A connection that has to be closed.
    struct Displacement: Hashable, Sendable {
        let id: ID
        let bound: Bound
        let holder: Holder
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

    /// How many connections count for addresses and proxies.
    var anonymousCount: Int { anonymous.count }

    /// How many connections count for people.
    var peopleCount: Int { people.count }

    /// Takes a new connection in.
    ///
    /// - Returns: Its name, and the connection that gives way to it. That one is forgotten already.
    mutating func open(_ holder: Holder) -> (id: ID, displaced: Displacement?) {
        defer { nextID += 1 }
        let displaced = makeRoom(for: holder) ?? makeRoomAmongAll()
        add(nextID, holder)
        return (nextID, displaced)
    }

    /// Notes that a connection was heard, so that others give way before it.
    mutating func heard(_ id: ID) {
        guard let holder = holders[id] else { return }
        touch(id, holder)
    }

    /// Makes a connection count for another holder, and notes that it was heard.
    ///
    /// - Returns: The connection that gives way, never the moved one.
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

    /// Forgets a connection that is closed.
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

    // MARK: Keeping the books

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
    /// Divides `connections` up, at least 16 of them.
    ///
    /// Three quarters may be without an account, from one address half of these and at most 1 500, or `perAddress` if that
    /// is given: 200 people behind one address have seven each, as browsers do. People may have all but a sixteenth, and
    /// one person half of that.
    init(connections: Int, perAddress: Int? = nil) {
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
