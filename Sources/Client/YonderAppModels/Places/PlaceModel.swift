import YonderClient
import YonderModel

/// What a screen of its own shows of a place: its name, and each field that has a value.
///
/// `PlaceKindsModel.place(_:)` makes one when a place's screen opens; a value that can't be read is left out
/// (`PlaceKindsModelTests`).
public struct PlaceModel: Hashable, Sendable {
    /// A field and its value.
    public struct Line: Hashable, Sendable, Identifiable {
        /// The field's name on the server.
        public let id: String

        /// The field's name as words: *Opening hours*.
        public let name: String

        /// The value.
        public let text: String
    }

    /// The place's name.
    public let title: String

    /// The fields that have a value, in the order of the kind.
    public let lines: [Line]

    init(_ object: MapObject, of entity: Entity?) {
        title = entity.map { PlaceName($0).name(of: object) } ?? ""
        lines = (entity?.definition.fields ?? []).compactMap { field in
            let text = Self.text(of: field, object)
            return text.isEmpty
                ? nil : Line(id: "\(field.name)", name: PlaceName.words(field.name.description), text: text)
        }
    }

    private static func text(of field: Field, _ object: MapObject) -> String {
        if field.name == object.field { return object.location.address ?? "\(object.coordinate)" }
        return object.text(in: field.name)
            ?? object.value(in: field.name).map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    }
}
