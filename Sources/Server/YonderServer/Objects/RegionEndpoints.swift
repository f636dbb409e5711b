import HTTPTypes
import YonderGeodesy
import YonderJSON
import YonderModel
import YonderObjects
import YonderREST
import YonderTransport

/// The REST endpoints for objects by position.
///
/// `ObjectService` registers them; each function answers one request from `ObjectCatalog`, on any thread, also for
/// callers without an account where an entity is open to anyone. Refusals name the parameter. Parameters and members,
/// `cached` included, must stay: the page reads them (`Documentation/objects.md`, `openapi.yaml`, `RegionTests`).
///
/// Limits are those of `RegionListing`; texts of refusals may be changed.
struct RegionEndpoints: Sendable {
    let service: ObjectService

    func register(in routes: RESTRoutes) {
        let path = "/v1/objects/{entity}"
        let region: FieldNames = ["field", "sw", "ne", "limit", "sort", "where"]
        routes.on(.get, path + "/region", access: .optional, query: region, repeating: ["where"]) {
            call throws(SharingError) in try await self.region(call)
        }
        let near: FieldNames = ["field", "at", "limit", "within", "where"]
        routes.on(.get, path + "/near", access: .optional, query: near, repeating: ["where"]) {
            call throws(SharingError) in try await self.near(call)
        }
    }

    private func region(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let name = try call.entity
        let reader = try await service.reader(of: name, call)
        let entity = try service.catalog.definition(of: name, for: reader)
        let parameters = call.query
        try parameters.checkField(in: entity)
        let listing = RegionListing(
            name,
            in: try parameters.region(),
            where: try parameters.criteria(in: entity),
            by: try parameters.order(in: entity),
            limit: try parameters.limit(RegionListing.limits, else: RegionListing.defaultLimit)
        )
        let turn = call.turn
        let list = { @Sendable () async throws(SharingError) in
            var writer = JSONWriter()
            writer.raw("{\"objects\":")
            let total = try await service.catalog.write(listing, for: reader, turn: turn, to: &writer)
            writer.raw(",\"total\":")
            writer.integer(Int64(total))
            writer.limit(listing.limit)
            return writer
        }
        return .json(listing.isVisiting ? try await ClientPresence.whileThere(list) : try await list())
    }

    private func near(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let name = try call.entity
        let reader = try await service.reader(of: name, call)
        let entity = try service.catalog.definition(of: name, for: reader)
        let parameters = call.query
        try parameters.checkField(in: entity)
        guard let center = try parameters.coordinate("at") else {
            throw SharingError(.missingField, "at is missing.")
        }
        let query = NearbyQuery(
            name,
            near: center,
            within: try parameters.distance("within"),
            where: try parameters.criteria(in: entity),
            limit: try parameters.limit(NearbyQuery.limits, else: NearbyQuery.defaultLimit)
        )
        let turn = call.turn
        let find = { @Sendable () async throws(SharingError) in
            try await service.catalog.nearest(query, for: reader, turn: turn)
        }
        let answer = query.isVisiting ? try await ClientPresence.whileThere(find) : try await find()
        return .json { writer in
            writer.raw("{\"objects\":")
            writer.list(answer.objects) { $0.record($1) }
            writer.raw(",\"distances\":")
            writer.list(answer.distances) { $0.double($1.meters) }
            writer.limit(query.limit)
        }
    }
}

extension RESTQuery {
    /// Checks that the `field` parameter, if given, names the entity's location field.
    ///
    /// - Throws: `unknownField`, `invalidField`.
    fileprivate func checkField(in entity: Entity) throws(SharingError) {
        let text = string("field")
        let name = text.flatMap { FieldName($0) }
        guard text == nil || name != nil else {
            throw entity.unknownField(text ?? "", in: "field")
        }
        _ = try entity.locationField(name)
    }

    /// The region between `sw` and `ne`.
    ///
    /// - Throws: `missingField`, `invalidField`.
    fileprivate func region() throws(SharingError) -> Region {
        guard let southwest = try corner("sw"), let northeast = try corner("ne") else {
            throw SharingError(.missingField, "sw or ne is missing; send both corners.")
        }
        let region = Region(
            west: southwest.longitude,
            south: southwest.latitude,
            east: northeast.longitude,
            north: northeast.latitude
        )
        guard let region else { throw SharingError(.invalidField, "sw must not be north of ne.") }
        return region
    }
}

extension JSONWriter {
    /// Ends an answer with `limit` and `cached`: always `false` from a server; a client sets `cached` in
    /// answers of its own.
    fileprivate mutating func limit(_ limit: Int) {
        raw(",\"limit\":")
        integer(Int64(limit))
        raw(",\"cached\":false}")
    }
}
