package import YonderModel

/// A part of an entity's objects whose changes are numbered together, from 1 without gaps.
///
/// `ObjectLedger` numbers changes by it, and `LaneTable` of each node orders them. Ids are drawn at random, so that
/// writers of one entity rarely wait for each other. How a lane is computed must stay with ``count``: numbers are stored
/// by it, on every node (decision 34, `PostgreSQLLaneTests`).
package struct ObjectLane: Hashable, Sendable {
    /// The entity's number in the store, which is never used again.
    package let entity: Int64

    /// The lane's place among those of its entity, in `0..<count`.
    package let index: Int64

    /// The number of lanes of an entity; it must never change, because an object's lane is computed from it.
    package static let count: Int64 = 16

    /// Creates the lane of an entity at a place.
    package init(entity: Int64, index: Int64) {
        self.entity = entity
        self.index = index
    }

    /// Creates the lane of an object, by the lowest digits of its id, which are random.
    package init(entity: Int64, of object: ObjectID) {
        self.init(entity: entity, index: object.rawValue % Self.count)
    }

    /// The lanes of an entity.
    package static func all(of entity: Int64) -> [ObjectLane] {
        (0..<count).map { ObjectLane(entity: entity, index: $0) }
    }
}
