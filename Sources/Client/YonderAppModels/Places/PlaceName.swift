import YonderClient
import YonderModel

/// What the places of an entity are called, as `Web/app/places/place.js` has it.
///
/// `PlacesModel`, `PlaceKindsModel` and `PlaceModel` ask it for the words of lists and pins. Rules must be the page's
/// (`PlaceKindsModelTests`, `PlacesModelTests`).
struct PlaceName: Sendable {
    private let entity: EntityName
    private let field: FieldName?

    /// Takes the field *name* or *title*, or else the first text.
    init(_ entity: Entity) {
        self.entity = entity.name
        let texts = entity.definition.fields.filter { $0.type == .text }.map(\.name)
        let wanted = ["name", "title"].lazy.compactMap { name in
            texts.first { $0.description.lowercased() == name }
        }
        field = wanted.first ?? texts.first
    }

    /// A place's name; without one its kind and the end of its id.
    func name(of place: MapObject) -> String {
        let text = field.flatMap { place.text(in: $0) } ?? ""
        let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return name.isEmpty ? "\(kind) …\(place.id.description.suffix(4))" : String(name.prefix(80))
    }

    /// The entity's name as words: *opening_hours* is *Opening hours*.
    var kind: String { Self.words(entity.description) }

    /// A name of the server as words: *opening_hours* is *Opening hours*.
    static func words(_ name: String) -> String {
        let words = name.split { "_-".contains($0) }.joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
