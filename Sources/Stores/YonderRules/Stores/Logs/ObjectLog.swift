package import YonderModel

/// A store of objects that other nodes write to, too: numbers each change in its lane, and reads changes whose frames this
/// node missed.
///
/// `PostgreSQLStore` implements it, and `LaneStore` in the tests. `ObjectCatalog` is its one caller:
/// ``commit(_:completion:)`` for each write of this node, ``lasts()`` and then ``definitions()`` at the start, ``lasts()``
/// again at each sweep, ``changes(in:after:count:)`` where a lane's gate misses numbers, and ``census(of:)`` where deletions
/// were missed that the store has forgotten.
///
/// A read that throws `unavailable` ends the loading of the catalog at the start; later the catalog keeps what it has and
/// asks again. Each read must be from one snapshot, so that a number never promises more than the answer has, and a lane's
/// numbers must have no gaps (decision 34, `ObjectNodesTests`).
package protocol ObjectLog: Sendable {
    /// Stores submissions as ``ObjectStore/change(_:completion:)`` does, and passes the numbers of the changes to
    /// `completion`, once.
    func commit(_ submissions: [ObjectSubmission], completion: @escaping @Sendable (ObjectCommit) -> Void)

    /// All entities, in no order.
    ///
    /// - Throws: `unavailable`.
    func definitions() async throws(SharingError) -> [NumberedEntity]

    /// The numbers of the last changes of all lanes of all entities, in no order.
    ///
    /// - Throws: `unavailable`.
    func lasts() async throws(SharingError) -> [LaneLast]

    /// The newest states of a lane's objects that changed after a number, and its deletions after it.
    ///
    /// - Parameters:
    ///   - lane: The lane.
    ///   - number: The number behind which the page begins.
    ///   - count: How many changes at most.
    /// - Returns: The page, or `nil` if the entity was deleted.
    /// - Throws: `unavailable`.
    func changes(in lane: ObjectLane, after number: Int64, count: Int) async throws(SharingError) -> LanePage?

    /// The ids of all objects of a lane.
    ///
    /// - Returns: The ids, or `nil` if the entity was deleted.
    /// - Throws: `unavailable`.
    func census(of lane: ObjectLane) async throws(SharingError) -> LaneCensus?
}

/// The outcome of submissions.
package struct ObjectCommit: Sendable {
    /// The changes and refusals, one for each submission.
    package let results: [Result<ObjectChange, SharingError>]

    /// The changes with their numbers, in the order of the commit; a submission that was refused or changed nothing has none.
    package let changes: [LaneChange]

    /// The entities under whose definitions the changes were committed.
    package let definitions: [NumberedEntity]

    /// Creates the outcome of submissions.
    package init(
        results: [Result<ObjectChange, SharingError>],
        changes: [LaneChange] = [],
        definitions: [NumberedEntity] = []
    ) {
        self.results = results
        self.changes = changes
        self.definitions = definitions
    }
}

/// An entity with its number, which no other entity ever gets, and the version of its definition.
package struct NumberedEntity: Hashable, Sendable {
    /// The number, by which lanes name the entity; a deleted entity's name may come back with another number.
    package let number: Int64

    /// The version, which each change of the definition raises.
    package let version: Int64

    /// The definition, and the count of objects at the read.
    package let entity: Entity

    /// Creates an entity as it is stored.
    package init(number: Int64, version: Int64, entity: Entity) {
        self.number = number
        self.version = version
        self.entity = entity
    }
}

/// The number of a lane's last change, and the version of its entity's definition at the read.
package struct LaneLast: Hashable, Sendable {
    /// The lane.
    package let lane: ObjectLane

    /// The version of the entity's definition.
    package let version: Int64

    /// The number of the lane's last change, of any node.
    package let last: Int64

    /// Creates the last number of a lane.
    package init(lane: ObjectLane, version: Int64, last: Int64) {
        self.lane = lane
        self.version = version
        self.last = last
    }
}

/// A part of a lane's changes, from one snapshot.
package struct LanePage: Hashable, Sendable {
    /// The number of the lane's last change.
    package let last: Int64

    /// The highest number of a deletion that the store has forgotten: behind a lower number the page may lack deletions.
    package let trimmed: Int64

    /// The version of the entity's definition.
    package let version: Int64

    /// The newest change of each object, in the order of the numbers.
    package let changes: [LaneChange]

    /// Whether the page has all changes up to ``last``.
    package let isComplete: Bool

    /// Creates a page.
    package init(last: Int64, trimmed: Int64, version: Int64, changes: [LaneChange], isComplete: Bool) {
        self.last = last
        self.trimmed = trimmed
        self.version = version
        self.changes = changes
        self.isComplete = isComplete
    }

    /// The number up to which the page is complete.
    package var through: Int64 { isComplete ? last : changes.last?.number ?? 0 }
}

/// The objects of a lane, from one snapshot.
package struct LaneCensus: Hashable, Sendable {
    /// The number of the lane's last change.
    package let last: Int64

    /// The ids of the objects that exist.
    package let objects: Set<ObjectID>

    /// Creates a census.
    package init(last: Int64, objects: Set<ObjectID>) {
        self.last = last
        self.objects = objects
    }
}
