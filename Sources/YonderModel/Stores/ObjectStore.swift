public import YonderGeodesy

/// Keeps entities and their objects.
///
/// Every implementation passes the conformance suite in `Tests/TestSupport/Stores`. Whoever is given an answer may see
/// it: the store looks at what `caller` may do in the same moment.
public protocol ObjectStore: Sendable {
    /// The entities that `caller` may read, by name.
    ///
    /// - Throws: `unavailable`.
    func entities(for caller: ObjectCaller) async throws(SharingError) -> [Entity]

    /// An entity.
    ///
    /// - Throws: `unknownEntity`, `unavailable`.
    func entity(_ name: EntityName, for caller: ObjectCaller) async throws(SharingError) -> Entity

    /// Makes an entity. It is on disk when this returns.
    ///
    /// - Throws: The codes of ``EntityRules/create(_:by:among:at:)``, `unavailable`.
    func createEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp
    ) async throws(SharingError) -> Entity

    /// Gives the entity of this name another definition. It is on disk when this returns.
    ///
    /// - Throws: The codes of ``EntityRules/change(_:by:among:at:)``, `unavailable`.
    func changeEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp
    ) async throws(SharingError) -> Entity

    /// Deletes an entity with all its objects.
    ///
    /// They are gone at once, and their room is free when this returns, which takes a while for a million.
    ///
    /// - Throws: The codes of ``EntityRules/checkDeletion(of:by:among:)``, `unavailable`.
    func deleteEntity(_ name: EntityName, by caller: ObjectCaller) async throws(SharingError)

    /// Takes submissions, in order, and answers each after the commit that holds it.
    ///
    /// As ``ChatStore/submit(_:completion:)`` does: what arrives while a commit runs joins the next one, `completion` is
    /// called once, in the order of commits, and must not block. Each result is a change or a refusal: the codes of
    /// ``ObjectRules/decide(_:in:_:)``; `unavailable` if the store can't write or too much is waiting. A refused
    /// submission changes nothing, and the others go on.
    func change(
        _ submissions: [ObjectSubmission],
        completion: @escaping @Sendable ([Result<ObjectChange, SharingError>]) -> Void
    )

    /// One object.
    ///
    /// - Throws: `unknownEntity`, `unknownObject`, `unavailable`.
    func object(_ id: ObjectID, of entity: EntityName, for caller: ObjectCaller) async throws(SharingError)
        -> Object

    /// Those of the objects that are there, in the order they were asked for; at most 1 000 are looked at.
    ///
    /// - Throws: `unknownEntity`, `unavailable`.
    func objects(
        _ ids: [ObjectID],
        of entity: EntityName,
        for caller: ObjectCaller
    ) async throws(SharingError) -> [Object]

    /// A page of an entity's objects, the oldest first: in the order in which they were made, whatever changes.
    ///
    /// - Throws: `unknownEntity`, `unknownField`, `invalidField`, `unavailable`.
    func objects(_ query: ObjectQuery, for caller: ObjectCaller) async throws(SharingError) -> ObjectPage

    /// Hands over every object of every entity that is somewhere on the map, as it was at one moment, in batches.
    ///
    /// For building an index at the start. `body` is called on the store's own thread and must not call the store.
    ///
    /// - Throws: `unavailable`.
    func forEachPlacedObject(
        batch: Int,
        _ body: @escaping @Sendable ([ObjectRecord]) -> Void
    ) async throws(SharingError)
}

extension ObjectStore {
    /// Takes one submission and answers after its commit.
    ///
    /// - Throws: What ``change(_:completion:)`` answers with.
    @discardableResult
    public func change(_ submission: ObjectSubmission) async throws(SharingError) -> ObjectChange {
        let result = await withCheckedContinuation { continuation in
            change([submission]) { results in
                let missing = SharingError(.internalError, "The store gave no answer.")
                continuation.resume(returning: results.first ?? .failure(missing))
            }
        }
        return try result.get()
    }
}

/// Which objects of an entity, and how many.
public struct ObjectQuery: Hashable, Sendable {
    /// Of which entity.
    public let entity: EntityName

    /// Which of them.
    public let criteria: ObjectCriteria

    /// Where the page before ended, or `nil` for the first.
    public let cursor: ObjectCursor?

    /// How many at most, in `1...1_000`.
    public let limit: Int

    /// How many a page has if nobody says.
    public static let defaultLimit = 100

    /// How many a page may have.
    public static let maximumLimit = 1_000

    /// Creates a query; `limit` is brought into `1...1_000`.
    public init(
        _ entity: EntityName,
        where criteria: ObjectCriteria = .all,
        after cursor: ObjectCursor? = nil,
        limit: Int = defaultLimit
    ) {
        self.entity = entity
        self.criteria = criteria
        self.cursor = cursor
        self.limit = min(max(1, limit), Self.maximumLimit)
    }
}

/// Where a page of objects ended, to go on from there; only the store that gave it knows what it means.
public struct ObjectCursor: Hashable, Sendable, LosslessStringConvertible {
    /// The place of the last object that was looked at, in the order in which they were made.
    package let place: Int64

    package init(place: Int64) {
        self.place = place
    }

    /// Reads a cursor as the wire has it, or `nil`.
    public init?(_ description: String) {
        // Its form is that of an identifier: decimal digits.
        guard let number = ObjectID(description) else { return nil }
        place = number.rawValue
    }

    /// The cursor as the wire has it.
    public var description: String { String(place) }
}

/// Some objects of an entity, the oldest first.
public struct ObjectPage: Hashable, Sendable {
    /// The objects; possibly none, though more follow.
    public let objects: [Object]

    /// Where to go on, or `nil` if there are no more.
    public let next: ObjectCursor?

    /// Creates a page.
    public init(objects: [Object], next: ObjectCursor?) {
        self.objects = objects
        self.next = next
    }
}

/// Gathers a page, bounded in number, in bytes, and in how many objects are looked at for it.
package struct ObjectPageBuilder {
    private let query: ObjectQuery
    private var objects: [Object] = []
    private var visited = 0
    private var bytes = 0
    private var last: Int64 = 0
    private var isCut = false

    package init(_ query: ObjectQuery) {
        self.query = query
    }

    /// How many objects are looked at for a page, and how many bytes of fields end it.
    private static let limits = (visits: 10_000, bytes: 1_048_576)

    /// Takes the next object, unless the page is full.
    ///
    /// - Parameters:
    ///   - place: Its place in the order of the store.
    ///   - byteCount: The size of its fields.
    ///   - object: Makes the object; called if it is looked at.
    /// - Returns: Whether it was taken.
    package mutating func take(
        at place: Int64,
        byteCount: Int,
        _ object: () throws -> Object
    ) rethrows -> Bool {
        guard objects.count < query.limit, visited < Self.limits.visits, bytes < Self.limits.bytes else {
            isCut = true
            return false
        }
        visited += 1
        last = place
        let object = try object()
        if query.criteria.matches(object) {
            objects.append(object)
            bytes += byteCount
        }
        return true
    }

    /// The page, when ``take(at:byteCount:_:)`` took no more or there were no more.
    package var page: ObjectPage {
        ObjectPage(objects: objects, next: isCut ? ObjectCursor(place: last) : nil)
    }
}
