import HTTPTypes
import Hummingbird
import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderJSON
import YonderREST
import YonderWire

/// The endpoints of shares: start, change, end and list them.
///
/// `ServerAssembly` registers them once; each function answers one request, for programs that have no stream. The rules are
/// those of `ShareRules`, the same as for frames. A refusal is a `SharingError`, and a request with a key may be repeated.
/// Paths and members are REST's (`Documentation/rest.md`, `test_shares.py`).
///
/// A new path needs a line in `openapi.yaml`, too.
///
/// Paths, members and codes must stay; which functions of the exchange they call may be changed.
struct ShareEndpoints: Sendable {
    let chats: any ChatStore
    let exchange: Exchange
    let now: @Sendable () -> Timestamp

    func register(in routes: RESTRoutes) {
        let path = "/v1/chats/{chat}/shares"
        routes.on(.get, path) { call throws(SharingError) in try await list(call) }
        routes.on(.post, path) { call throws(SharingError) in try await start(call) }
        routes.on(.patch, path + "/{share}") { call throws(SharingError) in try await change(call) }
        routes.on(.delete, path + "/{share}") { call throws(SharingError) in try await stop(call) }
        routes.on(.post, "/v1/chats/{chat}/heartbeat") { call throws(SharingError) in
            try await heartbeat(call)
        }
        routes.on(.get, "/v1/me/shares") { call throws(SharingError) in try await own(call) }
        routes.on(.delete, "/v1/me/shares") { call throws(SharingError) in try await stopAll(call) }
    }

    private func list(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let (chat, reader) = (try call.chat, try call.caller.user)
        let shares = try await exchange.read(for: reader) { () async throws(SharingError) in
            try await exchange.shares(in: chat, for: reader)
        }
        return .json { writer in
            writer.raw("{\"shares\":")
            writer.list(shares) { $0.object($1) }
            writer.raw("}")
        }
    }

    private func start(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["key", "until", "arrival", "keep", "battery"])
        var arrival: Arrival?
        if let data = try body.object("arrival") { arrival = try Arrival(data) }
        let wish = ShareWish(
            until: try body.nullableTime("until") ?? nil,
            arrival: arrival,
            keeping: try body.keeping() ?? .kept,
            showsBattery: try body.boolean("battery")
        )
        return try await submit(.startShare(.random(), wish), key: try body.string("key"), call, .created)
    }

    private func change(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["key", "until", "keep", "battery"])
        let edit = ShareEdit(
            until: try body.nullableTime("until"),
            keeping: try body.keeping(),
            showsBattery: try body.boolean("battery")
        )
        return try await submit(.changeShare(try share(call), edit), key: try body.string("key"), call, .ok)
    }

    private func stop(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["key"], isOptional: true)
        return try await submit(.stopShare(try share(call)), key: try body.string("key"), call, .ok)
    }

    private func heartbeat(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["share", "fix", "battery", "charging", "paused"])
        var fix: ShareHeartbeat.Fix?
        if let data = try body.object("fix") { fix = try ShareHeartbeat.Fix(data) }
        let heartbeat = ShareHeartbeat(
            fix: fix,
            battery: try body.double("battery"),
            isCharging: try body.boolean("charging"),
            isPaused: try body.boolean("paused") ?? false
        )
        guard let heartbeat else {
            throw SharingError(.invalidField, "battery must be a number from 0 to 1.")
        }
        let caller = try call.caller
        try await exchange.judge(try call.warrant)
        try exchange.receive(
            heartbeat,
            in: try call.chat,
            of: caller.user,
            share: try body.identifier("share"),
            signIn: caller.credential
        )
        return .noContent
    }

    private func own(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let user = try call.caller.user
        let shares = exchange.shares.shown(of: user)
        let viewers = try await exchange.read(for: user) { () async throws(SharingError) in
            var viewers: [ChatID: [UserID]] = [:]
            for chat in Set(shares.map(\.share.chat)) {
                let present = try await chats.chat(chat).participants.filter(\.isPresent)
                viewers[chat] = present.map(\.user).filter { $0 != user }
            }
            return viewers
        }
        return .json { writer in
            writer.raw("{\"shares\":")
            writer.list(shares) { writer, shown in
                writer.members(of: shown)
                writer.raw(",\"viewers\":")
                writer.list(viewers[shown.share.chat] ?? []) { $0.identifier($1) }
                writer.raw("}")
            }
            writer.raw("}")
        }
    }

    private func stopAll(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["chat", "share", "before"], isOptional: true)
        let stop = ShareStop(
            chat: try body.identifier("chat"),
            share: try body.identifier("share"),
            before: try body.nullableTime("before") ?? nil
        )
        let stopped = try await exchange.stopShares(
            of: try call.caller.user,
            stop,
            under: try call.warrant
        )
        return .json { writer in
            writer.raw("{\"stopped\":")
            writer.list(stopped) { $0.identifier($1) }
            writer.raw("}")
        }
    }

    private func submit(
        _ action: Submission.Action,
        key: String?,
        _ call: RESTCall,
        _ status: HTTPResponse.Status
    ) async throws(SharingError) -> RESTAnswer {
        let caller = try call.caller
        let acceptance = try await exchange.submit(
            Submission(
                chat: try call.chat,
                sender: caller.user,
                key: key ?? .randomKey(),
                action: action,
                time: now(),
                source: caller.credential.source,
                under: try call.warrant
            )
        )
        guard let share = acceptance.shares.first, let shown = exchange.shares.shown(share) else {
            throw .shareEnded
        }
        return .json(status) { writer in
            writer.raw("{\"share\":")
            writer.object(shown)
            writer.raw(",")
            writer.place(of: acceptance)
            writer.raw("}")
        }
    }

    private func share(_ call: RESTCall) throws(SharingError) -> ShareID {
        try call.id("share", else: .unknownShare)
    }
}

extension JSONBody {
    /// The fate of a share's positions, from `keep`.
    fileprivate func keeping() throws(SharingError) -> Share.Keeping? {
        try choice("keep", of: Share.Keeping.self, "\"kept\" or \"expiring\"")
    }
}
