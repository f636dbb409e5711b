import HTTPTypes
import Hummingbird
import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderREST
import YonderWire
import YonderJSON

/// The REST endpoints for the messages of a chat.
///
/// `RESTService` registers them; each function answers one request, on any thread. A message is sent by `ChatGateway`,
/// under the same allowance and rules as a frame; a repeated key gets the first answer. Refusals are `SharingError`. Who
/// may read what is decided in the store.
///
/// Paths, parameters and members must stay (`Documentation/rest.md`, `openapi.yaml`, `test_openapi.py`); a further
/// parameter is a name in `parameters`, too.
struct MessageEndpoints: Sendable {
    let chats: any ChatStore
    let accounts: any AccountStore
    let gateway: ChatGateway
    let exchange: Exchange
    let now: @Sendable () -> Timestamp

    func register(in routes: RESTRoutes) {
        let path = "/v1/chats/{chat}/messages"
        routes.on(.get, path, query: Self.parameters) { call throws(SharingError) in try await list(call) }
        routes.on(.post, path) { call throws(SharingError) in try await send(call) }
        routes.on(.get, path + "/{number}") { call throws(SharingError) in try await message(call) }
        routes.on(.delete, path + "/{number}") { call throws(SharingError) in try await recall(call) }
    }

    private static let parameters: FieldNames = [
        "tag", "sender", "since", "before", "from", "to", "latest", "limit",
    ]

    private func list(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let parameters = call.query
        let maximum = Int64(MessageQuery.maximumLimit)
        let since = try parameters.integer("since", in: 0...Int64.max)
        let query = MessageQuery(
            chat: try call.chat,
            tag: try parameters.tag("tag"),
            sender: try parameters.identifier("sender"),
            since: since ?? 0,
            before: try parameters.integer("before", in: 1...Int64.max),
            from: try parameters.time("from"),
            to: try parameters.time("to"),
            latest: try parameters.boolean("latest") ?? false,
            limit: try parameters.integer("limit", in: 1...maximum).map(Int.init) ?? MessageQuery.defaultLimit
        )
        let pages = MessagePages(
            chats: chats,
            exchange: exchange,
            query: query,
            direction: since == nil ? .backward : .forward,
            reader: try call.caller.user,
            now: now(),
            right: OngoingRight(try call.readingWarrant(), accounts: accounts, now: now)
        )
        return try await pages.answer()
    }

    private func send(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["key", "tag", "content", "data", "expires", "keep"])
        guard let tag = MessageTag(try body.requiredString("tag")) else {
            throw SharingError(
                .invalidField,
                "tag must be 1 to 64 visible ASCII characters without \" and backslashes."
            )
        }
        let draft = MessageDraft(
            tag: tag,
            content: try body.string("content") ?? "",
            data: try body.object("data"),
            expires: try body.time("expires")
        )
        let key = try body.string("key")
        if try body.boolean("keep") == false { return try await pass(draft, key, call) }
        let acceptance = try await submit(.message(draft), key: key, call)
        return .json(.created) { writer in
            writer.raw("{")
            writer.place(of: acceptance)
            writer.raw("}")
        }
    }

    private func pass(_ draft: MessageDraft, _ key: String?, _ call: RESTCall) async throws(SharingError)
        -> RESTAnswer
    {
        if let key { try IdempotencyKey.check(key) }
        let time = now()
        let caller = try call.caller
        try await exchange.judge(try call.warrant)
        try await gateway.pass(draft, try call.chat, caller.user, caller.credential)
        return .json(.created) { writer in
            writer.raw("{\"time\":")
            writer.integer(time.milliseconds)
            writer.raw("}")
        }
    }

    private func message(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let id = Message.ID(chat: try call.chat, number: try number(call))
        let reader = try call.caller.user
        let message = try await exchange.read(for: reader) { () async throws(SharingError) in
            try await chats.message(id, reader: reader, now: now())
        }
        return .json { writer in
            writer.raw("{\"message\":")
            writer.object(message)
            writer.raw("}")
        }
    }

    private func recall(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["key"], isOptional: true)
        let acceptance = try await submit(
            .recall(number: try number(call)),
            key: try body.string("key"),
            call
        )
        return .json { $0.number(of: acceptance) }
    }

    private func submit(
        _ action: Submission.Action,
        key: String?,
        _ call: RESTCall
    ) async throws(SharingError) -> Submission.Acceptance {
        try await gateway.submit(
            Submission(
                chat: try call.chat,
                sender: try call.caller.user,
                key: key ?? .randomKey(),
                action: action,
                time: now(),
                source: try call.caller.credential.source,
                under: try call.warrant
            )
        )
    }

    private func number(_ call: RESTCall) throws(SharingError) -> Int64 {
        guard let text = call.context.parameters.get("number"), let number = Int64(text), number > 0,
            String(number) == text
        else { throw SharingError(.unknownMessage, "No such message.") }
        return number
    }
}
