import HTTPTypes
import YonderGeodesy
import YonderModel

/// Contacts, invitations, and the operator's list of users.
struct PeopleEndpoints: Sendable {
    let accounts: Accounts

    func register(in routes: RESTRoutes) {
        routes.on(.get, "/v1/contacts") { call throws(SharingError) in try await contacts(call) }
        routes.on(.post, "/v1/invitations") { call throws(SharingError) in try await invite(call) }
        routes.on(.post, "/v1/invitations/view", access: .anyone) { call throws(SharingError) in
            try await view(call)
        }
        routes.on(.post, "/v1/invitations/accept", access: .optional) { call throws(SharingError) in
            try await accept(call)
        }
        routes.on(.get, "/v1/users", query: ["after", "limit"]) { call throws(SharingError) in
            try await users(call)
        }
        routes.on(.post, "/v1/users") { call throws(SharingError) in try await addUser(call) }
    }

    private func contacts(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let contacts = try await accounts.store.contacts(of: try call.caller.user)
        return .json { writer in
            writer.raw("{\"contacts\":")
            writer.list(contacts) { $0.user($1) }
            writer.raw("}")
        }
    }

    private func invite(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        let page = try call.baseURL
        let invitation = try await accounts.invite(from: try call.caller.user)
        return .json(.created) { writer in
            writer.raw("{\"url\":")
            writer.string("\(page)#invitation=\(invitation.secret.text)")
            writer.raw(",\"expires\":")
            writer.integer(invitation.expires.milliseconds)
            writer.raw("}")
        }
    }

    private func view(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["invitation"])
        let sender = try await accounts.sender(of: try body.requiredString("invitation"), from: call.network)
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
                throw SharingError(.invalidField, "name can't be sent: the caller is signed in and has one.")
            }
            let contact = try await accounts.accept(invitation, by: caller.user)
            return .json { writer in
                writer.raw("{\"contact\":")
                writer.user(contact)
                writer.raw("}")
            }
        }
        let profile = Profile(name: try body.requiredString("name"))
        let (signedIn, contact) = try await accounts.accept(invitation, as: profile, from: call.network)
        let answer = RESTAnswer.json(.created) { writer in
            writer.raw("{\"user\":")
            writer.user(signedIn.user)
            writer.raw(",\"contact\":")
            writer.user(contact)
            writer.raw("}")
        }
        return answer.signingIn(signedIn, call)
    }

    private func users(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        try await checkOperator(call)
        let query = RESTQuery(call.request)
        let users = try await accounts.store.accounts(
            after: try query.identifier("after"),
            limit: Int(try query.integer("limit", in: 1...1_000) ?? 1_000)
        )
        return .json { writer in
            writer.raw("{\"users\":")
            writer.list(users) { writer, account in
                writer.raw("{\"user\":")
                writer.user(account.user)
                writer.optional(",\"login\":", account.login)
                writer.raw(",\"operator\":")
                writer.boolean(account.isOperator)
                writer.raw(",\"created\":")
                writer.integer(account.created.milliseconds)
                writer.raw("}")
            }
            writer.raw("}")
        }
    }

    private func addUser(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        try await checkOperator(call)
        let body = try await call.body(["name", "login", "email"])
        let profile = Profile(name: try body.requiredString("name"), email: try body.string("email"))
        let page = try call.baseURL
        let user = try await accounts.create(profile, login: try body.string("login"))
        let link = try await accounts.makeLink(for: user.id)
        return .json(.created) { writer in
            writer.raw("{\"user\":")
            writer.user(user)
            writer.raw(",\"link\":")
            writer.string("\(page)#link=\(link.text)")
            writer.raw("}")
        }
    }

    private func checkOperator(_ call: RESTCall) async throws(SharingError) {
        guard try await accounts.store.account(try call.caller.user).isOperator else {
            throw SharingError(.notAllowed, "Only the operator may do this.")
        }
    }
}
