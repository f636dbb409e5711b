import TestSupport
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderBus

/// Changes of objects as commits publish them.
enum Lanes {
    static let lane = ObjectLane(entity: 3, index: 0)

    static func record(_ id: Int64, updated: Int64 = 5) -> ObjectRecord {
        ObjectRecord(
            Object(
                id: Commits.id(id),
                entity: ObjectSamples.places.name,
                created: Timestamp(milliseconds: 1),
                updated: Timestamp(milliseconds: updated),
                fields: [
                    ObjectSamples.field("name"): .text("é"),
                    ObjectSamples.field("at"): ObjectSamples.location(1, 2),
                ]
            )
        )
    }

    static func change(_ number: Int64, of id: Int64, version: Int64 = 1, isRemoved: Bool = false)
        -> LaneChange
    {
        LaneChange(
            lane: ObjectLane(entity: lane.entity, of: Commits.id(id)),
            number: number,
            version: version,
            object: Commits.id(id),
            record: isRemoved ? nil : record(id, updated: number)
        )
    }
}
