import YonderGeodesy
import YonderModel
import YonderTracks
import YonderJSON

/// Writes objects to a file, piece by piece.
///
/// `ObjectExport` makes one for each request, writes an object after the other, and sends what ``takeBytes()`` returns.
/// Nothing throws. What is written must be read back by an import to the same objects (`ObjectColumns`, `CSVRows`,
/// `GeoJSONRows`): names of columns, digits of degrees and forms of values must stay (`Documentation/objects.md`).
protocol ObjectFileWriter: Sendable {
    /// Writes an object.
    mutating func write(_ object: Object)

    /// Writes the end of the file, after the last object.
    mutating func finish()

    /// Returns the bytes written since the last call.
    mutating func takeBytes() -> [UInt8]
}

/// The columns of an entity's objects in a file.
///
/// The parts of a location have columns of their own, unless another field has the name of such a column.
struct ObjectColumns: Hashable, Sendable {
    let fields: [Field]

    /// The parts that have columns; empty if the location has a single column.
    let parts: [LocationParts.Part]

    /// Chooses the columns for a file that should have columns for `parts`.
    init(_ entity: Entity, _ parts: [LocationParts.Part]) {
        fields = entity.definition.fields
        let others = fields.filter { $0.type != .location }.map(\.name.description)
        // An import must assign these columns to the same fields again.
        let plan = try? ColumnPlan(["id"] + others + parts.map(\.rawValue), in: entity, .none)
        let read = plan?.targets.suffix(parts.count) ?? []
        let location = entity.locationField
        let isRead = zip(read, parts).allSatisfy { target, part in
            location.map { target == .part(part, of: $0) } ?? false
        }
        let names = others.map { $0.lowercased() } + parts.map(\.rawValue)
        self.parts = isRead && Set(names).count == names.count ? parts : []
    }
}

/// Writes objects to a CSV file.
struct CSVObjectWriter: ObjectFileWriter {
    private let columns: ObjectColumns
    private var writer: CSVWriter

    init(_ entity: Entity) {
        columns = ObjectColumns(entity, LocationParts.Part.allCases)
        var names = ["id"]
        for field in columns.fields {
            if field.type == .location, !columns.parts.isEmpty {
                names += columns.parts.map(\.rawValue)
            } else {
                names.append(field.name.description)
            }
        }
        writer = CSVWriter(columns: names, keepsZero: true)
    }

    mutating func write(_ object: Object) {
        var cells: [String?] = [object.id.description]
        for field in columns.fields {
            let value = object.fields[field.name]
            if field.type == .location, !columns.parts.isEmpty {
                cells += Self.parts(object.location)
            } else {
                cells.append(value?.cell)
            }
        }
        writer.write(optional: cells)
    }

    mutating func finish() {}

    mutating func takeBytes() -> [UInt8] { writer.takeBytes() }

    private static func parts(_ location: ObjectLocation?) -> [String?] {
        guard let location else { return [nil, nil, nil, nil] }
        let degrees = location.coordinate.map { [$0.latitude, $0.longitude].map(Self.degrees) }
        let altitude = location.altitude.map { FieldValue.number($0.meters).cell }
        return [degrees?.first, degrees?.last, altitude, location.address]
    }

    private static func degrees(_ rounded: Int32) -> String {
        var writer = JSONWriter(capacity: 16)
        writer.degrees(rounded)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Writes objects to a GeoJSON file: a feature collection with one feature a line.
///
/// A feature has every field as a property, `null` if the field is empty, and the address as a property, too.
struct GeoJSONObjectWriter: ObjectFileWriter {
    private let columns: ObjectColumns
    private var writer = GeoJSONWriter(.collection)

    init(_ entity: Entity) {
        columns = ObjectColumns(entity, [.address])
    }

    mutating func write(_ object: Object) {
        let members = columns.fields.map { field in
            field.type == .location
                ? address(of: object.location, field)
                : Self.member(field.name.description, object.fields[field.name])
        }
        let feature = GeoJSONFeature(
            id: GeoJSONFeature.Identifier(object.id.description),
            geometry: Self.geometry(object.location),
            properties: GeoJSONProperties(members) ?? .none
        )
        writer.write(feature)
    }

    mutating func finish() { writer.finish() }

    mutating func takeBytes() -> [UInt8] { writer.takeBytes() }

    private static func geometry(_ location: ObjectLocation?) -> GeoJSONFeature.Geometry? {
        location?.coordinate.map { .point(Coordinate($0), altitude: location?.altitude) }
    }

    private static func member(_ name: String, _ value: FieldValue?) -> GeoJSONProperties.Member {
        GeoJSONProperties.Member(key: name, json: value?.jsonBytes ?? Array("null".utf8))
    }

    /// The address alone, or as a location without a coordinate.
    private func address(of location: ObjectLocation?, _ field: Field) -> GeoJSONProperties.Member {
        let address = location?.address
        guard columns.parts.isEmpty else {
            return Self.member(LocationParts.Part.address.rawValue, address.map(FieldValue.text))
        }
        let alone = address.flatMap(ObjectLocation.init(address:)).map(FieldValue.location)
        return Self.member(field.name.description, alone)
    }
}
