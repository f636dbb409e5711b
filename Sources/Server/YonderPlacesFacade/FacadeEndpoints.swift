import HTTPTypes
import YonderGeodesy
import YonderModel
import YonderRules
import YonderObjects
import YonderREST
import YonderTransport

/// Answers requests of the older places API whose caller is already known.
///
/// `PlacesFacade` checks the signature, counts the write, and calls `answer` once for a request, on any thread. A refusal is
/// a `FacadeRefusal` with that API's own status and form; a client that disconnects cancels a long query. Objects are read
/// from and written by way of `ObjectCatalog`, so that they are those of the newer API.
///
/// Apps that nobody updates call these paths: their parameters, statuses, orders and answers must stay, odd ones included
/// (decision 11, `Documentation/places-facade.md`, `test_places_facade.py`).
struct FacadeEndpoints: Sendable {
    let catalog: ObjectCatalog
    let now: @Sendable () -> Timestamp

    /// The subject of a request's path.
    enum Target: Hashable, Sendable {
        /// `/api/data/ENTITY`
        case entity
        /// `/api/data/ENTITY/ID`
        case object(String)
        /// `/api/data/ENTITY/bounding/FIELD`
        case bounding(String)
        /// `/api/data/ENTITY/near/FIELD`
        case near(String)
    }

    /// The limit if a request gives none, and the accepted limits.
    private static let limit = (usual: 100, range: ObjectListing.limits)

    /// One request's entity and caller.
    private struct Call {
        let request: FacadeRequest
        let entity: Entity
        let caller: ObjectCaller

        /// The right by which it writes.
        let warrant: Warrant

        /// By whom its queries wait.
        let turn: TurnTaker

        var parameters: FormParameters { request.parameters }
    }

    /// Answers a request.
    ///
    /// - Throws: Every status except those of signatures.
    func answer(
        _ request: FacadeRequest,
        _ entity: String,
        _ target: Target,
        _ sender: FacadeCaller
    ) async throws(FacadeRefusal) -> OpenAnswer {
        let caller = sender.rights
        guard request.isReading || caller != .anyone else { throw Self.unsigned }
        let call = Call(
            request: request,
            entity: try definition(entity, caller),
            caller: caller,
            warrant: sender.warrant,
            turn: sender.turn(at: request.network)
        )
        switch (target, request.method) {
        case (.entity, .get), (.entity, .head): return try await list(call)
        case (.bounding(let field), .get), (.bounding(let field), .head):
            return try await bounding(call, field)
        case (.near(let field), .get), (.near(let field), .head): return try await near(call, field)
        case (.object(let id), .get), (.object(let id), .head): return try await read(call, id)
        case (.entity, .post): return try await create(call)
        case (.object(let id), .put): return try await change(call, id)
        case (.object(let id), .delete): return try await delete(call, id)
        default:
            throw FacadeRefusal(.methodNotAllowed, "The method isn't allowed for this path.")
        }
    }

    /// A caller without a signature gets the same error whether the entity exists or not.
    private func definition(_ name: String, _ caller: ObjectCaller) throws(FacadeRefusal) -> Entity {
        do throws(SharingError) {
            guard let name = EntityName(name) else { throw .unknownEntity }
            return try catalog.definition(of: name, for: caller)
        } catch {
            throw caller == .anyone ? Self.unsigned : FacadeRefusal(error)
        }
    }

    static var unsigned: FacadeRefusal {
        FacadeRefusal(.missingApiKey, "key is missing: the request must be signed.")
    }

    // MARK: Reading

    private func list(_ call: Call) async throws(FacadeRefusal) -> OpenAnswer {
        try allow(["q", "params", "limit", "offset", "joins"], call)
        let query = try query(call)
        let listing = ObjectListing(
            call.entity.name,
            where: query.criteria,
            by: query.order,
            offset: try call.parameters.integer("offset", in: ObjectListing.offsets, else: 0),
            limit: try limit(call)
        )
        let found = try await whileThere { () async throws(SharingError) in
            try await catalog.list(listing, for: call.caller, turn: call.turn)
        }
        return try answer(call, found.objects) { $0.count = found.total }
    }

    private func bounding(_ call: Call, _ field: String) async throws(FacadeRefusal) -> OpenAnswer {
        try allow(["q", "params", "limit", "joins", "swlat", "swlon", "nelat", "nelon"], call)
        try checkLocation(field, in: call.entity)
        let query = try query(call)
        let region = try region(call.parameters)
        let listing = RegionListing(
            call.entity.name,
            in: region,
            where: query.criteria,
            by: query.order,
            limit: try limit(call)
        )
        let found = try await whileThere { () async throws(SharingError) in
            try await catalog.region(listing, for: call.caller, turn: call.turn)
        }
        return try answer(call, found.objects) { $0.count = found.total }
    }

    private func region(_ parameters: FormParameters) throws(FacadeRefusal) -> Region {
        let region = Region(
            west: try parameters.degrees("swlon", in: -180...180),
            south: try parameters.degrees("swlat", in: -90...90),
            east: try parameters.degrees("nelon", in: -180...180),
            north: try parameters.degrees("nelat", in: -90...90)
        )
        guard let region else {
            throw FacadeRefusal(.invalidParameter, "swlat must be at most nelat.")
        }
        return region
    }

    /// Lists the nearest first, ignoring the query's order.
    private func near(_ call: Call, _ field: String) async throws(FacadeRefusal) -> OpenAnswer {
        try allow(["q", "params", "limit", "joins", "lat", "lon"], call)
        try checkLocation(field, in: call.entity)
        let criteria = try query(call).criteria
        let center = Coordinate(
            latitude: try call.parameters.degrees("lat", in: -90...90),
            longitude: try call.parameters.degrees("lon", in: -180...180)
        )
        guard let center else {
            throw FacadeRefusal(.invalidParameter, "lat must be in -90…90 and lon in -180…180.")
        }
        let limit = try limit(call)
        let everywhere = RegionListing(call.entity.name, in: .everywhere, where: criteria, limit: 0)
        let nearest = NearbyQuery(call.entity.name, near: center, where: criteria, limit: limit)
        let (found, total) = try await whileThere { () async throws(SharingError) in
            let (caller, turn) = (call.caller, call.turn)
            let total = try await catalog.region(everywhere, for: caller, turn: turn).total
            return (limit > 0 ? try await catalog.nearest(nearest, for: caller, turn: turn) : nil, total)
        }
        return try answer(call, found?.objects ?? []) {
            $0.count = total
            $0.distances = found?.distances ?? []
        }
    }

    private func read(_ call: Call, _ id: String) async throws(FacadeRefusal) -> OpenAnswer {
        try allow(["joins", "params"], call)
        try checkJoins(call)
        let id = try object(id)
        let object = try await translated { () async throws(SharingError) in
            try await catalog.store.object(id, of: call.entity.name, for: call.caller)
        }
        return try answer(call, [ObjectRecord(object)]) { $0.isSingle = true }
    }

    // MARK: Writing

    private func create(_ call: Call) async throws(FacadeRefusal) -> OpenAnswer {
        let wish = try commands(call).values(over: [:]).compactMapValues(\.self)
        let change = try await submit(.create(wish), call)
        return try answer(change.after, call, .created)
    }

    private func change(_ call: Call, _ id: String) async throws(FacadeRefusal) -> OpenAnswer {
        let id = try object(id)
        let commands = try commands(call)
        guard commands.increments.isEmpty else { return try await increase(call, id, commands) }
        let change = try await submit(.change(id, commands.fields), call)
        return try answer(change.after, call)
    }

    /// The most attempts at an increment while other callers keep changing the object.
    private static let attempts = 64

    /// Reads the object, adds, and writes only if the object hasn't changed since; otherwise tries again.
    private func increase(_ call: Call, _ id: ObjectID, _ commands: ObjectCommands)
        async throws(FacadeRefusal) -> OpenAnswer
    {
        for _ in 0..<Self.attempts {
            let object = try await translated { () async throws(SharingError) in
                try await catalog.store.object(id, of: call.entity.name, for: call.caller)
            }
            let fields = try commands.values(over: object.fields)
            let change: ObjectChange
            do throws(SharingError) {
                change = try await catalog.change(
                    submission(.change(id, fields, ifUpdated: object.updated), call)
                )
            } catch {
                guard error.code == .objectChanged else { throw FacadeRefusal(error) }
                continue
            }
            return try answer(change.after, call)
        }
        throw FacadeRefusal(.unavailable, "The object changes too often.", retryAfter: .seconds(1))
    }

    private func delete(_ call: Call, _ id: String) async throws(FacadeRefusal) -> OpenAnswer {
        try allow([], call)
        let change = try await submit(.delete(try object(id)), call)
        return try answer(change.before, call)
    }

    private func commands(_ call: Call) throws(FacadeRefusal) -> ObjectCommands {
        try translated { () throws(SharingError) in
            _ = try EntityRules.writable(call.entity, by: call.caller)
        }
        return try ObjectCommands(call.parameters, in: call.entity, envelope: FacadeRequest.envelope)
    }

    private func submit(_ action: ObjectSubmission.Action, _ call: Call) async throws(FacadeRefusal)
        -> ObjectChange
    {
        let submission = submission(action, call)
        return try await translated { () async throws(SharingError) in try await catalog.change(submission) }
    }

    private func submission(_ action: ObjectSubmission.Action, _ call: Call) -> ObjectSubmission {
        ObjectSubmission(
            entity: call.entity.name,
            caller: call.caller,
            action: action,
            time: now(),
            under: call.warrant
        )
    }

    // MARK: Parts

    private func allow(_ names: Set<String>, _ call: Call) throws(FacadeRefusal) {
        try call.parameters.allow(names.union(FacadeRequest.envelope))
    }

    /// Runs a query that may read many objects, and cancels it if the client disconnects.
    private func whileThere<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(SharingError) -> Value
    ) async throws(FacadeRefusal) -> Value {
        try await translated { () async throws(SharingError) in try await ClientPresence.whileThere(body) }
    }

    private func limit(_ call: Call) throws(FacadeRefusal) -> Int {
        try call.parameters.integer("limit", in: Self.limit.range, else: Self.limit.usual)
    }

    private func query(_ call: Call) throws(FacadeRefusal) -> FacadeQuery {
        try checkJoins(call)
        let text = try call.parameters.string("q") ?? ""
        return try FacadeQuery(text, call.parameters.strings("params"), in: call.entity)
    }

    private func checkJoins(_ call: Call) throws(FacadeRefusal) {
        guard try call.parameters.string("joins")?.isEmpty ?? true else {
            throw FacadeRefusal(.unsupportedQuery, "joins isn't supported; leave it out.")
        }
    }

    private func checkLocation(_ name: String, in entity: Entity) throws(FacadeRefusal) {
        guard let field = FieldName(name).flatMap(entity.field) else {
            throw FacadeRefusal(.fieldNotFound, "\(entity.name) has no field of this name.")
        }
        guard field.type == .location else {
            throw FacadeRefusal(.invalidField, "\(field.name) must be a field of the type location.")
        }
    }

    private func object(_ id: String) throws(FacadeRefusal) -> ObjectID {
        guard let id = ObjectID(id) else { throw FacadeRefusal(SharingError.unknownObject) }
        return id
    }

    private func answer(_ object: Object?, _ call: Call, _ status: HTTPResponse.Status = .ok)
        throws(FacadeRefusal) -> OpenAnswer
    {
        guard let object else {
            throw FacadeRefusal(.internalError, "The store has lost what it has just kept.")
        }
        return try answer(call, [ObjectRecord(object)], status) { $0.isSingle = true }
    }

    /// Reads the definition again: an object may have a field that was added since the request began.
    private func answer(
        _ call: Call,
        _ objects: [ObjectRecord],
        _ status: HTTPResponse.Status = .ok,
        _ complete: (inout FacadeAnswer) -> Void
    ) throws(FacadeRefusal) -> OpenAnswer {
        let entity = try translated { () throws(SharingError) in
            try catalog.definition(of: call.entity.name, for: call.caller)
        }
        var answer = FacadeAnswer(entity: entity, objects: objects)
        complete(&answer)
        return try answer.answer(status)
    }
}
