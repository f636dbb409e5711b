#if Postgres
import YonderLibPQ
package import YonderModel
package import YonderRules

// Reads of changes whose frames a node hasn't received.
// `ObjectCatalog+Nodes.swift` calls the port's functions when a node starts, when numbers of a lane are missing and at
// each comparison; upkeep calls ``trimRemovals(olderThan:)``. A failure is `unavailable`, and the caller reads again
// later.
//
// Each answer must be one statement, so that it is one snapshot: two would let a deletion fall between them. A node that
// is behind `trimmed` gets no page but the census of the lane; so `trimmed` must be raised in the same transaction as
// the notes of removals go. The hour and the 1 000 rows may be changed (decision 34, `PostgreSQLLaneTests`).
extension PostgreSQLStore: ObjectLog {
    /// See ``ObjectLog/definitions()``.
    package func definitions() async throws(SharingError) -> [NumberedEntity] {
        var entities: [NumberedEntity] = []
        for row in try await read(EntityTable.all) {
            let entry = try EntityTable.entry(row)
            entities.append(
                NumberedEntity(number: entry.number, version: entry.version, entity: entry.entity)
            )
        }
        return entities
    }

    /// See ``ObjectLog/lasts()``.
    package func lasts() async throws(SharingError) -> [LaneLast] {
        try await read(LaneTableReads.lasts).map { row in
            LaneLast(
                lane: ObjectLane(entity: row.int(0), index: row.int(1)),
                version: row.int(3),
                last: row.int(2)
            )
        }
    }

    /// See ``ObjectLog/changes(in:after:count:)``.
    package func changes(in lane: ObjectLane, after number: Int64, count: Int) async throws(SharingError)
        -> LanePage?
    {
        let rows = try await read(
            LaneTableReads.page,
            [.int(lane.entity), .int(lane.index), .int(number), .int(Int64(count) + 1)]
        )
        guard let first = rows.first, let name = EntityName(first.text(10)) else { return nil }
        let version = first.int(9)
        var changes: [LaneChange] = []
        for row in rows.prefix(count) {
            guard let number = row.optionalInt(0), let id = row.optionalInt(1).flatMap(ObjectID.init) else {
                continue
            }
            changes.append(
                LaneChange(
                    lane: lane,
                    number: number,
                    version: version,
                    object: id,
                    record: row.optionalInt(4) == nil ? nil : try ObjectTable.record(row, name)
                )
            )
        }
        return LanePage(
            last: first.int(7),
            trimmed: first.int(8),
            version: version,
            changes: changes,
            isComplete: rows.count <= count
        )
    }

    /// See ``ObjectLog/census(of:)``.
    package func census(of lane: ObjectLane) async throws(SharingError) -> LaneCensus? {
        let rows = try await read(LaneTableReads.census, [.int(lane.entity), .int(lane.index)])
        guard let first = rows.first else { return nil }
        let objects = Set(rows.compactMap { $0.optionalInt(1).flatMap(ObjectID.init) })
        return LaneCensus(last: first.int(0), objects: objects)
    }

    /// Removes the rows of old deletions of objects.
    ///
    /// - Parameter age: The least age of a removed row, in seconds; an hour by default.
    /// - Throws: `unavailable`.
    package func trimRemovals(olderThan age: Int64 = 3_600) async throws(SharingError) {
        while try await transaction(
            isRepeatable: true,
            { try await LaneTableReads.trim(olderThan: age, $0) }
        ) {}
    }
}

/// Reads of the table `lane` and of the objects in it: each is one statement, and so from one snapshot.
private enum LaneTableReads {
    static let lasts = Statement(
        name: "lasts_of_lanes",
        sql: """
            SELECT lane.entity, lane, last, version FROM lane JOIN entity ON entity.number = lane.entity
            """
    )

    /// The lane's newest changes in the columns that ``ObjectTable/record(_:_:)`` reads, and the lane itself in each row.
    static let page = Statement(
        name: "changes_of_lane",
        sql: """
            SELECT found.change, found.id, found.created, found.updated, found.latitude, found.longitude, found.fields,
                lane.last, lane.trimmed, entity.version, entity.name
            FROM lane JOIN entity ON entity.number = lane.entity LEFT JOIN LATERAL (
                (
                    SELECT change, id, created, updated, latitude, longitude,
                        CASE WHEN latitude IS NULL THEN ''::bytea ELSE fields END AS fields
                    FROM object WHERE entity = $1 AND id % 16 = $2 AND change > $3 ORDER BY change LIMIT $4
                ) UNION ALL (
                    SELECT change, id, 0, 0, NULL, NULL, ''::bytea
                    FROM removed_object WHERE entity = $1 AND lane = $2 AND change > $3 ORDER BY change LIMIT $4
                ) ORDER BY change LIMIT $4
            ) found ON true
            WHERE lane.entity = $1 AND lane.lane = $2 ORDER BY found.change
            """
    )

    static let census = Statement(
        name: "census_of_lane",
        sql: """
            SELECT lane.last, object.id FROM lane
            LEFT JOIN object ON object.entity = lane.entity AND object.id % 16 = lane.lane
            WHERE lane.entity = $1 AND lane.lane = $2
            """
    )

    /// Removes old deletions of one lane, at most 1 000, and locks only this lane's row meanwhile.
    ///
    /// - Returns: Whether there may be further old deletions.
    static func trim(olderThan age: Int64, _ transaction: Transaction) async throws -> Bool {
        guard let lane = try await transaction.query(oldest, [.int(age)]).first else { return false }
        let trimmed = try await transaction.query(
            trimming,
            [.int(lane.int(0)), .int(lane.int(1)), .int(age)]
        )
        return !trimmed.isEmpty
    }

    private static let oldest = Statement(
        name: "lane_of_oldest_removal",
        sql: """
            SELECT entity, lane FROM lane WHERE (entity, lane) IN (
                SELECT entity, lane FROM removed_object WHERE time <= now() - $1::bigint * interval '1 second'
                ORDER BY time LIMIT 1
            ) FOR UPDATE SKIP LOCKED
            """
    )

    private static let trimming = Statement(
        name: "trim_removals",
        sql: """
            WITH gone AS (
                DELETE FROM removed_object WHERE entity = $1 AND lane = $2 AND change IN (
                    SELECT change FROM removed_object WHERE entity = $1 AND lane = $2
                        AND time <= now() - $3::bigint * interval '1 second'
                    ORDER BY change LIMIT 1000
                ) RETURNING change
            )
            UPDATE lane SET trimmed = greatest(trimmed, (SELECT max(change) FROM gone))
            WHERE entity = $1 AND lane = $2 AND EXISTS (SELECT FROM gone) RETURNING trimmed
            """
    )
}
#endif
