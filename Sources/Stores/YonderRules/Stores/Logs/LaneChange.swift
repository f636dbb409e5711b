package import YonderGeodesy
package import YonderModel

/// A committed change of an object, with the part of the object that maps show: encoded once, sent to all nodes.
///
/// The store makes one in the transaction (`ObjectLedger`) or of a row that it reads; `ObjectCatalog` applies it to its
/// index as ``LaneGate`` decides, so one that comes twice is applied once. Making one never fails. Its form between nodes is
/// in `YonderBus/Frames`, and changes with `BusFrame.version`.
///
/// `LaneTableTests` and `PostgreSQLLaneTests` apply changes in any order.
package struct LaneChange: Hashable, Sendable {
    /// The object's lane.
    package let lane: ObjectLane

    /// The change's number in its lane.
    package let number: Int64

    /// The version of the entity's definition under which the change was committed.
    package let version: Int64

    /// The object's id.
    package let object: ObjectID

    /// The object afterward; `nil` if it was deleted or has no position.
    package let record: ObjectRecord?

    /// The object's altitude; `nil` if it has none, or if the change was read from the store.
    package let altitude: Distance?

    /// The time of the previous change, if only position and altitude differ from the object after it; else `nil`.
    package let movedFrom: Timestamp?

    /// Creates a change.
    package init(
        lane: ObjectLane,
        number: Int64,
        version: Int64,
        object: ObjectID,
        record: ObjectRecord?,
        altitude: Distance? = nil,
        movedFrom: Timestamp? = nil
    ) {
        self.lane = lane
        self.number = number
        self.version = version
        self.object = object
        self.record = record.flatMap { $0.coordinate == nil ? nil : $0 }
        self.altitude = altitude
        self.movedFrom = movedFrom
    }

    /// The approximate size in a frame, in bytes.
    package var byteCount: Int { 192 + (record?.fields.count ?? 0) }
}

extension LaneChange {
    /// Creates the change of a commit, with its number; `nil` if the object is as before.
    package init?(_ change: ObjectChange, in lane: ObjectLane, number: Int64, version: Int64) {
        guard let object = change.after ?? change.before, change.before != change.after else { return nil }
        self.init(
            lane: lane,
            number: number,
            version: version,
            object: object.id,
            record: change.record,
            altitude: change.after?.location?.altitude,
            movedFrom: change.isMovedAlone ? change.before?.updated : nil
        )
    }
}

extension ObjectChange {
    /// Whether the object's position or altitude changed, and nothing else.
    package var isMovedAlone: Bool {
        guard let before, let after, let old = before.location, let new = after.location,
            old.coordinate != nil, new.coordinate != nil,
            old.address == new.address, old != new
        else { return false }
        return before.fields.count == after.fields.count
            && before.fields.allSatisfy { name, value in
                if case .location = value { true } else { after.fields[name] == value }
            }
    }
}
