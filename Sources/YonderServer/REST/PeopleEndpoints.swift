import HTTPTypes
import YonderGeodesy
import YonderModel

/// The REST endpoints for contacts and invitations.
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
            let contact = try await accounts.accept(invitation, by: caller.user)
            return .json { writer in
                writer.raw("{\"contact\":")
                writer.user(contact)
                writer.raw("}")
            }
        }
        let profile = Profile(name: try body.requiredString("name"))
        let (signedIn, contact) = try await accounts.accept(invitation, as: profile, from: call.signInOrigin)
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
