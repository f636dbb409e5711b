import HTTPTypes
import YonderGeodesy
import YonderHub
import YonderModel
import YonderWire

/// Chats and who is in them.
struct ChatEndpoints: Sendable {
    let chats: any ChatStore
    let accounts: any AccountStore
    let gateway: ChatGateway
    let now: @Sendable () -> Timestamp

    func register(in routes: RESTRoutes) {
        routes.on(.get, "/v1/chats") { call throws(SharingError) in try await list(call) }
        routes.on(.post, "/v1/chats") { call throws(SharingError) in try await start(call) }
        routes.on(.get, "/v1/chats/{chat}") { call throws(SharingError) in try await chat(call) }
        routes.on(.patch, "/v1/chats/{chat}") { call throws(SharingError) in try await changeSubject(call) }
        routes.on(.post, "/v1/chats/{chat}/participants") { call throws(SharingError) in try await add(call) }
        routes.on(.delete, "/v1/chats/{chat}/participants/me") { call throws(SharingError) in
            try await leave(call)
        }
    }

    private func list(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let mine = try await chats.chats(of: try call.caller.user)
        let names = try await accounts.names(in: mine)
        return .json { writer in
            writer.raw("{\"chats\":")
            writer.list(mine) { $0.object(NamedChat($1, users: names)) }
            writer.raw("}")
        }
    }

    private func start(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["invitees", "subject", "oneToOne", "key"])
        let wish = ChatStart(
            creator: try call.caller.user,
            invitees: try body.required("invitees", try body.identifiers("invitees")),
            subject: try body.string("subject") ?? "",
            isOneToOne: try body.boolean("oneToOne") ?? false,
            key: try body.string("key")
        )
        let outcome = try await gateway.start(wish, now())
        let names = try await accounts.names(in: [outcome.chat])
        return .json(outcome.existed ? .ok : .created) { writer in
            writer.raw("{\"chat\":")
            writer.object(NamedChat(outcome.chat, users: names))
            writer.raw(",\"existed\":")
            writer.boolean(outcome.existed)
            writer.raw("}")
        }
    }

    private func chat(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let chat = try await chats.chat(try call.chat)
        _ = try ChatRules.present(try call.caller.user, in: chat)
        let names = try await accounts.names(in: [chat])
        return .json { writer in
            writer.raw("{\"chat\":")
            writer.object(NamedChat(chat, users: names))
            writer.raw("}")
        }
    }

    private func changeSubject(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["subject", "key"])
        let subject = try body.requiredString("subject")
        return try await submit(.subject(subject), key: try body.string("key"), call, .ok)
    }

    private func add(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["users", "key"])
        let users: [UserID] = try body.required("users", try body.identifiers("users"))
        return try await submit(.add(users), key: try body.string("key"), call, .created)
    }

    private func leave(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["key"], isOptional: true)
        return try await submit(.leave, key: try body.string("key"), call, .ok)
    }

    private func submit(
        _ action: Submission.Action,
        key: String?,
        _ call: RESTCall,
        _ status: HTTPResponse.Status
    ) async throws(SharingError) -> RESTAnswer {
        let acceptance = try await gateway.submit(
            Submission(
                chat: try call.chat,
                sender: try call.caller.user,
                key: key ?? .randomKey(),
                action: action,
                time: now()
            )
        )
        return .json(status) { $0.number(acceptance.message.number) }
    }
}

extension JSONWriter {
    /// Appends `{"number":n}`.
    mutating func number(_ number: Int64) {
        raw("{\"number\":")
        integer(number)
        raw("}")
    }
}

extension String {
    /// A key for who doesn't care to send again what wasn't answered.
    static func randomKey() -> String {
        "rest-" + Secret.random().text
    }
}
