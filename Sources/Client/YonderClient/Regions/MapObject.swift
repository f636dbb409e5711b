public import YonderGeodesy
public import YonderModel
import YonderWire
import YonderJSON

/// An object on the map: its fields and its position.
///
/// `RegionList` makes it of an item of a frame, and map views show it (`Annotation`). An object without a coordinate, or a
/// move that can't be applied, gives `nil` or the object as it was; the server's next full answer mends it.
/// ``isSame(elsewhere:)`` decides whether a map draws it anew. Values stay as the server wrote them (`RegionFixtureTests`).
public struct MapObject: Hashable, Sendable {
    /// The object.
    public let record: ObjectRecord

    /// The field that holds the location.
    public let field: FieldName

    /// The location, which has a coordinate.
    public let location: ObjectLocation

    /// The position.
    public let coordinate: Coordinate

    /// Creates a map object from an object with a location in a field; `nil` if there is no coordinate.
    public init?(_ record: ObjectRecord, field: FieldName) {
        guard let location = (try? record.location(in: field)) ?? nil, let coordinate = location.coordinate
        else { return nil }
        self.record = record
        self.field = field
        self.location = location
        self.coordinate = Coordinate(coordinate)
    }

    /// The JSON value of a field, or `nil` if the field is empty.
    public func value(in field: FieldName) -> JSONText? { record.value(in: field) }

    /// The text of a field, or `nil` if the field is empty or holds no text.
    public func text(in field: FieldName) -> String? {
        guard let bytes = record.value(in: field)?.bytes else { return nil }
        return bytes.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            return (try? scanner.string())?.text(in: scanner.bytes)
        }
    }
}

extension MapObject: RegionListed {
    /// The object's identifier, unique across all entities.
    public var id: ObjectID { record.id }

    /// Whether the object equals an older version, apart from coordinate and altitude.
    public func isSame(elsewhere older: MapObject) -> Bool {
        field == older.field && record.isSame(as: older.record, elsewhereIn: field)
    }

    static func context(in frame: RegionFrame) -> FieldName? { frame.answer?.field }

    static func id(_ key: RegionKey) -> ObjectID? {
        guard case .object(let id) = key else { return nil }
        return id
    }

    init?(_ item: RegionItem, _ context: FieldName?) {
        guard case .object(let record) = item, let context else { return nil }
        self.init(record, field: context)
    }

    func moved(_ move: RegionMove) -> MapObject {
        guard case .object(let move) = move,
            let record = record.moved(
                to: move.coordinate,
                altitude: move.altitude,
                in: field,
                at: move.updated
            )
        else { return self }
        return MapObject(record, field: field) ?? self
    }
}
