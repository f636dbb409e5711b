public import YonderGeodesy
public import YonderModel
import YonderWire

/// An object on the map: what stands in its fields, and where it is.
public struct Place: Hashable, Sendable {
    /// The object.
    public let record: ObjectRecord

    /// The field that holds its location.
    public let field: FieldName

    /// Its location, which has a coordinate.
    public let location: ObjectLocation

    /// Where it is.
    public let coordinate: Coordinate

    /// Takes an object with its location in a field; `nil` if it isn't on the map.
    public init?(_ record: ObjectRecord, field: FieldName) {
        guard let location = (try? record.location(in: field)) ?? nil, let coordinate = location.coordinate
        else { return nil }
        self.record = record
        self.field = field
        self.location = location
        self.coordinate = Coordinate(coordinate)
    }

    /// The JSON value in one of its fields, or `nil` if that is empty.
    public func value(in field: FieldName) -> JSONText? { record.value(in: field) }

    /// The text in one of its fields, or `nil` if there is none.
    public func text(in field: FieldName) -> String? {
        guard let bytes = record.value(in: field)?.bytes else { return nil }
        return bytes.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            return (try? scanner.string())?.text(in: scanner.bytes)
        }
    }
}

extension Place: RegionListed {
    /// Names it among the objects of every entity.
    public var id: ObjectID { record.id }

    /// Whether it is the same as an older version of it, but for coordinate and altitude.
    public func isSame(elsewhere older: Place) -> Bool {
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

    func moved(_ move: RegionMove) -> Place {
        guard case .object(let move) = move,
            let record = record.moved(
                to: move.coordinate,
                altitude: move.altitude,
                in: field,
                at: move.updated
            )
        else { return self }
        return Place(record, field: field) ?? self
    }
}
