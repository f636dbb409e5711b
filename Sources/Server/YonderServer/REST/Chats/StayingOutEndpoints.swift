import HTTPTypes
import YonderAccounts
import YonderHub
import YonderJSON
import YonderModel
import YonderRules
import YonderREST

/// The endpoints of the groups that the caller stays out of: list them, and take one back.
///
/// `RESTService` registers them; each function answers one request of the group's former participant. Taking back what
/// isn't there changes nothing. Paths and members must stay (`Documentation/rest.md`, `openapi.yaml`,
/// `StayingOutTests`). Who stays out is decided in `ChatRules+Participants.swift`.
struct StayingOutEndpoints: Sendable {
    let chats: any ChatStore
    let exchange: Exchange

    func register(in routes: RESTRoutes) {
        let path = "/v1/me/stays-out"
        routes.on(.get, path) { call throws(SharingError) in try await list(call) }
        routes.on(.delete, path + "/{chat}") { call throws(SharingError) in try await takeBack(call) }
    }

    private func list(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let user = try call.caller.user
        let groups = try await exchange.read(for: user) { () async throws(SharingError) in
            try await chats.leftGroups(of: user, limit: LeftGroup.listLimit)
        }
        return .json { writer in
            writer.raw("{\"chats\":")
            writer.list(groups) { $0.leftGroup($1) }
            writer.raw("}")
        }
    }

    private func takeBack(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        _ = try await call.body([], isOptional: true)
        try await chats.stopStayingOut(of: try call.chat, by: try call.caller.user, under: try call.warrant)
        return .noContent
    }
}

extension JSONWriter {
    /// Appends `{"id":…,"subject":…}`.
    fileprivate mutating func leftGroup(_ group: LeftGroup) {
        raw("{\"id\":")
        identifier(group.chat)
        raw(",\"subject\":")
        string(group.subject)
        raw("}")
    }
}
