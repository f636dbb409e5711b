package import YonderGeodesy
package import YonderModel

/// Keeps entities and their objects.
///
/// `ObjectCatalog` stands before it: all changes of objects and entities go by way of the catalog, so that the indexes
/// follow; pages and single objects are also read here. `SQLiteStore` and `PostgreSQLStore` implement it, and `MemoryStore`
/// in the tests. Any thread may call. What a change may do is decided by ``ObjectRules`` and ``EntityRules``.
///
/// Every implementation passes the conformance suite in `TestSupport/Stores`. The store checks the permissions
/// of `caller` in the transaction that reads the answer.
///
/// A further function needs all three implementations and a rule in the suite.
package protocol ObjectStore: Sendable {
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
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity

    /// Replaces the definition of an entity. The change is on disk when this returns.
    ///
    /// - Throws: The codes of ``EntityRules/change(_:by:among:at:)``, `unavailable`.
    func changeEntity(
        _ definition: EntityDefinition,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Entity

    /// Deletes an entity with all its objects.
    ///
    /// They are gone at once, and their room is free when this returns, which takes a while for a million.
    ///
    /// - Throws: The codes of ``EntityRules/checkDeletion(of:by:among:)``, `unavailable`.
    func deleteEntity(_ name: EntityName, by caller: ObjectCaller, under warrant: Warrant)
        async throws(SharingError)

    /// Stores submissions, in order, and answers each after its commit.
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

    /// The existing objects among some ids, in the order of the ids; only the first 1 000 ids are looked up.
    ///
    /// - Throws: `unknownEntity`, `unavailable`.
    func objects(
        _ ids: [ObjectID],
        of entity: EntityName,
        for caller: ObjectCaller
    ) async throws(SharingError) -> [Object]

    /// A page of an entity's objects, oldest first; changing an object doesn't move it.
    ///
    /// A query that ``ObjectQuery/isVisiting`` leaves a connection to the reads of others, where there are several.
    ///
    /// - Throws: `unknownEntity`, `unknownField`, `invalidField`, `unavailable`.
    func objects(_ query: ObjectQuery, for caller: ObjectCaller) async throws(SharingError) -> ObjectPage

    /// Passes all objects with a location, of all entities, to `body` in batches, from one snapshot.
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
    /// Stores one submission and returns after its commit.
    ///
    /// - Throws: What ``change(_:completion:)`` answers with.
    @discardableResult
    package func change(_ submission: ObjectSubmission) async throws(SharingError) -> ObjectChange {
        let result = await withCheckedContinuation { continuation in
            change([submission]) { results in
                let missing = SharingError(
                    .internalError,
                    "The store didn't answer; read the object before you send the change again."
                )
                continuation.resume(returning: results.first ?? .failure(missing))
            }
        }
        return try result.get()
    }
}

/// A query for a page of an entity's objects.
package struct ObjectQuery: Hashable, Sendable {
    /// The entity.
    package let entity: EntityName

    /// The conditions that objects must meet.
    package let criteria: ObjectCriteria

    /// The cursor of the previous page, or `nil` for the first page.
    package let cursor: ObjectCursor?

    /// How many at most, in `1...1_000`.
    package let limit: Int

    /// The most objects of a page by default.
    package static let defaultLimit = 100

    /// The greatest `limit` that a query may have.
    package static let maximumLimit = 1_000

    /// Creates a query; `limit` is brought into `1...1_000`.
    package init(
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

    /// Whether more objects may be read than the page has: up to 10 000.
    package var isVisiting: Bool { criteria != .all }
}

/// The end of a page of objects, from which the next page begins; opaque to all but the store that made it.
package struct ObjectCursor: Hashable, Sendable, LosslessStringConvertible {
    /// The place of the last object that was looked at, in the order in which they were made.
    package let place: Int64

    /// Creates the cursor behind a place.
    package init(place: Int64) {
        self.place = place
    }

    /// Reads a cursor as the wire has it, or `nil`.
    package init?(_ description: String) {
        // Its form is that of an identifier: decimal digits.
        guard let number = ObjectID(description) else { return nil }
        place = number.rawValue
    }

    /// The cursor as the wire has it.
    package var description: String { String(place) }
}

/// Some objects of an entity, the oldest first.
package struct ObjectPage: Hashable, Sendable {
    /// The objects; possibly none, though more follow.
    package let objects: [Object]

    /// The cursor of the next page, or `nil` if this is the last.
    package let next: ObjectCursor?

    /// Creates a page.
    package init(objects: [Object], next: ObjectCursor?) {
        self.objects = objects
        self.next = next
    }
}

/// Gathers a page, bounded in number, in bytes, and in how many objects are looked at for it.
///
/// Each store makes one for each query, offers its objects in the order of their places until one isn't taken, and returns
/// ``page``. So pages of all stores end alike, which the tests in `ObjectRule+Reading.swift` hold. The 10 000 objects that
/// are looked at and the 1 MiB are promised in `Documentation/objects.md`: change them there, too.
package struct ObjectPageBuilder {
    private let query: ObjectQuery
    private var objects: [Object] = []
    private var visited = 0
    private var bytes = 0
    private var last: Int64 = 0
    private var isCut = false

    /// Creates an empty page of a query.
    package init(_ query: ObjectQuery) {
        self.query = query
    }

    /// How many objects are looked at for a page, and how many bytes of fields end it.
    private static let limits = (visits: 10_000, bytes: 1_048_576)

    /// Adds the next object, unless the page is full.
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
