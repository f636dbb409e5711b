import YonderGeodesy
import YonderJSON
import YonderModel

/// Field values in the form of this API's parameters.
///
/// `ObjectCommands` and `FacadeQuery` read values of a request by it. A stranger's text: nothing traps, and a refusal
/// names the field and the form. The forms are the original API's and must stay (`Documentation/places-facade.md`,
/// `FieldTextTests`); a further type of field needs a branch here and in `FacadeAnswer`.
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
            if let date = Int64(text), !text.utf8.begins(with: "+") {
                return .date(Timestamp(milliseconds: date))
            }
        case .boolean:
            if text.utf8.is("1") || text.utf8.is("true") { return .boolean(true) }
            if text.utf8.is("0") || text.utf8.is("false") { return .boolean(false) }
        case .json:
            return .json(try translated { () throws(SharingError) in try JSONText(Array(text.utf8)) })
        case .reference(let target):
            if let id = reference(text, to: target) { return .reference(id) }
        case .location: break
        }
        throw FacadeRefusal(.invalidField, "\(name) must be a \(type.name).")
    }

    /// Reads an id, or an entity and an id separated by a slash, as clients write references in a query.
    private static func reference(_ text: String, to target: EntityName) -> ObjectID? {
        guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return ObjectID(text) }
        guard text.utf8[..<slash].elementsEqual(target.description.utf8) else { return nil }
        return text.utf8[slash...].dropFirst().name().flatMap { ObjectID($0) }
    }
}

/// Locations as text: `lat,lon` or `lat,lon,alt`, each optionally followed by `|address`; or an address
/// alone, with or without `|`.
enum LocationText {
    /// The address that the clients for Apple's platforms send if there is none.
    private static let noAddress: StaticString = "(null)"

    /// Reads a location.
    ///
    /// - Throws: `InvalidField`.
    static func location(_ text: String, in field: Field) throws(FacadeRefusal) -> ObjectLocation {
        var text = text
        let bar = UInt8(ascii: "|")
        let end = text.utf8.firstIndex(of: bar) ?? text.startIndex
        if text.utf8[end...].drop(while: { $0 == bar }).is(noAddress) { text = String(text[..<end]) }
        return try translated { [text] () throws(SharingError) in try ObjectLocation(text: text, in: field) }
    }
}
