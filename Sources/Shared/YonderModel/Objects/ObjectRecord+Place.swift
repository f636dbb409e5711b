package import YonderGeodesy
import YonderJSON

// For a client that has an object's bytes, but not its entity. The client's `MapObject` reads and moves an object by these
// functions when a live region says that it moved, and `KeyedChanges` asks ``isSame(as:elsewhereIn:)`` whether a map view
// must draw it anew. Bytes that can't be read give `nil` or `false`, and the object is drawn anew. Bytes of the other fields
// must stay as they are, in their order (`ObjectJSONTests`). How the fields are copied may change.
extension ObjectRecord {
    /// Returns the JSON value of a field, or `nil` if the field is empty.
    package func value(in field: FieldName) -> JSONText? {
        members { members in
            members[field.description].map { JSONText(checked: [UInt8]($0)) }
        } ?? nil
    }

    /// Returns the object at another position; its address and other fields are unchanged.
    ///
    /// - Parameters:
    ///   - coordinate: The new position.
    ///   - altitude: The new altitude above mean sea level, or `nil`.
    ///   - field: The field that holds the location.
    ///   - updated: The time of the move.
    /// - Returns: `nil` if there is no location in that field.
    package func moved(
        to coordinate: Coordinate.Rounded,
        altitude: Distance?,
        in field: FieldName,
        at updated: Timestamp
    ) -> ObjectRecord? {
        guard let old = (try? location(in: field)) ?? nil,
            let new = ObjectLocation(coordinate, altitude: altitude, address: old.address)
        else { return nil }
        let fields = members { members in
            Self.fields(of: members) { name, writer in
                guard name == field.description else { return false }
                writer.fieldValue(.location(new))
                return true
            }
        }
        return fields.map { fields in
            ObjectRecord(
                id: id,
                entity: entity,
                created: created,
                updated: updated,
                coordinate: coordinate,
                fields: fields
            )
        }
    }

    /// Whether two versions have the same values in all fields, except for the coordinate and altitude of
    /// one.
    package func isSame(as other: ObjectRecord, elsewhereIn field: FieldName) -> Bool {
        guard id == other.id, entity == other.entity, created == other.created else { return false }
        let address = (try? location(in: field)) ?? nil
        let otherAddress = (try? other.location(in: field)) ?? nil
        return address?.address == otherAddress?.address && rest(without: field) == other.rest(without: field)
    }

    private func rest(without field: FieldName) -> [UInt8]? {
        members { members in
            Self.fields(of: members) { name, writer in
                guard name == field.description else { return false }
                writer.raw("null")
                return true
            }
        }
    }

    /// Encodes the fields again, copying each that `replace` doesn't write.
    private static func fields(
        of members: ObjectMembers,
        _ replace: (String, inout JSONWriter) -> Bool
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.raw("{")
        for (index, member) in members.list.enumerated() {
            if index > 0 { writer.raw(",") }
            writer.string(member.name)
            writer.raw(":")
            if !replace(member.name, &writer) { writer.raw(member.value) }
        }
        writer.raw("}")
        return writer.bytes
    }

    private func members<Value>(_ read: (ObjectMembers) -> Value) -> Value? {
        fields.withUnsafeBytes { bytes in
            (try? ObjectMembers(bytes)).map(read)
        }
    }
}
