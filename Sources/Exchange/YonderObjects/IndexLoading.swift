import Synchronization
import YonderGeodesy
import YonderModel

/// Collects the objects that a store returns at start, batch by batch, and builds an index for each entity.
///
/// `ObjectCatalog` makes one at the start and passes it what `forEachPlacedObject` reads, on the store's thread. A
/// failed read ends the server's start. Objects of an entity that isn't in the list are left out: it was deleted between
/// the two reads (`ObjectCatalogTests`; decision 10).
///
/// The size of a batch is the caller's.
final class IndexLoading: Sendable {
    private struct Part: Sendable {
        let entity: Entity
        var roll: ObjectRoll
        var points: [PointIndex.Entry] = []

        init(_ entity: Entity) {
            self.entity = entity
            roll = ObjectRoll(capacity: entity.locationField == nil ? 0 : entity.count)
        }

        mutating func take(_ record: ObjectRecord) {
            guard let coordinate = record.coordinate else { return }
            points.append(PointIndex.Entry(id: roll.add(record), coordinate: coordinate))
        }
    }

    private let parts: Mutex<[EntityName: Part]>

    init(_ entities: [Entity]) {
        parts = Mutex(Dictionary(uniqueKeysWithValues: entities.map { ($0.name, Part($0)) }))
    }

    func take(_ records: [ObjectRecord]) {
        parts.withLock { parts in
            for record in records { parts[record.entity]?.take(record) }
        }
    }

    /// Returns the collected entities with their indexes, and empties the collection.
    func finish() -> [EntityName: ObjectCatalog.Entry] {
        let parts = parts.withLock { parts in
            defer { parts = [:] }
            return parts
        }
        return parts.mapValues {
            ObjectCatalog.Entry(entity: $0.entity, index: ObjectIndex($0.roll, $0.points))
        }
    }
}
