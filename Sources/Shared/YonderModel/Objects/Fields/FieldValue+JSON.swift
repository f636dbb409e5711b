import YonderGeodesy
import YonderJSON

// The JSON form of values, on the wire and in the stores: see Documentation/objects.md. A further type of field is a case in
// both directions here, beside `FieldValue+Text.swift` for files and `FieldValue+Order.swift` for conditions. What is
// written must be read as the same value by every version, as databases keep these bytes; a value that isn't of the field's
// type is refused by name (`ObjectJSONTests`).
extension FieldValue {
    /// Reads a value of a field.
    ///
    /// - Parameters:
    ///   - bytes: One JSON value that a scanner has checked, not `null`.
    ///   - field: The field, which determines the type of the value.
    /// - Throws: ``SharingError`` with code `invalidField`, `unknownField` or `missingField`.
    package init(_ bytes: UnsafeRawBufferPointer, in field: Field) throws(SharingError) {
        let name = field.name.description
        switch field.type {
        case .text:
            self = .text(try bytes.value(named: name) { scanner throws(JSONFault) in try scanner.text() })
        case .number:
            self = .number(try bytes.value(named: name) { scanner throws(JSONFault) in try scanner.double() })
        case .date:
            let date = try bytes.value(named: name) { scanner throws(JSONFault) in try scanner.timestamp() }
            self = .date(date)
        case .boolean:
            let value = try bytes.value(named: name) { scanner throws(JSONFault) in try scanner.boolean() }
            self = .boolean(value)
        case .json: self = .json(JSONText(checked: [UInt8](bytes)))
        case .reference:
            let id: ObjectID = try bytes.value(named: name) { scanner throws(JSONFault) in
                try scanner.identifier()
            }
            self = .reference(id)
        case .location: self = .location(try ObjectLocation(bytes, named: name))
        }
    }

    /// The fields as a JSON object, sorted by name in ASCII order.
    package static func json(_ fields: [FieldName: FieldValue]) -> [UInt8] {
        var writer = JSONWriter()
        writer.raw("{")
        for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { writer.raw(",") }
            writer.string(field.key.description)
            writer.raw(":")
            writer.fieldValue(field.value)
        }
        writer.raw("}")
        return writer.bytes
    }
}

extension ObjectLocation {
    private static let members: Set<String> = ["latitude", "longitude", "altitude", "address"]

    /// Reads a location.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`, `unknownField` or `missingField`.
    init(_ bytes: UnsafeRawBufferPointer, named name: String) throws(SharingError) {
        guard bytes.first == UInt8(ascii: "{") else {
            throw SharingError(.invalidField, "\(name) must be \(FieldType.location.values).")
        }
        let members = try ObjectMembers(bytes)
        try members.allow(Self.members)
        let altitude = try members.optional("altitude") { scanner throws(JSONFault) in
            Distance(meters: try scanner.double())
        }
        let address = try members.optional("address") { scanner throws(JSONFault) in try scanner.text() }
        if let coordinate = try Self.coordinate(members) {
            guard let location = ObjectLocation(coordinate, altitude: altitude, address: address) else {
                throw SharingError(.invalidField, ObjectLocation.bounds(name))
            }
            self = location
            return
        }
        guard altitude == nil, let address else {
            throw SharingError(
                .missingField,
                "\(name) must have latitude and longitude, or an address alone."
            )
        }
        guard let location = ObjectLocation(address: address) else {
            throw SharingError(.invalidField, ObjectLocation.bounds(name))
        }
        self = location
    }

    /// Reads latitude and longitude; `nil` if both are missing.
    private static func coordinate(_ members: ObjectMembers) throws(SharingError) -> Coordinate.Rounded? {
        guard members["latitude"] != nil || members["longitude"] != nil else { return nil }
        let latitude = try members.required("latitude") { scanner throws(JSONFault) in try scanner.double() }
        let longitude = try members.required("longitude") { scanner throws(JSONFault) in
            try scanner.double()
        }
        guard (-180...180).contains(longitude) else {
            throw SharingError(.invalidField, "longitude must be in -180…180.")
        }
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw SharingError(.invalidField, "latitude must be in -90…90.")
        }
        return coordinate.rounded
    }
}

extension JSONWriter {
    /// Appends a field's value.
    package mutating func fieldValue(_ value: FieldValue) {
        switch value {
        case .text(let text): string(text)
        case .number(let number): shortest(number)
        case .date(let date): integer(date.milliseconds)
        case .boolean(let value): if value { raw("true") } else { raw("false") }
        case .json(let json): raw(json.bytes)
        case .reference(let id): identifier(id)
        case .location(let location): self.location(location)
        }
    }

    /// Appends a number; a whole number is written without a fraction if no digit is lost.
    package mutating func shortest(_ number: Double) {
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53, number.sign == .plus || whole != 0 {
            integer(whole)
        } else {
            double(number.isFinite ? number : 0)
        }
    }

    private mutating func location(_ location: ObjectLocation) {
        raw("{")
        if let coordinate = location.coordinate {
            raw("\"latitude\":")
            degrees(coordinate.latitude)
            raw(",\"longitude\":")
            degrees(coordinate.longitude)
        }
        if let altitude = location.altitude {
            raw(",\"altitude\":")
            shortest(altitude.meters)
        }
        if let address = location.address {
            if location.coordinate != nil { raw(",") }
            raw("\"address\":")
            string(address)
        }
        raw("}")
    }

    /// Appends ten-millionths of a degree as degrees, without trailing zeros.
    package mutating func degrees(_ rounded: Int32) {
        let (whole, fraction) = rounded.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
        if rounded < 0 { raw("-") }
        integer(Int64(whole))
        guard fraction > 0 else { return }
        // The point and seven digits, without trailing zeros.
        var text = InlineArray<8, UInt8>(repeating: UInt8(ascii: "."))
        var (rest, length) = (fraction, 8)
        for place in stride(from: 7, through: 1, by: -1) {
            if length == place + 1, rest % 10 == 0 { length = place }
            text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        withUnsafeBytes(of: text) { raw($0.prefix(length)) }
    }
}
