import HTTPTypes
import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderREST
import YonderWire
import YonderJSON

/// The REST endpoints for chats and their participants.
///
/// `RESTService` registers them once; each function answers one request. Reads go to the store, changes by way of the
/// exchange or its gateway, so that sessions get them. A refusal is a `SharingError`, which becomes the answer; what is
/// allowed is decided by `ChatRules`. A request with a key may be repeated. Paths and members must stay
/// (`Documentation/rest.md`, `openapi.yaml`, `test_openapi.py`).
struct ChatEndpoints: Sendable {
    let chats: any ChatStore
    let accounts: any AccountStore
    let gateway: ChatGateway
    let exchange: Exchange
    let now: @Sendable () -> Timestamp

    func register(in routes: RESTRoutes) {
        routes.on(.get, "/v1/chats", query: ["after", "limit"]) { call throws(SharingError) in
            try await list(call)
        }
        routes.on(.post, "/v1/chats") { call throws(SharingError) in try await start(call) }
        routes.on(.get, "/v1/chats/{chat}") { call throws(SharingError) in try await chat(call) }
        routes.on(.patch, "/v1/chats/{chat}") { call throws(SharingError) in try await changeSubject(call) }
        routes.on(.put, "/v1/chats/{chat}/read") { call throws(SharingError) in try await read(call) }
        routes.on(.post, "/v1/chats/{chat}/participants") { call throws(SharingError) in try await add(call) }
        routes.on(.delete, "/v1/chats/{chat}/participants/me") { call throws(SharingError) in
            try await leave(call)
        }
        routes.on(.delete, "/v1/chats/{chat}/participants/{user}") { call throws(SharingError) in
            try await remove(call)
        }
        routes.on(.put, "/v1/chats/{chat}/owner") { call throws(SharingError) in try await handOver(call) }
    }

    private func list(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let user = try call.caller.user
        let most = StreamQuery.chatLimit
        let limit = try call.query.integer("limit", in: 1...Int64(most)).map(Int.init) ?? most
        let place = try place(call.query)
        let (listed, next) = try await exchange.read(for: user) { () async throws(SharingError) in
            let page = try await chats.page(of: user, after: place, limit: limit)
            return (try await named(page.chats, user), page.next)
        }
        return .json { writer in
            writer.raw("{\"chats\":")
            writer.list(listed) { $0.object($1) }
            if let next {
                writer.raw(",\"next\":")
                writer.string(next.text)
            }
            writer.raw("}")
        }
    }

    /// The place in the list that the query's `after` names.
    private func place(_ query: RESTQuery) throws(SharingError) -> ChatPlace? {
        guard let text = query.string("after") else { return nil }
        guard let place = ChatPlace(text) else {
            throw SharingError(.invalidField, "after must be the `next` of an earlier answer.")
        }
        return place
    }

    private func named(_ some: [Chat], _ user: UserID) async throws(SharingError) -> [NamedChat] {
        try await chats.named(some, with: accounts, for: user, isClosed: gateway.isClosed, now: now())
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
        let outcome = try await gateway.start(wish, now(), try call.warrant)
        let named = try await named([outcome.chat], wish.creator)
        return .json(outcome.existed ? .ok : .created) { writer in
            writer.raw("{\"chat\":")
            for chat in named { writer.object(chat) }
            writer.raw(",\"existed\":")
            writer.boolean(outcome.existed)
            writer.raw("}")
        }
    }

    private func chat(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let (id, user) = (try call.chat, try call.caller.user)
        let shown = try await exchange.read(for: user) { () async throws(SharingError) in
            let chat = try await chats.chat(id)
            _ = try ChatRules.present(user, in: chat)
            return try await named([chat], user)
        }
        return .json { writer in
            writer.raw("{\"chat\":")
            for chat in shown { writer.object(chat) }
            writer.raw("}")
        }
    }

    private func read(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["number"])
        let number = try body.required("number", try body.integer("number", in: 0...Int64.max))
        let mark = ReadMark(chat: try call.chat, reader: try call.caller.user, number: number)
        try await exchange.judge(try call.warrant)
        let position = try await gateway.read(mark)
        return .json { writer in
            writer.raw("{\"read\":")
            writer.integer(position.number)
            writer.raw(",\"readWritten\":")
            writer.integer(position.written)
            writer.raw("}")
        }
    }

    private func changeSubject(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["subject", "subjectLocked", "positions", "key"])
        let changes: [StaticString] = ["subject", "subjectLocked", "positions"]
        guard changes.count(where: body.has) < 2 else {
            throw SharingError(
                .invalidField,
                "subject, subjectLocked and positions must be sent in a request each."
            )
        }
        if let keeping = try body.choice("positions", of: PositionKeeping.self, PositionKeeping.choices) {
            return try await submit(.keepPositions(keeping), key: try body.string("key"), call, .ok)
        }
        if let isLocked = try body.boolean("subjectLocked") {
            return try await submit(.lockSubject(isLocked), key: try body.string("key"), call, .ok)
        }
        let subject = try body.requiredString("subject")
        return try await submit(.subject(subject), key: try body.string("key"), call, .ok)
    }

    private func add(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["users", "key"])
        let users: [UserID] = try body.required("users", try body.identifiers("users"))
        return try await submit(.add(users), key: try body.string("key"), call, .created)
    }

    private func leave(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["key", "stayOut"], isOptional: true)
        let action: Submission.Action = try body.boolean("stayOut") ?? false ? .stayOut : .leave
        return try await submit(action, key: try body.string("key"), call, .ok)
    }

    private func remove(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["key"], isOptional: true)
        let user: UserID = try call.id("user", else: .unknownUser)
        return try await submit(.remove(user), key: try body.string("key"), call, .ok)
    }

    private func handOver(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["user", "key"])
        guard let user = UserID(try body.requiredString("user")) else {
            throw SharingError(.invalidField, "user must be an id, a decimal string.")
        }
        return try await submit(.owner(user), key: try body.string("key"), call, .ok)
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
                time: now(),
                under: try call.warrant
            )
        )
        return .json(status) { $0.number(of: acceptance) }
    }
}

extension JSONWriter {
    /// Appends `{"number":n}`.
    mutating func number(of acceptance: Submission.Acceptance) {
        raw("{")
        numberMember(of: acceptance)
        raw("}")
    }

    /// Appends `"number":n`, and `"time":t` behind it.
    mutating func place(of acceptance: Submission.Acceptance) {
        numberMember(of: acceptance)
        raw(",\"time\":")
        integer(acceptance.message.time.milliseconds)
    }

    /// A stored message has a number.
    private mutating func numberMember(of acceptance: Submission.Acceptance) {
        raw("\"number\":")
        acceptance.message.number.map { integer($0) } ?? raw("null")
    }
}

extension String {
    /// A random idempotency key, for a caller that gave none.
    static func randomKey() -> String {
        "rest-" + Secret.random().text
    }
}
