import Hummingbird
import YonderGeodesy
import YonderHub
import YonderModel

/// Entities, objects, and what of them is where.
struct ObjectService: Sendable {
    let places: Places
    let accounts: any AccountStore
    let writes: WriteAllowances
    let now: @Sendable () -> Timestamp

    /// Adds its endpoints.
    func register(in routes: RESTRoutes) {
        EntityEndpoints(service: self).register(in: routes)
        ObjectEndpoints(service: self).register(in: routes)
        PlaceEndpoints(service: self).register(in: routes)
        ObjectFileEndpoints(service: self).register(in: routes)
    }

    /// Who asks.
    ///
    /// - Throws: `unavailable`.
    func caller(_ call: RESTCall) async throws(SharingError) -> ObjectCaller {
        guard let known = call.optionalCaller else { return .anyone }
        return try await accounts.account(known.user).isOperator ? .owner : .member
    }

    /// Uses a write of the caller's.
    ///
    /// - Throws: `notSignedIn`; `tooManyRequests` if they write too fast.
    func useWrite(_ call: RESTCall) throws(SharingError) {
        if let error = writes.allowance(of: try call.caller.user).useObject() { throw error }
    }

    /// Who wants to read an entity; whether they are an owner is looked up only where it matters.
    ///
    /// - Throws: `unavailable`.
    func reader(of entity: EntityName, _ call: RESTCall) async throws(SharingError) -> ObjectCaller {
        guard call.optionalCaller != nil else { return .anyone }
        return try await places.isForOwners(entity) ? caller(call) : .member
    }
}

extension RESTCall {
    /// The entity in the path.
    ///
    /// - Throws: `unknownEntity` if it can't be one.
    var entity: EntityName {
        get throws(SharingError) {
            guard let name = context.parameters.get("entity").flatMap(EntityName.init) else {
                throw .unknownEntity
            }
            return name
        }
    }

    /// The object in the path.
    ///
    /// - Throws: `unknownObject` if it can't be one.
    var object: ObjectID {
        get throws(SharingError) { try id("id", else: .unknownObject) }
    }
}

extension RESTQuery {
    /// How many conditions there may be.
    static let conditionLimit = 16

    /// What `where` says, all of it together.
    ///
    /// - Throws: `tooMany`, `tooLarge`, `unknownField`, `invalidField`.
    func criteria(in entity: Entity) throws(SharingError) -> ObjectCriteria {
        let texts = strings("where")
        guard texts.count <= Self.conditionLimit else {
            throw SharingError(.tooMany, "At most \(Self.conditionLimit) conditions.")
        }
        var criteria: [ObjectCriteria] = []
        for text in texts { criteria.append(try ObjectCriteria(text, in: entity)) }
        return .all(of: criteria)
    }

    /// What `sort` says, or `nil` if nobody asks for an order.
    ///
    /// - Throws: `tooMany`, `unknownField`, `invalidField`.
    func order(in entity: Entity) throws(SharingError) -> ObjectOrder? {
        guard let text = string("sort") else { return nil }
        return try ObjectOrder(text, in: entity)
    }

    /// A `limit` in a range.
    ///
    /// - Throws: `invalidField`.
    func limit(_ range: ClosedRange<Int>, else missing: Int) throws(SharingError) -> Int {
        let range = Int64(range.lowerBound)...Int64(range.upperBound)
        return try integer("limit", in: range).map(Int.init) ?? missing
    }
}
