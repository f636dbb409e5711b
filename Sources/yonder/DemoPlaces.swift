import YonderGeodesy
import YonderHub
import YonderModel

/// Places along the demo's ways, so that the map has some: where each way begins, its highest point, and every half
/// kilometer, all out of the recorded tracks.
struct DemoPlaces {
    let places: Places

    /// A place, before it is an object.
    private struct Mark {
        let name: String
        let position: Position
        let kilometers: Double
    }

    private static let step = 500.0

    /// Makes the places, unless an earlier run did or the owner made something else of that name.
    ///
    /// - Throws: What the store throws.
    func make(along routes: [(name: String, positions: [Position])], at time: Timestamp) async throws {
        guard let entity = EntityName("waypoint"), let name = FieldName("name"), let at = FieldName("place"),
            let along = FieldName("kilometers_from_the_start"), !isThere(entity)
        else { return }
        let fields = [
            Field(name, .text, isRequired: true), Field(along, .number), Field(at, .location),
        ]
        _ = try await places.createEntity(EntityDefinition(entity, fields: fields), by: .owner, at: time)
        for mark in routes.flatMap({ Self.marks(along: $0.positions, called: $0.name) }) {
            let location = ObjectLocation(mark.position.coordinate, altitude: mark.position.altitude)
            guard let location else { continue }
            let values: [FieldName: FieldValue] = [
                name: .text(mark.name), along: .number(mark.kilometers), at: .location(location),
            ]
            try await places.change(
                ObjectSubmission(entity: entity, caller: .owner, action: .create(values), time: time)
            )
        }
    }

    private func isThere(_ entity: EntityName) -> Bool {
        do throws(SharingError) {
            _ = try places.definition(of: entity, for: .owner)
            return true
        } catch {
            return false
        }
    }

    private static func marks(along route: [Position], called name: String) -> [Mark] {
        guard let first = route.first else { return [] }
        var marks = [Mark(name: "\(name): the start", position: first, kilometers: 0)]
        var meters = 0.0
        var highest = marks[0]
        for (last, position) in zip(route, route.dropFirst()) {
            let before = meters
            meters += last.coordinate.distance(to: position.coordinate).meters
            let kilometers = (meters / 10).rounded() / 100
            if altitude(position) > altitude(highest.position) {
                highest = Mark(name: "\(name): the top", position: position, kilometers: kilometers)
            }
            let stone = (meters / step).rounded(.down)
            guard stone > (before / step).rounded(.down) else { continue }
            let label = "\(name): \(stone * step / 1_000) km"
            marks.append(Mark(name: label, position: position, kilometers: kilometers))
        }
        return highest.kilometers > 0 ? marks + [highest] : marks
    }

    private static func altitude(_ position: Position) -> Double {
        position.altitude?.meters ?? -.infinity
    }
}
