import HTTPTypes
import YonderAccounts
import YonderGeodesy
import YonderJSON
import YonderModel
import YonderRules
import YonderObjects
import YonderREST

/// The REST endpoints for entities.
///
/// `ObjectService` registers them; each function answers one request by way of `ObjectCatalog`, which the stores' rules
/// and the indexes follow. Refusals are those of `EntityRules`. A deletion answers when the objects are gone, which
/// takes a while for a million. Paths and members must stay (`Documentation/objects.md`, `openapi.yaml`, `EntityTests`).
struct EntityEndpoints: Sendable {
    let service: ObjectService

    func register(in routes: RESTRoutes) {
        routes.on(.get, "/v1/entities", access: .optional) { call throws(SharingError) in
            try await list(call)
        }
        routes.on(.post, "/v1/entities") { call throws(SharingError) in try await create(call) }
        let path = "/v1/entities/{entity}"
        routes.on(.get, path, access: .optional) { call throws(SharingError) in try await entity(call) }
        routes.on(.patch, path) { call throws(SharingError) in try await change(call) }
        routes.on(.delete, path) { call throws(SharingError) in try await delete(call) }
    }

    private func list(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let entities = try await service.catalog.store.entities(for: try await service.caller(call))
        return .json { writer in
            writer.raw("{\"entities\":")
            writer.list(entities) { $0.entity($1) }
            writer.raw("}")
        }
    }

    private func entity(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let name = try call.entity
        let reader = try await service.reader(of: name, call)
        return Self.answer(try await service.catalog.store.entity(name, for: reader))
    }

    private func create(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let definition = try EntityDefinition(json: try await call.bodyBytes())
        let caller = try await service.caller(call)
        try service.useWrite(call)
        let entity = try await service.catalog.createEntity(
            definition,
            by: caller,
            at: service.now(),
            under: try service.warrant(call)
        )
        return Self.answer(entity, .created)
    }

    /// Changes only the members that the request contains.
    private func change(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let name = try call.entity
        let body = try await call.body(["name", "readers", "fields"])
        let readers = try body.choice("readers", of: EntityReaders.self, "anyone, members or owners")
        let fields = try body.schema("fields")
        if let other = try body.string("name"), !other.utf8.elementsEqual(name.description.utf8) {
            throw SharingError(.invalidField, "name can't change; leave it out, or send \(name).")
        }
        let caller = try await service.caller(call)
        try service.useWrite(call)
        let entity = try await service.catalog.changeEntity(
            name,
            by: caller,
            at: service.now(),
            under: try service.warrant(call)
        ) { definition in
            if let readers { definition.readers = readers }
            if let fields { definition.fields = fields }
        }
        return Self.answer(entity)
    }

    private func delete(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let name = try call.entity
        _ = try await call.body([], isOptional: true)
        try service.useWrite(call)
        let caller = try await service.caller(call)
        let warrant = try service.warrant(call)
        // The store judges it again; the catalog hides the entity from everybody before that.
        try await service.accounts.judge(warrant)
        try await service.catalog.deleteEntity(name, by: caller, under: warrant)
        return .noContent
    }

    private static func answer(_ entity: Entity, _ status: HTTPResponse.Status = .ok) -> RESTAnswer {
        .json(status) { writer in
            writer.raw("{\"entity\":")
            writer.entity(entity)
            writer.raw("}")
        }
    }
}
