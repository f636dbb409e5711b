import Hummingbird
import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderObjects
import YonderREST

/// The services behind the endpoints for entities and objects.
///
/// `ServerAssembly` makes one and registers it once; the four groups of endpoints call the helpers for each request, on
/// any thread. Who reads and writes is decided in `EntityRules`; a caller whose account can't be read is refused as
/// `unavailable`, never taken for a member. ``RESTQuery/conditionLimit`` is promised in `Documentation/objects.md`.
struct ObjectService: Sendable {
    let catalog: ObjectCatalog
    let accounts: any AccountStore
    let writes: WriteAllowances
    let now: @Sendable () -> Timestamp

    /// Registers all endpoints for entities and objects.
    func register(in routes: RESTRoutes) {
        EntityEndpoints(service: self).register(in: routes)
        ObjectEndpoints(service: self).register(in: routes)
        RegionEndpoints(service: self).register(in: routes)
        ObjectFileEndpoints(service: self).register(in: routes)
    }

    /// Returns the caller's rights: anyone, member or owner.
    ///
    /// - Throws: `unavailable`.
    func caller(_ call: RESTCall) async throws(SharingError) -> ObjectCaller {
        guard let known = call.optionalCaller else { return .anyone }
        return try await accounts.account(known.user).isOperator ? .owner : .member
    }

    /// The right by which a request changes entities and objects: that of an operator.
    ///
    /// - Throws: `notSignedIn`.
    func warrant(_ call: RESTCall) throws(SharingError) -> Warrant {
        try call.warrant(needsOperator: true)
    }

    /// Uses one unit of the caller's rate limit for writes.
    ///
    /// - Throws: `notSignedIn`; `tooManyRequests` if the caller writes too fast.
    func useWrite(_ call: RESTCall) throws(SharingError) {
        if let error = writes.allowance(of: try call.caller.user).useObject() { throw error }
    }

    /// Returns the rights of a caller who reads an entity.
    ///
    /// The account is read only if the entity is restricted to owners.
    ///
    /// - Throws: `unavailable`.
    func reader(of entity: EntityName, _ call: RESTCall) async throws(SharingError) -> ObjectCaller {
        guard call.optionalCaller != nil else { return .anyone }
        return try await catalog.isForOwners(entity) ? caller(call) : .member
    }
}

extension RESTCall {
    /// The entity named in the path.
    ///
    /// - Throws: `unknownEntity` if the path's text isn't a valid name.
    var entity: EntityName {
        get throws(SharingError) {
            guard let name = context.parameters.get("entity").flatMap(EntityName.init) else {
                throw .unknownEntity
            }
            return name
        }
    }

    /// The object named in the path.
    ///
    /// - Throws: `unknownObject` if the path's text isn't a valid id.
    var object: ObjectID {
        get throws(SharingError) { try id("id", else: .unknownObject) }
    }
}

extension RESTQuery {
    /// The most conditions of a request.
    static let conditionLimit = 16

    /// The conditions of all `where` parameters, joined by *and*.
    ///
    /// - Throws: `tooMany`, `tooLarge`, `unknownField`, `invalidField`.
    func criteria(in entity: Entity) throws(SharingError) -> ObjectCriteria {
        let texts = strings("where")
        guard texts.count <= Self.conditionLimit else {
            throw SharingError(.tooMany, "where: send at most \(Self.conditionLimit) conditions.")
        }
        var criteria: [ObjectCriteria] = []
        for text in texts { criteria.append(try ObjectCriteria(text, in: entity)) }
        return .all(of: criteria)
    }

    /// The order that `sort` requests, or `nil` if the parameter is missing.
    ///
    /// - Throws: `tooMany`, `unknownField`, `invalidField`.
    func order(in entity: Entity) throws(SharingError) -> ObjectOrder? {
        guard let text = string("sort") else { return nil }
        return try ObjectOrder(text, in: entity)
    }

    /// The `limit` parameter, which must lie in a range, or `missing` if there is none.
    ///
    /// - Throws: `invalidField`.
    func limit(_ range: ClosedRange<Int>, else missing: Int) throws(SharingError) -> Int {
        let range = Int64(range.lowerBound)...Int64(range.upperBound)
        return try integer("limit", in: range).map(Int.init) ?? missing
    }
}
