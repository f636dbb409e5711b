package import YonderGeodesy

// What a client needs that has an object's bytes and not its entity.
extension ObjectRecord {
    /// The JSON value in a field, or `nil` if it is empty.
    package func value(in field: FieldName) -> JSONText? {
        members { members in
            members[field.description].map { JSONText(checked: [UInt8]($0)) }
        } ?? nil
    }

    /// The same object elsewhere: its address and other fields are as before.
    ///
    /// - Parameters:
    ///   - coordinate: Where it is now.
    ///   - altitude: How high above mean sea level it is now, or `nil`.
    ///   - field: The field that holds its location.
    ///   - updated: When that happened.
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

    /// Whether two versions have the same in all fields, but for the coordinate and altitude in one of them.
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

    /// Writes the fields anew, those that `replace` doesn't write as they are.
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
