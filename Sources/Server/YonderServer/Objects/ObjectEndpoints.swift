import HTTPTypes
import YonderAccounts
import YonderGeodesy
import YonderJSON
import YonderModel
import YonderRules
import YonderObjects
import YonderREST
import YonderTransport

/// The REST endpoints for objects, one by one and in pages.
///
/// `ObjectService` registers them; each function answers one request, on any thread, after `RESTRoutes` has found the
/// caller, who may be nobody where an entity is open to anyone. Reads and writes go by way of `ObjectCatalog`; each
/// write first uses the writer's allowance. A refusal is a `SharingError`; the rules are `ObjectRules`.
///
/// Paths, parameters, members and cursors must stay (`Documentation/objects.md`, `openapi.yaml`, `test_openapi.py`). A
/// further filter is one of `ObjectCriteria`, not of this file.
struct ObjectEndpoints: Sendable {
    let service: ObjectService

    func register(in routes: RESTRoutes) {
        let all = "/v1/objects/{entity}"
        let query: FieldNames = ["limit", "cursor", "where", "sort"]
        routes.on(.get, all, access: .optional, query: query, repeating: ["where"]) {
            call throws(SharingError) in try await list(call)
        }
        routes.on(.post, all) { call throws(SharingError) in try await create(call) }
        let one = "/v1/objects/{entity}/{id}"
        routes.on(.get, one, access: .optional) { call throws(SharingError) in try await object(call) }
        routes.on(.patch, one) { call throws(SharingError) in try await change(call) }
        routes.on(.delete, one) { call throws(SharingError) in try await delete(call) }
    }

    private func list(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let name = try call.entity
        let reader = try await service.reader(of: name, call)
        let entity = try service.catalog.definition(of: name, for: reader)
        let parameters = call.query
        let limit = try parameters.limit(1...ObjectQuery.maximumLimit, else: ObjectQuery.defaultLimit)
        let criteria = try parameters.criteria(in: entity)
        if let order = try parameters.order(in: entity) {
            let last: ObjectID? = try parameters.cursor()
            let query = ObjectQuery(name, where: criteria, limit: limit)
            return try await sorted(query, order, last, reader, call.turn)
        }
        let cursor: ObjectCursor? = try parameters.cursor()
        let query = ObjectQuery(name, where: criteria, after: cursor, limit: limit)
        let page = try await ClientPresence.whileThere { () async throws(SharingError) in
            try await service.catalog.page(query, for: reader, turn: call.turn)
        }
        return Self.answer(page.objects.map(ObjectRecord.init), cursor: page.next?.description)
    }

    private func sorted(
        _ query: ObjectQuery,
        _ order: ObjectOrder,
        _ last: ObjectID?,
        _ reader: ObjectCaller,
        _ turn: TurnTaker
    ) async throws(SharingError) -> RESTAnswer {
        let page = try await ClientPresence.whileThere { () async throws(SharingError) in
            try await service.catalog.list(query, by: order, after: last, for: reader, turn: turn)
        }
        return Self.answer(page.objects, cursor: page.hasMore ? page.objects.last?.id.description : nil)
    }

    private func object(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let name = try call.entity
        let reader = try await service.reader(of: name, call)
        let object = try await service.catalog.store.object(try call.object, of: name, for: reader)
        return Self.answer(ObjectRecord(object))
    }

    private func create(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let caller = try await service.caller(call)
        let wish = try await wish(call, caller)
        guard wish.updated == nil else {
            throw SharingError(.invalidField, "updated isn't allowed when you create an object.")
        }
        let change = try await submit(.create(wish.values), call, caller)
        return try Self.answer(change, .created)
    }

    private func change(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let caller = try await service.caller(call)
        let wish = try await wish(call, caller)
        let action = ObjectSubmission.Action.change(
            try call.object,
            wish.fields,
            ifUpdated: wish.updated
        )
        return try Self.answer(try await submit(action, call, caller))
    }

    private func delete(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let expected = try await call.body(["updated"], isOptional: true).time("updated")
        let caller = try await service.caller(call)
        _ = try await submit(.delete(try call.object, ifUpdated: expected), call, caller)
        return .noContent
    }

    private func wish(_ call: RESTCall, _ caller: ObjectCaller) async throws(SharingError) -> ObjectWish {
        let bytes = try await call.bodyBytes()
        let entity = try service.catalog.definition(of: try call.entity, for: caller)
        return try ObjectWish(json: bytes, for: try EntityRules.writable(entity, by: caller))
    }

    private func submit(
        _ action: ObjectSubmission.Action,
        _ call: RESTCall,
        _ caller: ObjectCaller
    ) async throws(SharingError) -> ObjectChange {
        try service.useWrite(call)
        return try await service.catalog.change(
            ObjectSubmission(
                entity: try call.entity,
                caller: caller,
                action: action,
                time: service.now(),
                under: try service.warrant(call)
            )
        )
    }

    private static func answer(_ change: ObjectChange, _ status: HTTPResponse.Status = .ok)
        throws(SharingError) -> RESTAnswer
    {
        guard let record = change.record else {
            throw SharingError(.internalError, "The object can't be read back; the server's log may say why.")
        }
        return answer(record, status)
    }

    private static func answer(_ record: ObjectRecord, _ status: HTTPResponse.Status = .ok) -> RESTAnswer {
        .json(status) { writer in
            writer.raw("{\"object\":")
            writer.record(record)
            writer.raw("}")
        }
    }

    private static func answer(_ objects: [ObjectRecord], cursor: String?) -> RESTAnswer {
        .json { writer in
            writer.raw("{\"objects\":")
            writer.list(objects) { $0.record($1) }
            writer.optional(",\"cursor\":", cursor)
            writer.raw("}")
        }
    }
}

extension RESTQuery {
    /// The cursor of the previous page, or `nil` for the first page.
    ///
    /// - Throws: `invalidField`.
    fileprivate func cursor<Cursor: LosslessStringConvertible>() throws(SharingError) -> Cursor? {
        guard let text = string("cursor") else { return nil }
        guard let cursor = Cursor(text) else {
            throw SharingError(.invalidField, "cursor must be the cursor of an earlier page.")
        }
        return cursor
    }
}
