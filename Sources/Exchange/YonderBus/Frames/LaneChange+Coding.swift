import YonderGeodesy
import YonderModel
import YonderRules

// The bytes of a change of an object, for `BusFrame+Coding.swift`. Reading throws ``BusFault`` for what can't be, never
// traps, and the node then reads the lane from the store. Fields have one order in the writer and the reader; a changed
// form raises `BusFrame.version` (decision 34, `BusFrameTests`).

extension BusWriter {
    mutating func laneChange(_ change: LaneChange) {
        integer(change.lane.entity)
        integer(change.lane.index)
        integer(change.number)
        integer(change.version)
        id(change.object)
        optional(change.record) { $0.record($1) }
        optional(change.altitude) { $0.real($1.meters) }
        optional(change.movedFrom) { $0.time($1) }
    }

    private mutating func record(_ record: ObjectRecord) {
        text(record.entity.description)
        time(record.created)
        time(record.updated)
        optional(record.coordinate) { writer, coordinate in
            writer.integer(Int64(coordinate.latitude))
            writer.integer(Int64(coordinate.longitude))
        }
        blob(record.fields)
    }
}

extension BusReader {
    mutating func laneChange() throws(BusFault) -> LaneChange {
        let (entity, index) = (try number(), try number())
        let (number, version) = (try number(), try number())
        let object: ObjectID = try id()
        let lane = ObjectLane(entity: entity, of: object)
        guard lane.index == index, number > 0 else { throw BusFault() }
        return LaneChange(
            lane: lane,
            number: number,
            version: version,
            object: object,
            record: try optional { reader throws(BusFault) in try reader.record(object) },
            altitude: try optional { reader throws(BusFault) in try reader.distance() },
            movedFrom: try optional { reader throws(BusFault) in try reader.time() }
        )
    }

    private mutating func record(_ id: ObjectID) throws(BusFault) -> ObjectRecord {
        ObjectRecord(
            id: id,
            entity: try checked(EntityName(try text())),
            created: try time(),
            updated: try time(),
            coordinate: try optional { reader throws(BusFault) in try reader.coordinate() },
            fields: try blob()
        )
    }

    /// Degrees times ten million, as `Coordinate.Rounded` has them.
    private static let degrees: ClosedRange<Int64> = -1_800_000_000...1_800_000_000

    private mutating func coordinate() throws(BusFault) -> Coordinate.Rounded {
        let latitude = Int32(try integer(in: Self.degrees))
        let longitude = Int32(try integer(in: Self.degrees))
        return try checked(Coordinate.Rounded(latitude: latitude, longitude: longitude))
    }
}
