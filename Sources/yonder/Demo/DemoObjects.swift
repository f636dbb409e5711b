import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderRules
import YonderObjects
import YonderServer

/// Objects in the demo's region, so that the map has some: where one eats and drinks, out of `Data/demo/places.tsv`.
///
/// `Demo` makes them at the first start with `--demo`. A refusal of the store ends the demo's start. The file may be
/// changed, for new folders; a line that can't be read is skipped. An entity that is there already is left alone.
struct DemoObjects {
    let catalog: ObjectCatalog

    /// Creates the demo's entity and its objects, unless there is an entity of that name already.
    ///
    /// - Throws: What the store throws.
    func make(at time: Timestamp) async throws {
        guard let entity = EntityName("restaurant"), let name = FieldName("name"),
            let at = FieldName("place"),
            let kind = FieldName("kind"), !isThere(entity)
        else { return }
        let fields = [Field(name, .text, isRequired: true), Field(kind, .text), Field(at, .location)]
        let definition = EntityDefinition(entity, fields: fields)
        _ = try await catalog.createEntity(definition, by: .owner, at: time, under: .server)
        for place in Self.all() {
            guard let location = ObjectLocation(place.coordinate) else { continue }
            let values: [FieldName: FieldValue] = [
                name: .text(place.name), kind: .text(place.kind), at: .location(location),
            ]
            try await catalog.change(
                ObjectSubmission(entity: entity, caller: .owner, action: .create(values), time: time)
            )
        }
    }

    /// A line of the file: name, kind, latitude and longitude, with tabs between.
    private static func all() -> [(name: String, kind: String, coordinate: Coordinate)] {
        let text = String(decoding: EmbeddedFile.bytes("demo/places.tsv") ?? [], as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 4, let latitude = Double(fields[2]), let longitude = Double(fields[3]),
                let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            else { return nil }
            return (fields[0], fields[1], coordinate)
        }
    }

    private func isThere(_ entity: EntityName) -> Bool {
        do throws(SharingError) {
            _ = try catalog.definition(of: entity, for: .owner)
            return true
        } catch {
            return false
        }
    }
}
