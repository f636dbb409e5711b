import YonderGeodesy
import YonderModel

/// Field values in the form of this API's parameters.
enum FieldText {
    /// Reads a value of a field.
    ///
    /// - Throws: `InvalidField`.
    static func value(_ text: String, in field: Field) throws(FacadeRefusal) -> FieldValue {
        guard field.type == .location else {
            return try value(text, of: field.type, named: field.name.description)
        }
        return .location(try LocationText.location(text, in: field))
    }

    /// Reads a value of any type except location, which is refused.
    ///
    /// - Throws: `InvalidField`.
    static func value(_ text: String, of type: FieldType, named name: String) throws(FacadeRefusal)
        -> FieldValue
    {
        switch type {
        case .text: return .text(text)
        case .number:
            if let number = NumberText.value(text) { return .number(number) }
        case .date:
            if let date = Int64(text), text.first != "+" { return .date(Timestamp(milliseconds: date)) }
        case .boolean:
            if let value = booleans[text] { return .boolean(value) }
        case .json:
            return .json(try translated { () throws(SharingError) in try JSONText(Array(text.utf8)) })
        case .reference(let target):
            if let id = reference(text, to: target) { return .reference(id) }
        case .location: break
        }
        throw FacadeRefusal(.invalidField, "\(name) holds a \(type.name), and that is none.")
    }

    private static let booleans = ["1": true, "true": true, "0": false, "false": false]

    /// Reads an id, or an entity and an id separated by a slash, as clients write references in a query.
    private static func reference(_ text: String, to target: EntityName) -> ObjectID? {
        guard let slash = text.firstIndex(of: "/") else { return ObjectID(text) }
        guard text[..<slash] == target.description else { return nil }
        return ObjectID(String(text[slash...].dropFirst()))
    }
}

/// Locations as text: `lat,lon` or `lat,lon,alt`, each optionally followed by `|address`; or an address
/// alone, with or without `|`.
enum LocationText {
    /// The address that the clients for Apple's platforms send if there is none.
    private static let noAddress = "(null)"

    /// Reads a location.
    ///
    /// - Throws: `InvalidField`.
    static func location(_ text: String, in field: Field) throws(FacadeRefusal) -> ObjectLocation {
        var text = text
        let end = text.firstIndex(of: "|") ?? text.startIndex
        if text[end...].drop(while: { $0 == "|" }) == noAddress { text = String(text[..<end]) }
        return try translated { [text] () throws(SharingError) in try ObjectLocation(text: text, in: field) }
    }
}
