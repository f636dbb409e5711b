import HTTPTypes
import YonderRules
import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderModel
import YonderJSON
import YonderREST
import YonderTransport

/// The REST endpoints for contacts, invitations and blocks.
///
/// `ServerAssembly` registers them once; each function answers one request. `Accounts` and its store decide and write; the
/// exchange then sends both users their new lists. A refusal is a `SharingError`. Blocking, unblocking and removing a
/// contact may be repeated; an invitation is good once. What a block does is decision 37; paths and members are REST's
/// (`Documentation/rest.md`, `test_blocks.py`).
///
/// Paths and members must stay; how many groups a block leaves at once may be changed.
struct PeopleEndpoints: Sendable {
    /// How many groups a user leaves in one request that blocks their owner.
    private static let leaveLimit = 256

    let accounts: Accounts
    let chats: any ChatStore
    let exchange: Exchange
    let now: @Sendable () -> Timestamp

    func register(in routes: RESTRoutes) {
        routes.on(.get, "/v1/contacts") { call throws(SharingError) in try await contacts(call) }
        routes.on(.delete, "/v1/contacts/{user}") { call throws(SharingError) in try await removeContact(call)
        }
        routes.on(.get, "/v1/people/{user}") { call throws(SharingError) in try await person(call) }
        routes.on(.get, "/v1/blocks") { call throws(SharingError) in try await blocks(call) }
        routes.on(.put, "/v1/blocks/{user}") { call throws(SharingError) in try await block(call) }
        routes.on(.delete, "/v1/blocks/{user}") { call throws(SharingError) in try await unblock(call) }
        routes.on(.post, "/v1/invitations") { call throws(SharingError) in try await invite(call) }
        routes.on(.post, "/v1/invitations/view", access: .anyone) { call throws(SharingError) in
            try await view(call)
        }
        routes.on(.post, "/v1/invitations/accept", access: .optional) { call throws(SharingError) in
            try await accept(call)
        }
    }

    private func contacts(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let user = try call.caller.user
        let contacts = try await exchange.read(for: user) { () async throws(SharingError) in
            try await accounts.store.contacts(of: user)
        }
        return .json { writer in
            writer.raw("{\"contacts\":")
            writer.list(contacts) { $0.user($1) }
            writer.raw("}")
        }
    }

    private func person(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let (reader, id) = (try call.caller.user, try other(call))
        let person = try await exchange.read(for: reader) { () async throws(SharingError) in
            try await accounts.person(id, for: reader, in: chats)
        }
        return .json { writer in
            writer.raw("{\"user\":")
            writer.user(person)
            writer.raw("}")
        }
    }

    private func removeContact(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        let (user, other) = (try call.caller.user, try other(call))
        let contacts = try await exchange.read(for: user) { () async throws(SharingError) in
            try await accounts.store.contacts(of: user)
        }
        let warrant = try call.warrant
        // Nothing of a stranger is locked, and they aren't sent that they are no contact.
        guard contacts.contains(where: { $0.id == other }) else {
            try await accounts.store.judge(warrant)
            return .noContent
        }
        try await accounts.store.disconnect(user, other, under: warrant)
        exchange.contactsChanged(user, other)
        return .noContent
    }

    private func blocks(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let user = try call.caller.user
        let blocked = try await exchange.read(for: user) { () async throws(SharingError) in
            try await accounts.store.blocked(by: user)
        }
        return .json { writer in
            writer.raw("{\"blocks\":")
            writer.list(blocked) { $0.user($1) }
            writer.raw("}")
        }
    }

    private func block(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["leave", "stayOut"], isOptional: true)
        let leaves = try body.boolean("leave") ?? false
        let staysOut = try body.boolean("stayOut") ?? false
        guard leaves || !staysOut else {
            throw SharingError(.invalidField, "stayOut: true must be sent with leave: true.")
        }
        let (owner, user) = (try other(call), try call.caller.user)
        let charge = try await exchange.personal.take(.block(user))
        try await exchange.block(owner, by: user, under: try call.warrant)
        guard leaves else { return .noContent }
        let (left, more) = try await leave(groupsOf: owner, user, staysOut, try call.warrant)
        // Of the requests that a client repeats while there is more, one counts.
        if more { await exchange.personal.giveBack(charge) }
        return .json { writer in
            writer.raw("{\"left\":")
            writer.integer(Int64(left))
            writer.raw(",\"more\":")
            writer.boolean(more)
            writer.raw("}")
        }
    }

    /// Has a user leave groups of a blocked owner, a bounded number of them in one request.
    private func leave(groupsOf owner: UserID, _ user: UserID, _ staysOut: Bool, _ warrant: Warrant)
        async throws(SharingError) -> (left: Int, more: Bool)
    {
        let limit = Self.leaveLimit
        let groups = try await exchange.read(for: user) { () async throws(SharingError) in
            try await chats.groups(of: user, ownedBy: owner, limit: limit + 1)
        }
        let left = try await Leaving(chats: chats, now: now)
            .leave(Array(groups.prefix(limit)), of: user, cause: .block, staysOut: staysOut, under: warrant)
        return (left, groups.count > limit)
    }

    private func unblock(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        try await exchange.personal.take(.block(try call.caller.user))
        try await exchange.unblock(try other(call), by: try call.caller.user, under: try call.warrant)
        return .noContent
    }

    /// The user that the path names.
    private func other(_ call: RESTCall) throws(SharingError) -> UserID {
        try call.id("user", else: .unknownUser)
    }

    private func invite(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        // First of all: what is refused counts, too, as it is logged.
        try await exchange.personal.take(.invitation(try call.caller.user))
        let page = try call.baseURL
        let invitation = try await accounts.invite(from: try call.caller.user, under: try call.warrant)
        return .json(.created) { writer in
            writer.invitation("\(page)#invitation=\(invitation.secret.text)", invitation.expires)
        }
    }

    private func view(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["invitation"])
        let sender = try await accounts.sender(
            of: try body.requiredString("invitation"),
            from: call.origin.network
        )
        return .json { writer in
            writer.raw("{\"from\":{\"name\":")
            writer.string(sender.name)
            writer.raw("}}")
        }
    }

    private func accept(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["invitation", "name"])
        let invitation = try body.requiredString("invitation")
        if let caller = call.optionalCaller {
            guard !body.has("name") else {
                throw SharingError(.invalidField, "name isn't allowed: you are signed in and have a name.")
            }
            let contact = try await accounts.accept(invitation, by: caller.user, under: try call.warrant)
            exchange.contactsChanged(caller.user, contact.id)
            return .json { writer in
                writer.raw("{\"contact\":")
                writer.user(contact)
                writer.raw("}")
            }
        }
        let profile = Profile(name: try body.requiredString("name"))
        let (signedIn, contact) = try await accounts.accept(invitation, as: profile, from: call.signInOrigin)
        exchange.contactsChanged(contact.id, signedIn.user.id)
        let answer = RESTAnswer.json(.created) { writer in
            writer.raw("{\"user\":")
            writer.user(signedIn.user)
            writer.raw(",\"contact\":")
            writer.user(contact)
            writer.raw("}")
        }
        return answer.signingIn(signedIn, call)
    }
}

extension JSONWriter {
    /// Appends a newly created invitation.
    mutating func invitation(_ url: String, _ expires: Timestamp) {
        raw("{\"url\":")
        string(url)
        raw(",\"expires\":")
        integer(expires.milliseconds)
        raw("}")
    }
}
